"""Probes of L0.5: what the loop and the bigrams give on inputs that nobody has seen before.

Every input, the weights included, is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives
arrays, and for a draw the margin by which it was made (`<name>.margin`).
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, returned
from tinyllm.autograd.mode import is_grad_enabled
from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.bigram import BigramLM, BigramLogits
from tinyllm.nn.layers import Linear
from tinyllm.nn.module import Module
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

Arrays = dict[str, ArrayLike]

V = 5
ALWAYS = np.inf  # the margin of a tie, which no rounding breaks


class Plane(Module):
    """Three weights and a bias, [n, 3] -> [n]; it notes the mode of every call."""

    def __init__(self, rng: PCG32) -> None:
        self.linear, self.modes = Linear(3, 1, rng=PCG32(0)), list[list[bool]]()
        self.linear.weight.data[...] = rng.uniforms(3)
        self.linear.bias.data[...] = rng.uniforms(1)

    def forward(self, x: NDArray[Any]) -> Tensor:
        self.modes.append([self.training, is_grad_enabled()])
        return self.linear(Tensor(x))[:, 0]


def squares(model: Plane, batch: Any) -> tuple[Tensor, dict[str, float]]:
    """The mean squared error, and the greatest target as a metric."""
    r = model(batch["x"]) - batch["y"]
    return (r @ r) / len(r), {"greatest": float(batch["y"].max())}


def drawn_rows(rng: PCG32, n: int) -> dict[str, NDArray[Any]]:
    return {"x": rng.uniforms(3 * n).reshape(n, 3), "y": 4 * rng.uniforms(n)}


def drawn_ids(rng: PCG32, n: int) -> NDArray[np.int64]:
    return np.array([rng.below(V) for _ in range(n)], dtype=np.int64)


def told(reports: list[dict[str, float]]) -> Arrays:
    """The reports' values by name, a column each."""
    return {name: np.array([each[name] for each in reports]) for name in sorted(reports[0])}


def probe_batches(seed: int) -> Arrays:
    """Three epochs: shuffled and not, the rest dropped and kept, of numbers of rows even and not."""
    rng, found = PCG32(seed), {}
    for n in (6, 7 + rng.below(2), 9):
        rows = {"x": np.arange(n), "y": rng.uniforms(n)}
        for name, shuffle, drop in (
            ("in order", False, True),
            ("all", False, False),
            ("shuffled", True, False),
        ):
            loader = DataLoader(rows, 3, shuffle, PCG32(rng.next_u32()), drop_last=drop)
            batches = [batch for _ in range(3) for batch in loader]
            found[f"{n} {name}: lengths"] = np.array([len(loader), *(len(batch["x"]) for batch in batches)])
            for column in rows:
                found[f"{n} {name}: {column}"] = np.concatenate([batch[column] for batch in batches])
        batch = next(iter(DataLoader(rows, 3, False, None)))
        batch["y"][...] = -1.0
        found[f"{n} after writing into a batch"] = rows["y"]
    return found


def probe_steps(seed: int) -> Arrays:
    """Steps with momentum, half of them with a clip, then one on a batch that is not finite: no step at all."""
    rng = PCG32(seed)
    model, bad = Plane(rng), drawn_rows(rng, 4)
    opt = SGD(model.parameters(), 0.2, momentum=0.9, weight_decay=0.01)
    plain = [train_step(model, drawn_rows(rng, 5), squares, opt) for _ in range(4)]
    squares(model, drawn_rows(rng, 5))[0].backward()  # gradients that nobody wants
    clipped = [train_step(model, drawn_rows(rng, 5), squares, opt, clip=0.5) for _ in range(4)]
    bad["y"][rng.below(4)] = np.inf if rng.below(2) else np.nan
    with contextlib.suppress(FloatingPointError), np.errstate(all="ignore"):
        train_step(model, bad, squares, opt)
    found = {f"plain {name}": values for name, values in told(plain).items()}
    found |= {f"clipped {name}": values for name, values in told(clipped).items()}
    return {**found, **model.state_dict()}


def probe_evaluation(seed: int) -> Arrays:
    """Means over batches of 4, 4 and fewer rows, and the modes of the model during and after."""
    rng = PCG32(seed)
    model, rows = Plane(rng), drawn_rows(rng, 9 + rng.below(3))
    loader = DataLoader(rows, 4, False, None, drop_last=False)
    reports, after = [], []
    for mode in (True, False):
        model.train(mode)
        reports.append(evaluate(model, loader, squares))
        after.append([model.training, model.linear.training])
    return {**told(reports), "modes": np.array(model.modes), "modes after": np.array(after)}


def probe_counted(seed: int) -> Arrays:
    """Counts of two texts, every log-probability, costs and perplexity."""
    rng = PCG32(seed)
    model = BigramLM(V, alpha=0.1 + rng.uniform()).fit(drawn_ids(rng, 25)).fit(drawn_ids(rng, 12))
    ids = drawn_ids(rng, 15)
    found = {f"after {each}": model.logprobs(each) for each in range(V)}
    found |= {"counts": model.counts, "costs": model.nll(ids.copy()), "of one": model.nll(ids[:1])}
    with contextlib.suppress(ValueError):  # there is no row for it, though numpy has one
        found["after -1"] = model.logprobs(-1)
    return {**found, "perplexity": np.float64(returned(model.perplexity(ids), "perplexity"))}


def probe_table(seed: int) -> Arrays:
    """A drawn table's logits and its gradient for a drawn weighting, and the table that a seed gives."""
    rng = PCG32(seed)
    model, ids = BigramLogits(V, rng=PCG32(0)), drawn_ids(rng, 9).reshape(3, 3)
    model.load_state_dict({"table.weight": rng.uniforms(V * V).reshape(V, V)})
    logits = model(ids.copy())
    logits.backward(rng.uniforms(9 * V).reshape(logits.shape).astype(np.float32))
    start = BigramLogits(V, rng=PCG32(seed)).table.weight.data
    return {"logits": logits.data, "gradient": model.table.weight.grad, "start": start}


def probe_samples(seed: int) -> Arrays:
    """Texts at three temperatures and the greedy one, and the greedy one of a model that knows nothing."""
    rng, n = PCG32(seed), 16
    model, ids, margins = BigramLM(V, alpha=0.3).fit(drawn_ids(rng, 40)), [], []
    for temperature in (0.5, 1.0, 2.0):
        prefix, key = drawn_ids(rng, 3), rng.next_u32()
        drawn = np.array(model.sample(prefix.copy(), n, temperature, key), dtype=np.int64)
        ids.append(drawn)
        margins.append(margins_of(model, [prefix[-1], *drawn], temperature, PCG32(key)))
    for greedy in (model, BigramLM(V)):  # counts tie exactly, or differ by far more than rounding
        ids.append(np.array(greedy.sample(drawn_ids(rng, 2), n, 0.0, 0), dtype=np.int64))
        margins.append(np.full(n, ALWAYS))
    return {"ids": np.stack(ids), "ids.margin": np.stack(margins)}


def margins_of(model: BigramLM, ids: list[int], temperature: float, rng: PCG32) -> NDArray[np.float64]:
    """How clear each draw after the first id was, with all that went before it."""
    z = np.stack([model.logprobs(int(each)) for each in ids[:-1]]) / temperature
    weights = np.exp(z - z.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1) / weights.sum(axis=1, keepdims=True)
    return np.minimum.accumulate(np.abs(sums - rng.uniforms(len(z))[:, None]).min(axis=1))
