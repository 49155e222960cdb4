"""The optimiser and the clip against torch's, step after step."""

from __future__ import annotations

from typing import Any

import pytest

from tests.course.against_torch import steps_agree
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD

pytestmark = pytest.mark.torch

RATES = [0.1 / (1 + t) for t in range(12)]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"weight_decay": 0.1},
    {"momentum": 0.9},
    {"momentum": 0.9, "weight_decay": 0.1},
    {"momentum": 0.9, "nesterov": True},
    {"momentum": 0.5, "nesterov": True, "weight_decay": 0.01},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_sgd_steps_as_torch_does_under_a_schedule(settings: dict[str, Any]) -> None:
    def ours(params: Any) -> Any:
        optimizer, rates = SGD(params, lr=1.0, **settings), iter(RATES)

        def step() -> None:
            optimizer.lr = next(rates)
            optimizer.step()

        return step

    def theirs(torch: Any, params: Any) -> Any:
        optimizer, rates = torch.optim.SGD(params, lr=1.0, **settings), iter(RATES)

        def step() -> None:
            optimizer.param_groups[0]["lr"] = next(rates)
            optimizer.step()

        return step

    steps_agree(ours, theirs)


@pytest.mark.parametrize("max_norm", [1e-3, 1.0, 1e9])
def test_the_clip_is_torchs_but_for_its_epsilon(max_norm: float) -> None:
    """torch divides by norm + 1e-6: what it made too small is made up for here, in torch's own arithmetic."""

    def theirs(torch: Any, params: list[Any]) -> Any:
        def clip() -> Any:
            norm = torch.nn.utils.clip_grad_norm_(params, max_norm).double()
            if max_norm / (norm + 1e-6) < 1 and norm > max_norm:
                for p in params:
                    if p.grad is not None:
                        p.grad *= ((norm + 1e-6) / norm).item()
            return norm

        return clip

    steps_agree(lambda params: lambda: clip_grad_norm_(params, max_norm), theirs)
