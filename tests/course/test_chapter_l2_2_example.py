"""The worked example of the chapter of L2.2: every line of it is what the reference computes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from frozen import PCG32
from tests.course.chapter import chapter, section, worked
from tinyllm.autograd import functional as F
from tinyllm.autograd.losses import cross_entropy
from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.nplm import NPLM, windows

TEXT = chapter("L2.2")
A, B, C = 0, 1, 2
HAND = {
    "emb.weight": [[1.0], [0.0], [-1.0]],
    "hidden.weight": [[0.5, -0.5]],
    "hidden.bias": [0.0],
    "out.weight": [[1.0], [0.0], [-1.0]],
    "out.bias": [0.0, 0.5, 0.0],
    "direct.weight": [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
}


def hand_model(direct: bool = True) -> NPLM:
    """The model of the example, in float64, so that the last digit printed is right."""
    model = NPLM(3, 2, 1, 1, direct=direct, rng=PCG32(0))
    for name, tensor in model.named_parameters():
        tensor.data = np.array(HAND[name], dtype=np.float64)
    return model


def forward(window: list[int]) -> dict[str, Any]:
    """What the reference makes of one window when a comes next, by the chapter's names."""
    model, ids = hand_model(), np.array([window])
    x = F.reshape(model.emb(ids), (1, 2))
    z, y = model.hidden(x), model(ids)
    us = F.tanh(z) @ Tensor(np.transpose(HAND["out.weight"]), dtype=np.float64)
    tensors = {"x": x, "z": z, "s": F.tanh(z), "W x": model.direct(x), "U s": us, "y": y}
    values = {name: tensor.data.ravel() for name, tensor in tensors.items()}
    values["exp y"] = np.exp(values["y"])
    values["sum"] = values["exp y"].sum()
    values["p"] = values["exp y"] / values["sum"]
    return {**values, "loss": cross_entropy(y, np.array([A])).data}


def backward(window: list[int]) -> dict[str, Any]:
    """The gradients then: at the parameters by the autograd, between them by the formulas of section 4."""
    model, seen = hand_model(), forward(window)
    cross_entropy(model(np.array([window])), np.array([A])).backward()
    found = {name: tensor.grad for name, tensor in model.named_parameters()}
    H, U, W = (np.array(HAND[f"{layer}.weight"]) for layer in ("hidden", "out", "direct"))
    dy, slope = seen["p"] - np.eye(3)[A], 1 - seen["s"] ** 2
    dz = dy @ U * slope
    between = {"dy": dy, "ds": dy @ U, "1-s^2": slope, "dz": dz, "dx": dz @ H + dy @ W}
    weights = {
        "db": "out.bias",
        "dU": "out.weight",
        "dW": "direct.weight",
        "dd": "hidden.bias",
        "dH": "hidden.weight",
    }
    rows = {f"dC[{token}]": row for token, row in zip("abc", found["emb.weight"], strict=True)}
    return {**between, **{name: found[key] for name, key in weights.items()}, **rows}


def otherwise() -> dict[str, Any]:
    """The window turned round, and the model without its direct path."""
    plain = hand_model(direct=False)(np.array([[A, C]])).data
    return {"y of c a": forward([C, A])["y"], "y without W": plain}


def drawn() -> dict[str, Any]:
    """One draw after a c at temperature 1 with seed 3, by the rule of section 8."""
    y, u = forward([A, C])["y"], PCG32(3).uniform()
    weights = np.exp(y - y.max())
    sums = np.cumsum(weights)
    point = u * sums[-1]
    chosen = int(np.argmax(sums > point))
    return {"weights": weights, "running sum": sums, "u": u, "u · total": point, "chosen": chosen}


EXPECTED = {
    "forward": forward([A, C]),
    "forward, otherwise": otherwise(),
    "backward": backward([A, C]),
    "twice": {**forward([A, A]), **backward([A, A])},
    "draw": drawn(),
}


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert set(told) <= set(EXPECTED[title]), "a line that nothing here computes"
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name])
        assert [f"{value:.6f}" for value in values] == [f"{value + 0.0:.6f}" for value in want], name


def test_no_step_of_the_example_is_left_out() -> None:
    assert len(re.findall(r"^```numbers ", TEXT, re.MULTILINE)) == len(EXPECTED)
    for title in set(EXPECTED) - {"twice"}:
        assert set(worked(TEXT, title)) == set(EXPECTED[title])


def test_a_token_used_twice_gets_the_sum_of_both_shares() -> None:
    told = worked(TEXT, "twice")
    assert told["dC[a]"] == pytest.approx([sum(told["dx"])], abs=1.5e-6)


def test_the_matrices_of_the_example_are_those_computed_with() -> None:
    told = re.findall(r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", section(TEXT, "An example by hand"))
    rows = [[[float(cell) for cell in row.split("&")] for row in one.split(r"\\")] for one in told]
    flat_bias = [[value] for value in HAND["out.bias"]]
    names = ("emb.weight", "hidden.weight", "out.weight")
    assert rows == [*(HAND[name] for name in names), flat_bias, HAND["direct.weight"]]


def test_the_draw_is_the_one_that_generate_makes() -> None:
    (chosen,) = worked(TEXT, "draw")["chosen"]
    assert hand_model().generate([A, C], 1, 1.0, seed=3) == [chosen] == [B]


def test_the_windows_of_the_example_are_those_of_the_reference() -> None:
    x, y = windows([5, 6, 7, 8], 2)
    told = re.search(r"ids 5 6 7 8 hold .*? (\(.*?\)) with target (\d), and (\(.*?\)) with target (\d)", TEXT)
    assert told and [told[1], told[3]] == [f"({a}, {b})" for a, b in x.tolist()]
    assert [int(told[2]), int(told[4])] == y.tolist()
