"""The switch that turns recording off."""

from __future__ import annotations

import threading

import pytest

from tinyllm.autograd.mode import is_grad_enabled, no_grad
from tinyllm.autograd.tensor import Tensor


def test_recording_is_on_at_first_and_off_inside() -> None:
    x = Tensor([1.0], requires_grad=True)
    assert is_grad_enabled()
    with no_grad():
        assert not is_grad_enabled()
        assert not (x * 2).requires_grad
    assert is_grad_enabled()
    assert (x * 2).requires_grad


def test_a_leaf_made_inside_still_requires_its_gradient() -> None:
    with no_grad():
        x = Tensor([1.0], requires_grad=True)
    (x * 3).backward()
    assert x.grad is not None and x.grad.tolist() == [3.0]


def test_it_nests_and_restores_what_was_before() -> None:
    with no_grad():
        with no_grad():
            pass
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_it_restores_after_an_error() -> None:
    with pytest.raises(KeyError), no_grad():
        raise KeyError
    assert is_grad_enabled()


def test_as_a_decorator_it_holds_during_each_call() -> None:
    @no_grad()
    def depth(n: int) -> list[bool]:
        return [is_grad_enabled(), *(depth(n - 1) if n else [])]

    for _ in range(2):
        assert depth(2) == [False, False, False]
        assert is_grad_enabled()


def test_it_holds_for_its_own_thread_only() -> None:
    seen: dict[str, bool] = {}
    inside, looked = threading.Event(), threading.Event()

    def other() -> None:
        inside.wait(5)
        seen["other"] = is_grad_enabled()
        with no_grad():
            looked.set()

    thread = threading.Thread(target=other)
    thread.start()
    with no_grad():
        inside.set()
        looked.wait(5)
        seen["own"] = is_grad_enabled()
    thread.join(5)
    assert seen == {"other": True, "own": False}
    assert is_grad_enabled()
