"""Modules: what belongs to one, under which name, in which order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module


def parameter(*values: float) -> Tensor:
    return Tensor(values, requires_grad=True)


class Inner(Module):
    def __init__(self, value: float) -> None:
        self.weight = parameter(value, value)
        self.bias: Tensor | None = None


class Outer(Module):
    """Parameters before, between and after two parts, and attributes that are neither."""

    def __init__(self) -> None:
        self.size = 3
        self.last = Inner(1.0)
        self.scale = parameter(2.0)
        self.absent = None
        self.first = Inner(3.0)
        self.names = ["a", "b"]
        self.shift = parameter(4.0)

    def forward(self, x: float, plus: float = 0.0) -> float:
        return x + plus


NAMES = ["last.weight", "scale", "first.weight", "shift"]


def test_names_follow_the_order_of_assignment() -> None:
    model = Outer()
    assert [name for name, _ in model.named_parameters()] == NAMES
    assert [p.data[0] for p in model.parameters()] == [1.0, 2.0, 3.0, 4.0]
    assert list(model.state_dict()) == NAMES


def test_none_stays_none_and_other_attributes_stay_what_they_are() -> None:
    model = Outer()
    assert model.absent is None and model.first.bias is None
    assert model.size == 3 and model.names == ["a", "b"]


def test_a_new_value_keeps_the_place_of_the_old_one() -> None:
    model = Outer()
    model.last = Inner(9.0)
    assert [name for name, _ in model.named_parameters()] == NAMES
    assert model.parameters()[0].data[0] == 9.0
    del model.scale
    model.scale = parameter(5.0)
    assert [name for name, _ in model.named_parameters()] == ["last.weight", "first.weight", "shift", "scale"]


def test_what_is_reachable_twice_is_listed_once_by_its_first_name() -> None:
    model = Outer()
    model.first.weight = model.last.weight
    model.again = model.last
    assert list(model.state_dict()) == ["last.weight", "scale", "shift"]
    model.load_state_dict({"last.weight": [7.0, 7.0], "scale": [0.0], "shift": [0.0]})
    assert model.first.weight.data.tolist() == [7.0, 7.0]


def test_a_part_that_knows_its_owner_is_no_endless_loop() -> None:
    model = Outer()
    model.first.owner = model
    assert len(model.parameters()) == 4
    assert not model.eval().training


def test_calling_is_forward_and_a_bare_module_has_none() -> None:
    assert Outer()(2.0, plus=0.5) == 2.5
    with pytest.raises(NotImplementedError, match="Inner"):
        Inner(1.0)()


def test_train_and_eval_reach_every_part_and_return_the_module() -> None:
    model = Outer()
    assert model.training and model.first.training
    assert model.eval() is model
    assert not (model.training or model.first.training or model.last.training)
    assert model.train() is model
    assert model.training and model.first.training
    assert not model.train(False).first.training
    assert Outer().training, "the mode of one model is no other's"


def test_zero_grad_forgets_every_gradient() -> None:
    model = Outer()
    for p in model.parameters():
        p.grad = np.ones_like(p.data)
    model.zero_grad()
    assert all(p.grad is None for p in model.parameters())


def test_a_state_dict_is_a_copy() -> None:
    model = Outer()
    state = model.state_dict()
    state["scale"][0] = 100.0
    model.shift.data[0] = 50.0
    assert model.scale.data[0] == 2.0 and state["shift"][0] == 4.0


def test_loading_copies_into_the_arrays_that_are_there() -> None:
    model = Outer()
    arrays = [p.data for p in model.parameters()]
    model.scale.data = model.scale.data.astype(np.float64)
    source: dict[str, Any] = {
        "last.weight": [1, 2],
        "scale": np.array([1 / 3]),
        "first.weight": np.array([5.0, 6.0], dtype=np.float32),
        "shift": [8.0],
    }
    model.load_state_dict(source)
    assert model.parameters()[0].data is arrays[0] and arrays[0].tolist() == [1.0, 2.0]
    assert model.scale.dtype == np.float64 and model.scale.data[0] == 1 / 3
    source["first.weight"][0] = -1
    assert model.first.weight.data.tolist() == [5.0, 6.0]


def test_every_missing_and_unexpected_key_is_named_before_anything_is_copied() -> None:
    model = Outer()
    with pytest.raises(KeyError) as caught:
        model.load_state_dict({"scale": [9.0], "shift": [9.0], "extra": [1.0], "more": [1.0]})
    assert all(name in str(caught.value) for name in ("last.weight", "first.weight", "extra", "more"))
    assert model.scale.data.tolist() == [2.0]
    full = model.state_dict()
    for state in (full | {"extra": np.ones(1)}, {name: full[name] for name in NAMES[1:]}):
        with pytest.raises(KeyError):
            model.load_state_dict(state)


def test_every_wrong_shape_is_named_before_anything_is_copied() -> None:
    model = Outer()
    state: dict[str, Any] = model.state_dict() | {"scale": [9.0], "shift": [[1.0]], "first.weight": [1.0]}
    with pytest.raises(ValueError, match=r"first\.weight.*shift"):
        model.load_state_dict(state)
    assert model.scale.data.tolist() == [2.0]


def test_without_strict_only_common_keys_are_copied() -> None:
    model = Outer()
    model.load_state_dict({"scale": [9.0], "extra": [1.0]}, strict=False)
    assert model.scale.data.tolist() == [9.0] and model.shift.data.tolist() == [4.0]
    with pytest.raises(ValueError, match="scale"):
        model.load_state_dict({"scale": [9.0, 9.0]}, strict=False)
