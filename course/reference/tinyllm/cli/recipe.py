"""How an NPLM is trained, step by step: as `train_nplm` does it, with a word after every step."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from numpy.typing import NDArray

from tinyllm.autograd.losses import cross_entropy
from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.nplm import NPLM, windows
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step


@dataclass(frozen=True)
class Recipe:
    steps: int
    batch: int
    lr: float
    momentum: float = 0.0
    weight_decay: float = 0.0
    clip: float | None = None

    @staticmethod
    def of(options: argparse.Namespace) -> Recipe:
        taken = ("steps", "batch", "lr", "momentum", "weight_decay", "clip")
        return Recipe(**{name: getattr(options, name) for name in taken})


def losses(model: NPLM, ids: NDArray[Any], recipe: Recipe, rng: Any) -> Iterator[float]:
    """The loss of each step, as it is made. ValueError: steps below 0, or fewer windows than a batch."""
    x, y = windows(ids, model.context)
    if recipe.steps < 0 or not 1 <= recipe.batch <= len(y):
        raise ValueError(
            f"need --steps >= 0 and --batch in 1 .. {len(y)}, got {recipe.steps} and {recipe.batch}"
        )
    loader = DataLoader({"x": x, "y": y}, recipe.batch, shuffle=True, rng=rng)
    optimizer = SGD(model.parameters(), recipe.lr, momentum=recipe.momentum, weight_decay=recipe.weight_decay)
    left = recipe.steps
    while left:
        for batch in islice(loader, left):
            yield train_step(model, batch, _loss, optimizer, clip=recipe.clip)["loss"]
            left -= 1


def _loss(model: NPLM, batch: dict[str, NDArray[Any]]) -> Tensor:
    return cross_entropy(model(batch["x"]), batch["y"])
