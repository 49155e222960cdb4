"""The chapter of L0.4 says what the course says, and its worked examples are what the reference does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

import tinyllm.autograd.functional as F
from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, blocks, chapter, section, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding, LayerNorm, Linear
from tinyllm.nn.module import Module

TEXT = chapter("L0.4")


def in_float64(layer: Any, **values: ArrayLike) -> Any:
    """The layer with these parameters, so that the last digit printed is right."""
    for name, value in values.items():
        getattr(layer, name).data = np.array(value, dtype=np.float64)
    return layer


def backward(layer: Any, x: list[float], dy: list[float]) -> dict[str, Any]:
    """The result and every gradient, by the chapter's names."""
    tensor = Tensor(x, requires_grad=True, dtype=np.float64)
    out = layer(tensor)
    out.backward(dy)
    return {
        "x": x, "y": out.data, "dy": dy, "dx": tensor.grad, "dW": layer.weight.grad, "db": layer.bias.grad
    }  # fmt: skip


def linear() -> dict[str, Any]:
    weight = [[1, 2, 3], [4, 5, 6]]
    layer = in_float64(Linear(3, 2), weight=weight, bias=[10, 20])
    return {**backward(layer, [1.0, 0.0, 2.0], [1.0, -1.0]), "W x": np.array(weight) @ [1, 0, 2]}


def norm() -> dict[str, Any]:
    """Between x and y by the formulas of section 7; y and dx by the reference."""
    layer = in_float64(LayerNorm(2, eps=3.0), weight=[2, 4], bias=[10, 20])
    found = backward(layer, [4.0, 6.0], [1.0, 0.0])
    x, h = np.array(found["x"]), np.array([1.0, 0.0]) * [2, 4]
    root = np.sqrt(x.var() + 3)
    z = (x - x.mean()) / root
    steps = {"mean": x.mean(), "v": x.var(), "root": root, "z": z, "h": h}
    return {**found, **steps, "mean h": h.mean(), "mean hz": (h * z).mean()}


def otherwise() -> dict[str, Any]:
    x, weight, bias = np.array([4.0, 6.0]), np.array([2, 4]), np.array([10, 20])
    roots = {"d - 1": np.sqrt(x.var(ddof=1) + 3), "outside": np.sqrt(x.var()) + 3}
    return {name: (x - 5) / root * weight + bias for name, root in roots.items()}


EXPECTED = {"linear": linear(), "norm": norm(), "otherwise": otherwise()}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("L0.4")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_does(title: str) -> None:
    for name, values in worked(TEXT, title).items():
        assert values == pytest.approx(np.ravel(EXPECTED[title][name]).tolist(), abs=5.1e-7), name


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_names_of_the_reader_are_those_shown() -> None:
    shown: dict[str, Any] = {"Module": Module, "Embedding": Embedding, "Linear": Linear, "Tensor": Tensor}
    (program,), (names,) = (blocks(section(TEXT, "A tree of names"), kind) for kind in ("python", "text"))
    exec(program, shown)
    assert [name for name, _ in shown["Reader"]().named_parameters()] == names.split()


def test_the_claims_of_the_prose() -> None:
    x = Tensor([2.0, -1.0, 0.5], dtype=np.float64)
    kinds = np.abs(F.gelu(x).data - F.gelu(x, "tanh").data).max()
    assert 1e-4 < kinds < 1e-3 and "the two kinds differ in the fourth decimal" in TEXT
    rows = Tensor(np.random.default_rng(0).standard_normal((5, 8)), requires_grad=True, dtype=np.float64)
    LayerNorm(8)(rows).backward(np.random.default_rng(1).standard_normal((5, 8)))
    assert rows.grad is not None
    np.testing.assert_allclose(rows.grad.sum(axis=-1), 0, atol=1e-6)
    assert r"$\partial x$ sums to 0 along each vector" in TEXT


def test_no_value_of_a_blank_can_be_read_anywhere() -> None:
    manifest, folder = read_toml(COURSE / "modules" / "L0.4.toml"), COURSE / "tests" / "L0.4"
    given, filled = (
        (COURSE / kind / "L0.4" / "test_modules.py").read_text("utf-8") for kind in ("given", "exemplars")
    )
    visible = TEXT + "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    for name in (blank["name"] for blank in manifest["blanks"]):
        value = filled.split(f"\n{name} = ")[1].partition("  #")[0]
        assert value.strip("[]") not in visible and value not in given
        filled = filled.replace(f"\n{name} = {value}", f"\n{name} = ...")
    assert filled == given
