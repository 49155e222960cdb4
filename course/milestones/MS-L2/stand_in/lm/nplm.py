"""A saved NPLM computed in float64 by numpy alone: no tape, no layer, no unit of a student's.

It stands in the place of `lm/nplm.py` when the probes are run for the values that are right, and the judge computes
perplexities with it. It reads model directories by the frozen kit, and trains nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import read_tensors

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Logits:
    """As a Tensor is looked at: its values, rounded to float32 once."""

    data: NDArray[np.float32]


@dataclass(frozen=True)
class NPLM:
    """y = b + W x + U tanh(d + H x), where x joins the window's rows of the table, oldest first."""

    weights: dict[str, Floats]

    @property
    def context(self) -> int:
        """c: what H reads, in rows of the table."""
        return int(self.weights["hidden.weight"].shape[1] // self.weights["emb.weight"].shape[1])

    def logits(self, x: ArrayLike) -> Floats:
        """[B, c] -> [B, V]."""
        ids = np.asarray(x, dtype=np.int64)
        w = self.weights
        rows = w["emb.weight"][ids].reshape(len(ids), -1)
        hidden = np.tanh(rows @ w["hidden.weight"].T + w["hidden.bias"])
        y: Floats = hidden @ w["out.weight"].T + w["out.bias"]
        return y + rows @ w["direct.weight"].T if "direct.weight" in w else y

    def __call__(self, x: ArrayLike) -> Logits:
        return Logits(self.logits(x).astype(np.float32))

    def nll(self, ids: ArrayLike) -> Floats:
        """-ln p of each token that has a whole window."""
        x, y = windows(ids, self.context)
        z = self.logits(x)
        z -= z.max(axis=1, keepdims=True)
        costs: Floats = np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(y)), y]
        return costs


def windows(ids: ArrayLike, context: int) -> tuple[Ids, Ids]:
    """Every window of `context` ids, oldest first, and the id after each."""
    sequence = np.asarray(ids, dtype=np.int64)
    x = [sequence[at : at + context] for at in range(len(sequence) - context)]
    return np.stack(x), sequence[context:]


def load_nplm(dir: str | Path) -> NPLM:
    """The model of a directory. KeyError where a tensor is missing, ValueError for a weight that is no number."""
    tensors, _ = read_tensors(Path(dir) / "model.safetensors")
    weights: dict[str, Any] = {name: values.astype(np.float64) for name, values in tensors.items()}
    if not all(np.isfinite(values).all() for values in weights.values()):
        raise ValueError("a weight is no finite number")
    return NPLM(weights)
