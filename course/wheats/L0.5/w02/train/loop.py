"""L0.5's loop with batches made by a generator of row numbers, and an evaluation that repeats by rows."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd import mode as grad_mode
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module
from tinyllm.optim import clip as clipping
from tinyllm.optim.sgd import Optimizer


def _rows_of(arrays):
    lengths = [np.shape(values)[0] for values in arrays.values()]
    if not lengths or lengths.count(lengths[0]) != len(lengths):
        raise ValueError(f"arrays of one length are needed, got lengths {lengths}")
    return lengths[0]


class DataLoader:
    def __init__(
        self,
        arrays: Mapping[str, ArrayLike],
        batch_size: int,
        shuffle: bool,
        rng: Any,
        drop_last: bool = True,
    ) -> None:
        data = dict(zip(arrays, map(np.asarray, arrays.values()), strict=True))
        self.n = _rows_of(data)
        if not batch_size >= 1 or (shuffle and rng is None):
            raise ValueError("batch_size at least 1; an rng with shuffle")
        self.data = data
        self.size = batch_size
        self.options = shuffle, rng, drop_last

    def __len__(self) -> int:
        whole, rest = divmod(self.n, self.size)
        return whole + (rest > 0 and not self.options[2])

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        shuffle, rng, drop_last = self.options
        numbers = np.arange(self.n)
        if shuffle:
            rng.shuffle(numbers)
        stream = iter(numbers.tolist())
        while rows := list(itertools.islice(stream, self.size)):
            if drop_last and len(rows) < self.size:
                return
            yield {name: values[rows] for name, values in self.data.items()}


def _one_loss(result):
    loss, metrics = result if isinstance(result, tuple) else (result, {})
    if math.prod(loss.shape) != 1:
        raise ValueError("the loss has more than one element")
    return loss, metrics


def train_step(
    model: Module,
    batch: Mapping[str, NDArray[Any]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
    opt: Optimizer,
    clip: float | None = None,
) -> dict[str, float]:
    model.zero_grad()
    loss, metrics = _one_loss(loss_fn(model, batch))
    value = loss.data.item()
    if math.isnan(value) or math.isinf(value):
        raise FloatingPointError(f"{value} is no loss")
    loss.backward()
    norms = {}
    if clip is not None:
        norms["grad_norm"] = clipping.clip_grad_norm_(model.parameters(), clip)
    opt.step()
    return {"loss": value, **norms, **{k: v for k, v in metrics.items() if k not in ("loss", "grad_norm")}}


@contextlib.contextmanager
def _evaluating(model):
    was = model.training
    model.eval()
    try:
        with grad_mode.no_grad():
            yield
    finally:
        model.train(was)


def evaluate(
    model: Module,
    batches: Iterable[Mapping[str, NDArray[Any]]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    with _evaluating(model):
        for batch in batches:
            loss, metrics = _one_loss(loss_fn(model, batch))
            for name, value in [*metrics.items(), ("loss", loss.data.item())]:
                values.setdefault(name, []).extend([value] * _rows_of(batch))
    if not values.get("loss"):
        raise ValueError("evaluate needs at least one row")
    return {name: math.fsum(each) / len(each) for name, each in values.items()}
