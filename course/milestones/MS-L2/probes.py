"""Probes of MS-L2: what the saved model gives, computed by the units that the student trained it with.

The model lies beside this file, in nplm/. The windows are drawn from the validation stories by the seed. What is
right is computed by frozen code from the same tensors: the same probes, beside another `lm/nplm.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, corpus
from tinyllm.lm.nplm import load_nplm, windows

Arrays = dict[str, ArrayLike]
MODEL = str(Path(__file__).parent / "nplm")
VALIDATION = corpus("ms-l2", "val")
C = 8


def drawn_text(rng: PCG32, n: int) -> NDArray[np.int64]:
    start = rng.below(len(VALIDATION) - n)
    return VALIDATION[start : start + n].astype(np.int64)


def probe_target(seed: int) -> Arrays:
    """A token is changed: no logit of the windows before it moves, and those of the windows that hold it do."""
    rng, model = PCG32(seed), load_nplm(MODEL)
    ids = drawn_text(rng, 4 * C)
    changed, at = ids.copy(), 2 * C
    changed[at] = (ids[at] + 1 + rng.below(255)) % 256
    before, after = (np.array(model(windows(each.copy(), C)[0]).data) for each in (ids, changed))
    return {"logits": before, "after the change": after, "moved": (before != after).any(axis=1)}


def probe_order(seed: int) -> Arrays:
    """Two tokens of a window change places: other logits."""
    rng, model = PCG32(seed), load_nplm(MODEL)
    x = windows(drawn_text(rng, 3 * C), C)[0]
    swapped = x.copy()
    swapped[:, [0, C - 1]] = x[:, [C - 1, 0]]
    before, after = (np.array(model(each.copy()).data) for each in (x, swapped))
    return {"logits": before, "with two swapped": after, "moved": (before != after).any(axis=1)}


def probe_costs(seed: int) -> Arrays:
    """What each token of some of the text costs."""
    return {"costs": load_nplm(MODEL).nll(drawn_text(PCG32(seed), 256).copy())}
