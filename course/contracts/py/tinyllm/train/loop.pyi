"""The training loop: batches, one step, and the mean over held-out batches.

A batch is {name: array}, row i of every array belonging to example i. A loss_fn(model, batch) returns a
Tensor of one element, or that and {name: number}, its metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module
from tinyllm.optim.sgd import Optimizer

class DataLoader:
    """Batches of batch_size rows, copied from arrays of N rows each; each iteration is an epoch."""

    def __init__(
        self,
        arrays: Mapping[str, ArrayLike],
        batch_size: int,
        shuffle: bool,
        rng: Any,
        drop_last: bool = True,
    ) -> None:
        """With shuffle, each epoch's order is np.arange(N) after rng.shuffle; without it, rng may be None.

        A last batch of fewer rows is dropped, or kept with drop_last False.
        Raises ValueError: no array, numbers of rows that differ, batch_size below 1, shuffle without an rng.
        """
        ...

    def __len__(self) -> int:
        """The number of batches in an epoch."""
        ...

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """The batches of a new epoch."""
        ...

def train_step(
    model: Module,
    batch: Mapping[str, NDArray[Any]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
    opt: Optimizer,
    clip: float | None = None,
) -> dict[str, float]:
    """Gradients to None, forward, backward, clip, one optimizer step.

    Returns {"loss": before the step}, "grad_norm" (before clipping) when clip is given, and the metrics.
    clip is the greatest norm that all gradients together may have.
    Raises FloatingPointError: a loss, or with clip a gradient norm, that is not finite; no parameter has
    changed then. ValueError: a loss of more than one element, or clip not above 0.
    """
    ...

def evaluate(
    model: Module,
    batches: Iterable[Mapping[str, NDArray[Any]]],
    loss_fn: Callable[[Any, Any], Tensor | tuple[Tensor, Mapping[str, float]]],
) -> dict[str, float]:
    """{"loss": its mean, each metric: its mean}, every batch weighted by its rows.

    Runs in eval mode and under no_grad(), and puts the model back into the mode it had.
    Raises ValueError: no batch, no rows, or a loss of more than one element.
    """
    ...
