"""The training loop: batches, one step, and a mean over held-out batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.mode import no_grad
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import Optimizer

Batch = dict[str, NDArray[Any]]
LossFn = Callable[[Any, Batch], "Tensor | tuple[Tensor, Mapping[str, float]]"]


class DataLoader:
    """Batches of rows; with shuffle, in a new order each time it is iterated."""

    def __init__(
        self,
        arrays: Mapping[str, ArrayLike],
        batch_size: int,
        shuffle: bool,
        rng: Any,
        drop_last: bool = True,
    ) -> None:
        self.arrays = {name: np.asarray(rows) for name, rows in arrays.items()}
        self.batch_size, self.shuffle, self.rng, self.drop_last = batch_size, shuffle, rng, drop_last
        self._n = _common_rows(self.arrays)
        if batch_size < 1:
            raise ValueError(f"DataLoader needs a batch_size of at least 1, not {batch_size}")
        if shuffle and rng is None:
            raise ValueError("DataLoader needs an rng to shuffle with")

    def __len__(self) -> int:
        return self._n // self.batch_size if self.drop_last else -(-self._n // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        order = np.arange(self._n)
        if self.shuffle:
            self.rng.shuffle(order)
        for i in range(len(self)):
            rows = order[i * self.batch_size : (i + 1) * self.batch_size]
            yield {name: array[rows] for name, array in self.arrays.items()}


def train_step(
    model: Module, batch: Batch, loss_fn: LossFn, opt: Optimizer, clip: float | None = None
) -> dict[str, float]:
    """One optimizer step on one batch."""
    model.zero_grad()
    loss, metrics = _loss(loss_fn(model, batch))
    own = {"loss": float(loss.data.item())}
    if not math.isfinite(own["loss"]):
        raise FloatingPointError(f"the loss is {own['loss']}: nothing was changed; try a lower lr, or a clip")
    loss.backward()
    if clip is not None:
        own["grad_norm"] = clip_grad_norm_(model.parameters(), clip)
    opt.step()
    return {**metrics, **own}


def evaluate(model: Module, batches: Iterable[Batch], loss_fn: LossFn) -> dict[str, float]:
    """The mean over rows of the loss and of each metric, in eval mode and without a graph."""
    terms: dict[str, list[float]] = {}
    rows: list[int] = []
    mode = model.training
    model.eval()
    try:
        with no_grad():
            for batch in batches:
                loss, metrics = _loss(loss_fn(model, batch))
                rows.append(_common_rows(batch))
                for name, value in {**metrics, "loss": float(loss.data.item())}.items():
                    terms.setdefault(name, []).append(value * rows[-1])
    finally:
        model.train(mode)
    if not sum(rows):
        raise ValueError("evaluate got no rows: with drop_last, fewer than batch_size give no batch")
    return {name: math.fsum(values) / sum(rows) for name, values in terms.items()}


def _loss(result: Any) -> tuple[Tensor, Mapping[str, float]]:
    """What a loss_fn returned, as a one-element loss and its metrics."""
    loss, metrics = (result, {}) if isinstance(result, Tensor) else result
    if loss.data.size != 1:
        raise ValueError(f"loss_fn must return a loss of one element, not of shape {loss.shape}")
    return loss, metrics


def _common_rows(arrays: Mapping[str, NDArray[Any]]) -> int:
    counts = {name: len(array) for name, array in arrays.items()}
    if len(set(counts.values())) != 1:
        raise ValueError(f"a batch needs arrays with one common number of rows, not {counts}")
    return next(iter(counts.values()))
