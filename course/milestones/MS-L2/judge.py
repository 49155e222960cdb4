"""The judge of MS-L2: frozen code that looks at what the student's commands left, where no student code runs.

`figure_<name>(work)` computes a figure of the milestone from the saved tensors. `claim_<name>(work)` gives None where
the claim holds, else the sentence that says what does not. `work` has the files that the steps left (`files`, and
`reference` for the same words said to the reference), the last lines by step (`said`, `reference_said`), and `words`.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frozen import PCG32, corpus, read_tensors
from frozen.root import course_root

TRAIN, VALIDATION = corpus("ms-l2", "train"), corpus("ms-l2", "val")
V, C, N = 256, 8, 4
SHORT_RUN = "train briefly from a fresh seed"

# Sixty steps in float32 end within 3e-7 of each other on kernels and by correct code that round differently, the
# losses too; a clip left out moves a weight by 0.26, a decay left out by 1.7, another seed by 3.
WEIGHTS_APART, LOSSES_APART = 1e-4, 1e-4

# A choice may fall to the neighbour where the uniform draw comes this near to the border between the two.
UNCLEAR = 1e-4


def figure_kneser_ney(work: Any) -> float:
    """The perplexity of the validation stories under the saved counts, in rational arithmetic."""
    exact = _module("course/oracle/MS-L2/kneser_ney_exact.py")
    return float(exact.Exact(_saved_counts(work.files / "ngram"), V).perplexity(VALIDATION.tolist()))


def figure_nplm(work: Any) -> float:
    """The perplexity of the validation stories under the saved weights, in float64."""
    return math.exp(_saved_nplm(work).nll(VALIDATION).mean())


def claim_shards(work: Any) -> str | None:
    """The shards hold the texts, a byte a token."""
    for name, text in (("train.bin", TRAIN), ("val.bin", VALIDATION)):
        raw = (work.files / name).read_bytes()
        header, ids = np.frombuffer(raw[:1024], "<i4"), np.frombuffer(raw[1024:], "<u2")
        if header[:4].tolist() != [20240520, 1, len(text), V] or not np.array_equal(ids, text):
            return f"{name} is not the text as a shard of vocabulary 256, version 1: encode its bytes, all of them"
    return None


def claim_table_moved(work: Any) -> str | None:
    """The table began where the seed puts it, and moved: rows of bytes that never occur are still there."""
    table = read_tensors(work.files / "nplm" / "model.safetensors")[0]["emb.weight"]
    start = _normal(PCG32(int(work.words["seed"])).substream("init"), table.size).reshape(table.shape)
    apart = np.abs(table - start).max(axis=1)
    seen = np.isin(np.arange(V), TRAIN)
    if not apart[~seen].max() <= 1e-5:  # nor is what is no number
        return (
            "the rows of bytes that never occur are not those that PCG32(seed).substream('init') draws: "
            "the model did not begin at its seed"
        )
    if not np.median(apart[seen]) >= 1e-3:  # rare bytes may hardly move in a short run
        return "the table lies where it began: no gradient reaches it, or nothing was trained"
    return None


def claim_fresh_run(work: Any) -> str | None:
    """A short run from a seed nobody has seen ends where the reference's run of the same words does."""
    place = "fresh/model.safetensors"
    mine, right = (read_tensors(folder / place)[0] for folder in (work.files, work.reference))
    if mine.keys() != right.keys():
        return f"its tensors are {', '.join(sorted(mine))}, expected {', '.join(sorted(right))}"
    for name in sorted(right):
        if mine[name].shape != right[name].shape:
            return f"{name} has shape {mine[name].shape}, expected {right[name].shape}"
        apart = float(np.abs(mine[name].astype(np.float64) - right[name]).max())
        if not apart <= WEIGHTS_APART:
            return (
                f"after {work.words['short']} steps from seed {work.words['fresh']} {name} is up to {apart:.3g} away "
                f"from where the reference's run ends, and {WEIGHTS_APART} is allowed"
            )
    mine_loss, right_loss = work.said[SHORT_RUN].get("loss"), work.reference_said[SHORT_RUN]["loss"]
    if not (isinstance(mine_loss, float) and abs(mine_loss - right_loss) <= LOSSES_APART):
        return f"the loss of its last step is {mine_loss!r}, expected {right_loss:.6f} within {LOSSES_APART}"
    return None


def claim_story(work: Any) -> str | None:
    """The story is the one that the saved model tells with that seed, token by token."""
    model = _saved_nplm(work)
    told = work.said["tell a story"].get("ids")
    prompt, n = list(work.words["prompt"].encode("utf-8")), int(work.words["tokens"])
    if not (isinstance(told, list) and len(told) == n and all(type(i) is int and 0 <= i < V for i in told)):
        return f"ids is no list of {n} bytes: give the new ones only, all of them"
    ids = np.array([*prompt, *told], dtype=np.int64)
    x = np.stack([ids[at - C : at] for at in range(len(prompt), len(ids))])
    logits = model.logits(x)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1) / weights.sum(axis=1, keepdims=True)
    u = PCG32(int(work.words["fresh"])).uniforms(n)
    for at, (row, draw, got) in enumerate(zip(sums, u, told, strict=True)):
        low, high = (row[got - 1] if got else 0.0), row[got]
        if not low - UNCLEAR <= draw < high + UNCLEAR:
            right = int(row.searchsorted(draw, side="right"))
            return f"token {at} of the story is {got}, and the saved model draws {right} there with that seed"
    return None


def _saved_counts(folder: Path) -> list[dict[tuple[int, ...], int]]:
    """The adjusted counts by gram, from the levels of the saved trie; <s> is -1 there and V in the file."""
    tensors, _ = read_tensors(folder / "model.safetensors")
    grams: list[tuple[int, ...]] = [()]
    found = []
    for order in range(1, N + 1):
        parts = (tensors[f"order{order}.{part}"].tolist() for part in ("context", "token", "count"))
        context, token, count = parts
        grams = [
            (*grams[c if order > 1 else 0], t if t < V else -1) for c, t in zip(context, token, strict=True)
        ]
        found.append({gram: n for gram, n in zip(grams, count, strict=True) if n})
    return found


def _normal(rng: PCG32, n: int) -> NDArray[np.float32]:
    """Standard normals by Box-Muller in pairs, rounded to float32 once."""
    u = rng.uniforms(n + n % 2)
    radius, angle = np.sqrt(-2 * np.log1p(-u[0::2])), 2 * math.pi * u[1::2]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return pairs.reshape(-1)[:n].astype(np.float32)


def _saved_nplm(work: Any) -> Any:
    """The long run's model. ValueError unless it is built as the short run of the reference's is: same options."""
    paths = (work.files / "nplm/model.safetensors", work.reference / "fresh/model.safetensors")
    mine, right = ({name: each.shape for name, each in read_tensors(path)[0].items()} for path in paths)
    if mine != right:
        raise ValueError(f"its tensors are not those of its options: {mine}, expected {right}")
    return _module("course/milestones/MS-L2/stand_in/lm/nplm.py").load_nplm(work.files / "nplm")


@cache
def _module(path: str) -> ModuleType:
    """A file of the course that lies in no package."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, course_root() / path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
