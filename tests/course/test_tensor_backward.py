"""Backward: what it adds to leaves, in which order, and whose memory it uses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor, from_op


def leaf(*values: float) -> Tensor:
    return Tensor(values, requires_grad=True)


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


def test_calling_it_twice_adds_exactly_twice() -> None:
    x = leaf(0.1, 0.2, 0.3)
    out = F.sum(F.exp(x) * x)
    out.backward()
    once = grad_of(x)
    kept = once.copy()
    out.backward()
    np.testing.assert_array_equal(grad_of(x), 2 * kept)
    np.testing.assert_array_equal(once, kept, "an array handed out before has changed")


def test_only_leaves_keep_a_gradient() -> None:
    x, constant = leaf(1.0, 2.0), Tensor([3.0, 4.0])
    y = x * constant
    F.sum(y).backward()
    assert y.grad is None and constant.grad is None
    assert grad_of(x).tolist() == [3.0, 4.0]


def test_a_leaf_can_be_its_own_root() -> None:
    x = Tensor(2.0, requires_grad=True)
    x.backward()
    x.backward(np.array(3.0))
    assert grad_of(x) == 4.0


def test_each_node_is_visited_once_after_all_its_consumers() -> None:
    visits: list[str] = []

    def node(name: str, *parents: Tensor) -> Tensor:
        def vjp(g: Any) -> list[Any]:
            visits.append(f"{name}:{g.item():g}")
            return [g] * len(parents)

        return from_op(np.ones(1, dtype=np.float32), parents, vjp, name)

    x = leaf(1.0)
    a = node("a", x)
    b = node("b", a)
    c = node("c", a, b, a)
    node("d", c, a, c).backward()
    assert visits == ["d:1", "c:2", "b:2", "a:7"]
    assert grad_of(x).item() == 7


def test_a_number_used_many_times_gets_every_share() -> None:
    x = Tensor(3.0, requires_grad=True)
    total = x
    for _ in range(4):
        total = total + x * 2
    total.backward()
    assert grad_of(x) == 9.0


def test_a_chain_of_a_hundred_thousand_ops_is_not_too_deep() -> None:
    x = leaf(0.0)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert y.data.item() == 100_000 and grad_of(x).item() == 1
    del y  # freeing the chain must not recurse either


def test_many_uses_of_one_tensor_take_time_in_proportion() -> None:
    x = leaf(*np.ones(4))
    F.sum(F.stack([x] * 20_000)).backward()
    assert grad_of(x).tolist() == [20_000.0] * 4


def test_none_from_a_vjp_passes_nothing_on() -> None:
    x, y = leaf(1.0), leaf(2.0)
    cut = from_op((x.data * y.data), (x * 1.0, y), lambda g: (None, g * 5), "half")
    cut.backward()
    assert x.grad is None and grad_of(y).item() == 5


def test_a_parent_that_needs_no_gradient_gets_none_whatever_the_vjp_says() -> None:
    x, constant = leaf(1.0), Tensor([1.0])
    from_op(x.data, (x, constant), lambda g: (g, "not even an array"), "odd").backward()
    assert grad_of(x).item() == 1 and constant.grad is None


def test_gradients_take_the_dtype_of_their_leaf() -> None:
    x = leaf(1.0, 2.0)
    from_op(x.data, (x,), lambda g: (g.astype(np.float64),)).backward([1.0, 1.0])
    assert grad_of(x).dtype == np.float32


def test_what_cannot_be_differentiated_says_so() -> None:
    with pytest.raises(RuntimeError, match="requires no grad"):
        Tensor([1.0]).backward()
    with pytest.raises(RuntimeError, match=r"\(2,\)"):
        (leaf(1.0, 2.0) * 2).backward()
    with pytest.raises(RuntimeError, match=r"\(3,\)"):
        (leaf(1.0, 2.0) * 2).backward(np.ones(3))


def test_one_element_of_any_shape_needs_no_grad_argument() -> None:
    x = Tensor([[2.0]], requires_grad=True)
    (x * x).backward()
    assert grad_of(x).tolist() == [[4.0]]


def test_a_vjp_of_the_wrong_shape_is_named() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"'squash'.*\(\)"):
        from_op(x.data, (x,), lambda g: (g.sum(),), "squash").backward([1.0, 1.0])
    with pytest.raises(RuntimeError, match=r"'forgot'"):
        from_op(x.data, (x, x), lambda g: (g,), "forgot").backward([1.0, 1.0])


SHARING = {
    "add": lambda a, b: a + b,
    "add, then add": lambda a, b: (a + b) + a,
    "sum": lambda a, b: F.sum(a + b),
    "concat": lambda a, b: F.concat([a, b]),
    "stack": lambda a, b: F.stack([a, b]),
    "reshape": lambda a, b: F.reshape(a, (2, 1)) + F.reshape(b, (2, 1)),
    "transpose": lambda a, b: F.transpose(F.stack([a, b])),
    "where": lambda a, b: F.where([True, False], a, b),
    "slices": lambda a, b: a[1:] + b[:1],
}


@pytest.mark.parametrize("make", SHARING.values(), ids=SHARING.keys())
def test_no_two_gradients_share_memory_and_all_can_be_written(make: Any) -> None:
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    out = make(a, b)
    upstream = np.ones(out.shape, dtype=np.float32)
    out.backward(upstream)
    before = grad_of(b).copy()
    assert not np.shares_memory(grad_of(a), grad_of(b))
    assert not np.shares_memory(grad_of(a), upstream) and not np.shares_memory(grad_of(b), upstream)
    grad_of(a)[:] = 0.0  # in place, as clipping writes
    np.testing.assert_array_equal(grad_of(b), before)
    out.backward(upstream)
    np.testing.assert_array_equal(grad_of(b), 2 * before)


def test_a_given_gradient_is_only_read() -> None:
    x = leaf(1.0, 2.0)
    given = np.array([1.0, 2.0], dtype=np.float32)
    given.flags.writeable = False
    (x + x + x).backward(given)
    assert given.tolist() == [1.0, 2.0] and grad_of(x).tolist() == [3.0, 6.0]
