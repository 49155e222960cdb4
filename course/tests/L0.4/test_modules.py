"""Course tests of L0.4, the base class: names, states and modes. The layers have a file of their own.

The ids s01 .. s09, s19 and s20 name the mutants of nn/module.py that a test is there to catch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import assert_equal
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module

NAMES = ["last.weight", "scale", "first.weight", "shift"]


def parameter(*values: float) -> Tensor:
    return Tensor(values, requires_grad=True)


def float32(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


class Inner(Module):
    """One parameter, and one that is absent. Module's own __init__ is not called."""

    deep: Any
    owner: Any

    def __init__(self, value: float) -> None:
        self.weight = parameter(value, value)
        self.bias: Tensor | None = None


class Outer(Module):
    """Parameters before, between and after two parts, and attributes that are neither."""

    again: Any

    def __init__(self) -> None:
        super().__init__()
        self.size = 3
        self.last = Inner(1.0)
        self.scale = parameter(2.0)
        self.absent = None
        self.first = Inner(3.0)
        self.words: Any = ["a", "b"]
        self.shift = parameter(4.0)

    def forward(self, x: float, plus: float = 0.0) -> float:
        return x + plus


def values(model: Outer) -> NDArray[np.float32]:
    """The first value of each parameter of an Outer, in the order of NAMES."""
    tensors = (model.last.weight, model.scale, model.first.weight, model.shift)
    return float32(*(tensor.data[0] for tensor in tensors))


def test_names_follow_the_order_of_assignment() -> None:
    """Names are the keys of every saved file, and the order is the one in which optimizers number them.

    Catches s04, names in alphabetical order.
    """
    model = Outer()
    assert [name for name, _ in model.named_parameters()] == NAMES
    assert list(model.state_dict()) == NAMES
    tensors = [model.last.weight, model.scale, model.first.weight, model.shift]
    assert all(a is b for a, b in zip(model.parameters(), tensors, strict=True))
    model.last = Inner(9.0)
    assert [name for name, _ in model.named_parameters()] == NAMES, "a new value keeps the place of the old"
    assert model.parameters()[0] is model.last.weight


def test_what_is_neither_tensor_nor_module_is_left_alone() -> None:
    """None where a bias could be, sizes, lists: attributes like any others, in no state and in no list."""
    model = Outer()
    assert model.absent is None and model.first.bias is None
    assert model.size == 3 and model.words == ["a", "b"]
    model.words = Inner(5.0)
    assert [name for name, _ in model.named_parameters()] == [*NAMES[:3], "words.weight", "shift"]
    model.words = []
    assert [name for name, _ in model.named_parameters()] == NAMES


def test_what_is_reachable_twice_is_listed_once() -> None:
    """A table used for the way in and the way out is one parameter: listed twice it would be stepped twice.

    Catches s02, a tied tensor under both names.
    """
    model = Outer()
    model.first.weight = model.last.weight
    model.again = model.last
    assert list(model.state_dict()) == ["last.weight", "scale", "shift"]
    assert len(model.parameters()) == 3
    model.first.owner = model
    assert list(model.state_dict()) == ["last.weight", "scale", "shift"], "a part may know its owner"
    assert model.eval() is model and not model.first.training


def test_a_state_is_a_copy() -> None:
    """A checkpoint is of one moment: the training that goes on must not change it.

    Catches s03, the parameters' own arrays.
    """
    model = Outer()
    state = model.state_dict()
    model.scale.data[0] = 50.0
    live = {"the state holds the parameter's own array: copy it": [50.0]}
    assert_equal(state["scale"], float32(2.0), of="the saved scale", known_wrong=live)
    state["shift"][0] = 60.0
    assert_equal(model.shift.data, float32(4.0), of="the model's shift")


def test_loading_copies_into_the_arrays_that_are_there() -> None:
    """Optimizers, ties and views hold these arrays: new values go into them, in their dtype.

    Catches s01, the state's arrays taken over as the parameters' own.
    """
    model = Outer()
    held = model.first.weight.data
    model.scale.data = model.scale.data.astype(np.float64)
    state: dict[str, Any] = {name: array + 10 for name, array in model.state_dict().items()}
    state |= {"last.weight": [7, 8], "scale": [1 / 3]}
    model.load_state_dict(state)
    old = {"the array of before was left as it was, and another one put into its place": [3.0, 3.0]}
    assert_equal(held, float32(13.0, 13.0), of="the array that first.weight had", known_wrong=old)
    assert model.first.weight.data is held
    assert_equal(model.last.weight.data, float32(7.0, 8.0), of="a parameter loaded from a list of integers")
    assert_equal(model.scale.data, np.array([1 / 3]), of="a float64 parameter")
    model.shift.data[0] = -1.0
    shared = {"the model works in the arrays of the state: copy them": [-1.0]}
    assert_equal(state["shift"], float32(14.0), of="the state after a change", known_wrong=shared)


def test_a_state_that_does_not_fit_is_refused_whole() -> None:
    """All names that are missing or too many are told at once, and half a checkpoint is never in the model.

    Catches s05 (names too many are passed over) and s06 (other shapes are broadcast).
    """
    model = Outer()
    good = model.state_dict()
    with pytest.raises(KeyError) as caught:
        model.load_state_dict({"scale": [9.0], "shift": [9.0], "extra": [1.0], "more": [1.0]})
    told = str(caught.value)
    assert all(name in told for name in ("last.weight", "first.weight", "extra", "more")), told
    for state in (good | {"extra": [1.0]}, {name: good[name] for name in NAMES[1:]}):
        with pytest.raises(KeyError):
            model.load_state_dict({**state, "scale": [9.0]})
    for wrong in ([1.0], [[1.0, 2.0]], 1.0, [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError):
            model.load_state_dict({**good, "last.weight": [9.0, 9.0], "scale": [9.0], "first.weight": wrong})
    assert_equal(values(model), float32(1.0, 2.0, 3.0, 4.0), of="the parameters after every refusal")


def test_loading_without_strict_takes_what_both_sides_have() -> None:
    """A model with a new head starts from an old body; a shape that differs is a mistake all the same.

    Catches s19, shapes that are looked at only with strict.
    """
    model = Outer()
    model.load_state_dict({"scale": [9.0], "extra": [1.0]}, strict=False)
    assert_equal(values(model), float32(1.0, 9.0, 3.0, 4.0), of="the parameters")
    with pytest.raises(ValueError):
        model.load_state_dict({"scale": [8.0], "shift": [1.0, 1.0]}, strict=False)
    assert_equal(values(model), float32(1.0, 9.0, 3.0, 4.0), of="the parameters after the refusal")


def test_train_and_eval_reach_every_part() -> None:
    """A dropout deep inside must hear of it, and another model must not.

    Catches s07 (this module alone) and s08 (the whole class).
    """
    model, other = Outer(), Outer()
    model.first.deep = Outer()
    assert model.training and model.first.deep.last.training
    assert model.eval() is model
    parts = (model, model.last, model.first, model.first.deep, model.first.deep.last)
    assert [part.training for part in parts] == [False] * 5
    assert other.training and other.first.training and Outer().training, "another model has changed its mode"
    assert model.train() is model
    assert [part.training for part in parts] == [True] * 5
    assert model.train(False) is model and not model.first.deep.last.training


def test_zero_grad_leaves_none() -> None:
    """None says that no loss has reached a parameter since; zeros would be stepped. Catches s09, zeros."""
    model = Outer()
    for tensor in model.parameters():
        tensor.grad = np.ones_like(tensor.data)
    model.zero_grad()
    assert [tensor.grad for tensor in model.parameters()] == [None] * 4


def test_calling_is_forward() -> None:
    """With all its arguments; a module that defines none says so. Catches s20, keywords lost on the way."""
    assert Outer()(2.0) == 2.0 and Outer()(2.0, plus=0.5) == 2.5
    with pytest.raises(NotImplementedError):
        Inner(1.0)(2.0)
