"""The chapter of L0.3 says what the course says, and its worked numbers are those of the reference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.course.chapter import chapter, flat, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor

TEXT = chapter("L0.3")
FIRST, SECOND = [1.0, 2.0, 5.0], [4.0, 4.0, 8.0]  # the exponentials of the logits


def leaf(values: Any) -> Tensor:
    """In float64, so that the last digit printed is right."""
    return Tensor(values, requires_grad=True, dtype=np.float64)


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


def rows() -> dict[str, Any]:
    z = leaf(np.log([FIRST, SECOND]))
    loss = cross_entropy(z, [2, 0])
    loss.backward()
    return {
        "first p": np.divide(FIRST, 8),
        "second p": np.divide(SECOND, 16),
        "costs": cross_entropy(z, [2, 0], reduction="none").data,
        "mean": loss.data,
        "first gradient": grad_of(z)[0],
        "second gradient": grad_of(z)[1],
        "equal logits": cross_entropy(leaf(np.zeros((1, 256))), [77]).data,
    }


def smoothing() -> dict[str, Any]:
    z, p = leaf(np.log([FIRST])), np.divide(FIRST, 8)
    loss = cross_entropy(z, [2], label_smoothing=0.3)
    loss.backward()
    return {"q": p - grad_of(z)[0], "loss": loss.data, "gradient": grad_of(z)}


def squares() -> dict[str, Any]:
    a, b = leaf([1.0, 5.0]), leaf([3.0, 5.5])
    loss = mse(a, b)
    loss.backward()
    return {
        "prediction": a.data,
        "target": b.data,
        "squares": mse(a, b, "none").data,
        "mean": loss.data,
        "at prediction": grad_of(a),
        "at target": grad_of(b),
    }


def answers() -> dict[str, Any]:
    z, t = leaf([math.log(3), -math.log(3)]), leaf([1.0, 0.25])
    costs = bce_with_logits(z, t, "none")
    costs.backward([1.0, 1.0])
    return {"t": t.data, "costs": costs.data, "at the logits": grad_of(z), "at t": grad_of(t)}


EXPECTED = {"smoothing": smoothing(), "squares": squares(), "answers": answers(), "rows": rows()}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("L0.3")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert list(told) == list(EXPECTED[title])
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name]).round(9) + 0.0
        assert [f"{value:.6f}" for value in values] == [f"{value:.6f}" for value in want], name


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_limits_named_in_the_prose_are_those_of_float32() -> None:
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float32(89))) and np.isfinite(np.exp(np.float32(88)))
    assert 1 - 1 / (1 + np.exp(np.float32(-20))) == 0
    assert "`ignore_index` (−100 unless told" in flat(TEXT)
    assert cross_entropy(Tensor([[1000.0, 0.0]]), [1]).data == 1000
