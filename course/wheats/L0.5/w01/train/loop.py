"""L0.5's loop with the epoch cut by a list of bounds, and an evaluation that keeps running sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.mode import no_grad
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import Optimizer


class DataLoader:
    def __init__(
        self,
        arrays: Mapping[str, ArrayLike],
        batch_size: int,
        shuffle: bool,
        rng: Any,
        drop_last: bool = True,
    ) -> None:
        if not arrays:
            raise ValueError("there is nothing to load")
        if batch_size <= 0:
            raise ValueError("a batch has at least one row")
        if shuffle and rng is None:
            raise ValueError("shuffling takes a generator")
        self._columns = [(name, np.array(values)) for name, values in arrays.items()]
        sizes = {values.shape[0] for _, values in self._columns}
        if len(sizes) > 1:
            raise ValueError("the columns are not of one length")
        self._rows = sizes.pop()
        self._size = batch_size
        self._rng = rng if shuffle else None
        self._keep = not drop_last

    def _bounds(self):
        bounds, at = [], 0
        while at + self._size <= self._rows:
            bounds.append((at, at + self._size))
            at += self._size
        if self._keep and at < self._rows:
            bounds.append((at, self._rows))
        return bounds

    def __len__(self) -> int:
        return len(self._bounds())

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        permutation = np.arange(self._rows)
        if self._rng is not None:
            self._rng.shuffle(permutation)
        for start, stop in self._bounds():
            yield {name: np.take(values, permutation[start:stop], axis=0) for name, values in self._columns}


def _split(result):
    if isinstance(result, tuple):
        loss, extra = result
    else:
        loss, extra = result, {}
    values = loss.numpy().reshape(-1)
    if len(values) != 1:
        raise ValueError("a loss is one number")
    return loss, float(values[0]), dict(extra)


def train_step(
    model: Module,
    batch: Mapping[str, NDArray[Any]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
    opt: Optimizer,
    clip: float | None = None,
) -> dict[str, float]:
    if clip is not None and not clip > 0:
        raise ValueError("a clip is above 0")
    for parameter in model.parameters():
        parameter.grad = None
    loss, value, report = _split(loss_fn(model, batch))
    if not np.isfinite(value):
        raise FloatingPointError("this loss is no number to descend from")
    loss.backward()
    report["loss"] = value
    if clip is not None:
        report["grad_norm"] = clip_grad_norm_(model.parameters(), clip)
    opt.step()
    return report


def evaluate(
    model: Module,
    batches: Iterable[Mapping[str, NDArray[Any]]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
) -> dict[str, float]:
    before = model.training
    sums, n = defaultdict(float), 0
    model.train(False)
    try:
        for batch in batches:
            with no_grad():
                _, value, report = _split(loss_fn(model, batch))
            rows = len(next(iter(batch.values())))
            report["loss"] = value
            for name in report:
                sums[name] += rows * report[name]
            n += rows
    finally:
        model.train(before)
    if n == 0:
        raise ValueError("no row was evaluated")
    return {name: total / n for name, total in sums.items()}
