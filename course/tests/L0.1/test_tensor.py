"""Course tests of L0.1, the tensor and the tape: the first failure says most.

They measure with the frozen kit alone, and use no op but the tensor's own and those made here with from_op. The
ids s01 .. s23 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import gc
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_close, assert_equal, central_differences, golden, returned
from tinyllm.autograd.mode import is_grad_enabled, no_grad
from tinyllm.autograd.tensor import Tensor, from_op

Binary = Callable[[Any, Any], Any]

ARITHMETIC: list[Binary] = [operator.add, operator.sub, operator.mul, operator.truediv]
LAST_ONLY = "this is the last share alone: a tensor used in several places gets the sum of all shares"


def float32(values: Any) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def leaf(values: Any, dtype: Any = np.float32) -> Tensor:
    return Tensor(values, requires_grad=True, dtype=dtype)


def drawn(rng: PCG32, *shape: int, dtype: Any = np.float32) -> Tensor:
    """A leaf with values from 0.5 to 2: no sum of them cancels, and no power or quotient is wild."""
    return leaf(0.5 + 1.5 * rng.uniforms(int(np.prod(shape))).reshape(shape), dtype)


def grad_of(tensor: Tensor) -> NDArray[Any]:
    """The gradient that backward left in a leaf."""
    if tensor.grad is None:
        raise AssertionError("a leaf got no gradient: nothing leads from the result back to it")
    return tensor.grad


def refuses(error: type[Exception], call: Callable[..., Any], *args: Any) -> str:
    """The message of this error, and no other outcome; a body not written yet is no refusal."""
    with pytest.raises(error) as caught:
        call(*args)
    assert not isinstance(caught.value, NotImplementedError), "it is not written yet"
    return str(caught.value)


def shared(a: Any, b: Any) -> Any:
    """c feeds three ops, and one of them again."""
    c = a * b
    return c * returned(a + c, "a + c") / returned(c * c + 1, "c * c + 1")


EXPRESSIONS: dict[str, Binary] = {
    "rows": operator.add,
    "outer": operator.mul,
    "difference": operator.sub,
    "quotient": operator.truediv,
    "numbers": lambda a, b: 2.5 - returned(a * 3, "a * 3") / returned(1 / b, "1 / b"),
    "powers": lambda a, b: returned(returned(-(a**3), "-(a ** 3)") + b**-1.5, "the sum") - a**0.5,
    "matrices": operator.matmul,
    "row by matrix": operator.matmul,
    "matrix by column": operator.matmul,
    "row by column": operator.matmul,
    "stacks": operator.matmul,
    "slices": lambda a, b: a[:, 1:] * b[:, None],
    "rows again": lambda a, b: a[[0, 2, 0, 1, 0]] * b,
    "pairs": lambda a, b: a[[0, 1, 0], [1, 3, 1]] - b,
    "shared": shared,
}


def test_a_leaf_holds_a_float32_copy() -> None:
    """Data is copied, and float32 unless you say otherwise: a batch changed later must not change a weight.

    Catches s20, a leaf that looks into the caller's own array.
    """
    source = float32([[1, 2, 3], [4, 5, 6]])
    x = Tensor(source)
    source[0, 0] = 9
    shared_array = float32([[9, 2, 3], [4, 5, 6]])
    wrong = {"this is the caller's array, changed after the leaf was made": shared_array}
    assert_equal(x.data, float32([[1, 2, 3], [4, 5, 6]]), of="the data", known_wrong=wrong)
    assert (x.shape, x.dtype, x.ndim, len(x)) == ((2, 3), np.dtype(np.float32), 2, 2)
    assert x.grad is None and x.requires_grad is False and x.numpy() is x.data
    assert_equal(Tensor([1, 2]).data, float32([1, 2]))
    assert_equal(Tensor(np.zeros(2)).data, float32([0, 0]), of="the data made from float64")
    assert_equal(Tensor([1, 2], dtype=np.float64).data, np.array([1.0, 2.0]))
    again = Tensor(x, requires_grad=True)
    assert_equal(again.data, x.data)
    assert again.requires_grad and not np.shares_memory(again.data, x.data)
    refuses(TypeError, lambda: Tensor([1, 2], dtype=np.int64))
    refuses(TypeError, len, Tensor(1.0))


def test_hand_example_of_numbers() -> None:
    """a = 2, b = -3, c = a b, L = c (a + c) = 24: da = 24 and db = -20, each the sum of two paths.

    Catches s01 (shares overwritten) and s02 (c is handed on before both its shares have come).
    """
    a, b = leaf(2.0), leaf(-3.0)
    c = returned(a * b, "a * b")
    loss = c * returned(a + c, "a + c")
    loss.backward()
    assert_equal(loss.data, float32(24), of="L")
    bare = [each for each in (loss.data, a.grad, b.grad) if not isinstance(each, np.ndarray)]
    assert not bare, f"a single number is an array too, of shape (), and not {bare}"
    early = (
        "c's gradient was handed on before the share from a + c had come: visit a node after all made from it"
    )
    assert_equal(grad_of(a), float32(24), of="da", known_wrong={LAST_ONLY: 18.0, early: 6.0})
    assert_equal(grad_of(b), float32(-20), of="db", known_wrong={LAST_ONLY: -12.0, early: -8.0})


def test_hand_example_of_matrices() -> None:
    """y = (x w + b)^2 with upstream 1 and 2: dw = -7 -10, db = -3 and dx, as worked in the chapter.

    It is what a layer does. Catches s06: b stands in both rows, so it gets the sum of their shares, not the mean.
    """
    x, w, b = leaf([[1, 2], [3, 4]]), leaf([[1], [-1]]), leaf([0.5])
    y = returned(returned(x @ w, "x @ w") + b, "x @ w + b") ** 2
    y.backward([[1.0], [2.0]])
    assert_equal(y.data, float32([[0.25], [0.25]]), of="y")
    assert_equal(grad_of(w), float32([[-7], [-10]]), of="dw")
    assert_equal(grad_of(x), float32([[-1, 1], [-2, 2]]), of="dx")
    mean = (
        "this is the mean over the rows: b was copied into each of them, so it gets the sum of their shares"
    )
    assert_equal(grad_of(b), float32([-3]), of="db", known_wrong={mean: [-1.5]})


def test_each_node_waits_for_all_its_consumers() -> None:
    """Each vjp runs once, with all the shares of its result: else a skip connection loses one path.

    Catches s01 (the last share alone arrives) and s02 (nodes in order of their distance from the result).
    """
    visits: list[tuple[str, float]] = []

    def node(name: str, *parents: Tensor) -> Tensor:
        def vjp(g: NDArray[Any]) -> list[NDArray[Any]]:
            visits.append((name, float(g.item())))
            return [g] * len(parents)

        return from_op(np.ones(1, dtype=np.float32), parents, vjp, name)

    x = leaf([1.0])
    a = node("a", x)
    b = node("b", a)
    c = node("c", a, b, a)
    node("d", c, a, c).backward()
    assert visits == [("d", 1.0), ("c", 2.0), ("b", 2.0), ("a", 7.0)]
    assert_equal(grad_of(x), float32([7]), of="dx")


def test_a_second_backward_adds_the_same_again() -> None:
    """Twice is exactly twice, in leaves and nowhere else: a batch may be split into several backwards.

    Catches s03 (the second replaces the first) and s04 (inner nodes keep a gradient, and hand it on again).
    """
    c = float32([3, 4, 5])
    x, constant = leaf([0.1, 0.2, 0.3]), Tensor(c)
    y = x * constant
    z = y * x + y
    z.backward([1.0, 1.0, 1.0])
    once = grad_of(x).copy()
    assert_close(once, float32([3.6, 5.6, 8.0]), rtol=1e-6, atol=0, of="dx")
    z.backward([1.0, 1.0, 1.0])
    wrong: Any = {
        "this is one backward's gradient: the second replaced it, and should have been added": once,
        "results of ops kept the first backward's gradient, and handed it on again": x.data * c * 9 + 4 * c,
    }
    assert_close(grad_of(x), 2 * once, rtol=1e-6, atol=0, of="dx after two", known_wrong=wrong)
    assert_equal(grad_of(x), 2 * once, of="dx after two")
    assert y.grad is None and z.grad is None and constant.grad is None
    (x * 2).backward([1.0, 1.0, 1.0])
    assert_close(grad_of(x), 2 * once + 2, rtol=1e-6, atol=0, of="dx after another graph")


@pytest.mark.parametrize(
    ("a", "b"), [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((1,), (3,)), ((2, 1, 4), (3, 1))]
)
def test_an_operand_of_another_shape_gets_the_sum_over_its_copies(
    a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    """What broadcasting copied forward is summed backward, over axes added and axes stretched: every bias is.

    Catches s05 (axes of size 1 that were stretched are not summed back) and s06 (a mean in place of the sum).
    """
    rng = PCG32(3)
    left, right = drawn(rng, *a), drawn(rng, *b)
    out = left * right
    upstream = np.arange(1, out.data.size + 1, dtype=np.float32).reshape(out.shape)
    out.backward(upstream)
    for tensor, other in ((left, right), (right, left)):
        shares = np.broadcast_to(upstream * other.data, out.shape)
        added = len(out.shape) - tensor.ndim
        stretched = tuple(i + added for i, n in enumerate(tensor.shape) if n == 1)
        copied = (*range(added), *stretched)
        want = shares.sum(axis=copied).reshape(tensor.shape)
        wrong = {
            "this is the mean over the copies, and not their sum": shares.mean(axis=copied).reshape(
                tensor.shape
            )
        }
        told = f"the gradient of shape {tensor.shape}"
        assert_close(grad_of(tensor), want, rtol=1e-6, atol=0, of=told, known_wrong=wrong)


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        slice(0, 2),
        (slice(None), 1),
        (None, ...),
        [0, 2, 0, 0],
        (slice(None), [0, 2, 0]),
        (1, [3, 3]),
        ([0, 1, 0], [1, 3, 1]),
        [True, False, True],
    ],
    ids=str,
)
def test_each_read_of_a_place_counts(index: Any) -> None:
    """A place read k times gets the sum of k gradients: a token that stands twice in a window teaches twice.

    Catches s07, where the last of the k overwrites the others.
    """
    x = drawn(PCG32(5), 3, 4)
    out = x[index]
    assert_equal(out.data, x.data[index], of="the result")
    upstream = np.arange(1, out.data.size + 1, dtype=np.float32).reshape(out.shape)
    out.backward(upstream)
    want, overwritten = np.zeros((3, 4), dtype=np.float32), np.zeros((3, 4), dtype=np.float32)
    np.add.at(want, index, upstream)
    overwritten[index] = upstream
    wrong = {"a place that was read again kept its last gradient only, and should have the sum": overwritten}
    assert_equal(grad_of(x), want, of="dx", known_wrong=wrong)


SHARING: dict[str, Binary] = {
    "a + b": operator.add,
    "(a + b) + a": lambda a, b: (a + b) + a,
    "(a + b) + (a + b)": lambda a, b: (a + b) + (a + b),
    "a - b": operator.sub,
    "handed on": lambda a, b: from_op(a.data + b.data, (a, b), lambda g: (g, g), "handed on"),
    "one view": lambda a, b: from_op(a.data + b.data, (a, b), lambda g: (g[:], g[:]), "one view"),
    "two views": lambda a, b: from_op(
        np.append(a.data, b.data), (a, b), lambda g: (g[:2], g[2:]), "two views"
    ),
}


@pytest.mark.parametrize("make", SHARING.values(), ids=SHARING)
def test_no_two_gradients_share_memory(make: Binary) -> None:
    """A gradient is scaled in place by clipping: that must change no other leaf's, nor the caller's array.

    Catches s08 (shares added into an array that another op holds too) and s09 (two leaves keep one array).
    """
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    out = make(a, b)
    upstream = np.arange(1, out.data.size + 1, dtype=np.float32)
    given = upstream.copy()
    out.backward(upstream)
    assert_equal(upstream, given, of="the gradient that backward was given")
    first = {"a": grad_of(a).copy(), "b": grad_of(b).copy()}
    for name, tensor in (("a", a), ("b", b)):
        numeric = np.array([sum_of_row(make, a, b, tensor, i, upstream) for i in range(2)], dtype=np.float32)
        assert_close(first[name], numeric, rtol=1e-5, atol=1e-6, of=f"d{name}")
    assert not np.shares_memory(grad_of(a), grad_of(b)), "two leaves keep one array as their gradient"
    assert not np.shares_memory(grad_of(a), upstream) and not np.shares_memory(grad_of(b), upstream)
    grad_of(a)[...] = 0.0
    assert_equal(grad_of(b), first["b"], of="db after da was written to")


def sum_of_row(make: Binary, a: Tensor, b: Tensor, tensor: Tensor, i: int, upstream: NDArray[Any]) -> float:
    """The derivative along one entry: these functions are linear, so a step of 1 is exact."""
    moved = [Tensor(each.data.copy()) for each in (a, b)]
    moved[0 if tensor is a else 1].data[i] += 1
    return float(((make(*moved).data - make(a, b).data) * upstream).sum())


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_golden_torch(name: str) -> None:
    """Results and gradients of fifteen expressions as torch has them, from the same inputs.

    Broadcasting, numbers on either side, powers, products of vectors, matrices and stacks, places read again.
    Catches s01, s02, s10, s11 and others by their values.
    """
    expected = golden("L0.1/tensor.safetensors")
    told = {
        key.removeprefix(f"{name}/"): value
        for key, value in expected.tensors.items()
        if key.startswith(f"{name}/")
    }
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    a, b = leaf(told["a"]), leaf(told["b"])
    out = EXPRESSIONS[name](a, b)
    assert_close(out.data, told["out"], **near, of=f"the result of {name}")
    out.backward(told["upstream"])
    assert_close(grad_of(a), told["grad/a"], **near, of=f"da of {name}")
    assert_close(grad_of(b), told["grad/b"], **near, of=f"db of {name}")


SHAPES = {
    "stacks": ((2, 1, 3, 4), (2, 4, 2)), "matrices": ((3, 4), (4, 2)), "row by matrix": ((4,), (4, 2)),
    "matrix by column": ((3, 4), (4,)), "row by column": ((4,), (4,)), "slices": ((3, 4), (3,)),
    "rows again": ((3, 4), (5, 4)), "pairs": ((3, 4), (3,)),
    "row by stack": ((3,), (2, 3, 4)), "stack by column": ((2, 3, 4), (4,)), "stack by stack": ((2, 3, 4), (2, 4, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", [*EXPRESSIONS, "row by stack", "stack by column", "stack by stack"])
def test_gradcheck_every_op(name: str) -> None:
    """Every gradient against central differences in float64, where a formula that is nearly right shows.

    Catches s10 (the denominator's) and s12 (the transposed stack), whatever the values are.
    """
    rng, (one, other) = PCG32(7), SHAPES.get(name, ((2, 3), (3,)))
    a, b = drawn(rng, *one, dtype=np.float64), drawn(rng, *other, dtype=np.float64)
    op = EXPRESSIONS.get(name, operator.matmul)
    out = op(a, b)
    weights = 1 + rng.uniforms(out.data.size).reshape(out.shape)
    out.backward(weights)
    for tensor, of in ((a, "da"), (b, "db")):
        numeric = central_differences(lambda: float((op(a, b).data * weights).sum()), tensor.data)
        assert_close(grad_of(tensor), numeric, rtol=1e-6, atol=1e-8, of=f"{of} of {name}")


def random_graph(rng: PCG32, leaves: list[Tensor], ops: int) -> Tensor:
    """Op upon op, each on two tensors made before; the result gathers the last three."""
    made: list[Any] = list(leaves)
    for _ in range(ops):
        a, b = made[rng.below(len(made))], made[rng.below(len(made))]
        kind = rng.below(4)
        safe = b * b + 1.0  # never near 0
        made.append([a + b * 0.5, a - b, a * b / safe, a / safe][kind])
    result: Tensor = made[-1] + made[-2] * made[-3] / (made[-3] * made[-3] + 1.0)
    return result


@pytest.mark.parametrize("seed", range(6))
def test_random_graphs_agree_with_central_differences(seed: int) -> None:
    """Graphs that no one drew by hand: diamonds, skips, leaves of three shapes used many times or never.

    Catches s01 and s02, which a straight chain of ops does not show.
    """
    leaves = [
        drawn(PCG32(100 + seed + i), *shape, dtype=np.float64)
        for i, shape in enumerate([(2, 3), (3,), (2, 1)])
    ]
    weights = 1 + PCG32(9).uniforms(6).reshape(2, 3)

    def result() -> Any:
        return random_graph(PCG32(seed), leaves, 7) * weights + leaves[0] + leaves[1] + leaves[2]

    result().backward(np.ones((2, 3)))
    for place, tensor in enumerate(leaves):
        numeric = central_differences(lambda: float(result().data.sum()), tensor.data)
        assert_close(grad_of(tensor), numeric, rtol=1e-6, atol=1e-8, of=f"the gradient of leaf {place}")


@pytest.mark.parametrize("shape", [(), (3,)], ids=str)
def test_float32_stays_float32(shape: tuple[int, ...]) -> None:
    """A number or array that meets a tensor takes its dtype: one float64 doubles the time of all that follows.

    In float64 leaves all is float64: gradient checks need it. Catches s13, operands that keep their own dtype.
    """
    numbers = [2, 2.5, np.float64(2.5), np.int64(2), np.full(shape, 2.5)]
    for dtype in (np.float32, np.float64):
        for number in numbers:
            x = drawn(PCG32(1), *shape, dtype=dtype)
            for op in ARITHMETIC:
                for out in (op(x, number), op(number, x)):
                    assert (out.dtype, out.shape) == (np.dtype(dtype), shape), f"{op.__name__} of {number!r}"
            out = -(x ** np.float64(0.5)) * number + x**2
            out.backward(np.ones(shape))
            assert (out.dtype, grad_of(x).dtype) == (np.dtype(dtype), np.dtype(dtype))
    tenth = leaf(np.zeros(shape), np.float64) + 0.1
    assert_equal(tenth.data, np.full(shape, 0.1), of="0 + 0.1 in float64")
    x = drawn(PCG32(1), *shape)
    from_op(x.data, (x,), lambda g: (g.astype(np.float64),), "wide").backward(np.ones(shape))
    assert grad_of(x).dtype == np.float32, "a gradient has the dtype of its leaf"


@pytest.mark.parametrize("op", [*ARITHMETIC, operator.matmul], ids=lambda op: op.__name__)
def test_arrays_and_numbers_may_stand_on_the_left(op: Binary) -> None:
    """array + tensor is a Tensor, and 1 - x is not x - 1: losses are written with the constant in front.

    Catches s11 (the operands exchanged) and s14 (numpy takes the tensor apart, or refuses it).
    """
    array = float32([[1.0, 2.0], [3.0, 5.0]])
    x = leaf([[2.0, 0.5], [4.0, -1.0]])
    out = op(array, x)
    assert isinstance(out, Tensor) and out.requires_grad, "an array on the left makes no recorded Tensor"
    wrong: Any = {"this is the tensor first, then the array: on the left stands the array": op(x.data, array)}
    assert_close(out.data, op(array, x.data), rtol=1e-6, atol=0, of="array, then tensor", known_wrong=wrong)
    if op is not operator.matmul:
        wrong = {"this is the tensor first, then the number": op(x.data, np.float32(3))}
        assert_close(
            op(3, x).data, op(np.float32(3), x.data), rtol=1e-6, atol=0, of="number", known_wrong=wrong
        )
    assert_close(op(x, array).data, op(x.data, array), rtol=1e-6, atol=0, of="tensor, then array")
    refuses(ValueError, operator.matmul, x, leaf([[1.0, 2.0]]))


def test_a_power_has_one_number_for_its_exponent() -> None:
    """x ** 0 is 1 with gradient 0, at x = 0 too: one NaN there spreads over every weight in a step.

    Catches s15, the rule n x^(n-1) taken at its word.
    """
    x = leaf([0.0, 2.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        (x**0).backward([1.0, 1.0])
    assert_equal(grad_of(x), float32([0, 0]), of="d(x ** 0)")
    y = leaf([0.0, -3.0])
    (y**1).backward([1.0, 1.0])
    (y**3).backward([1.0, 1.0])
    assert_equal(grad_of(y), float32([1, 28]), of="d(y ** 1 + y ** 3)")
    for exponent in (x, [1, 2], np.ones(2), "2"):
        refuses(TypeError, operator.pow, x, exponent)


def test_a_chain_of_thousands_of_ops() -> None:
    """Backward goes through 20,000 ops in a row: a long sequence is no deeper than your memory.

    Catches s16, a search that calls itself for each op and meets Python's limit of a thousand calls.
    """
    x = leaf([1.0])
    y: Any = x
    for _ in range(20_000):
        y = y + 1.0
    y.backward()
    assert_equal(y.data, float32([20_001]))
    assert_equal(grad_of(x), float32([1]), of="dx")


def test_from_op_is_the_seam_of_every_op() -> None:
    """vjp gets data's gradient and answers each parent; a wrong answer is named, not handed on.

    Every later op is made with it. Catches s22, a gradient of the wrong shape that nobody looks at.
    """
    x, y, constant = leaf([1.0, 2.0]), leaf([3.0, 4.0]), Tensor([5.0, 6.0])
    seen: list[tuple[tuple[int, ...], Any]] = []

    def vjp(g: NDArray[Any]) -> tuple[Any, ...]:
        seen.append((g.shape, g.dtype))
        return None, g * 5, g

    data = x.data * y.data
    out = from_op(data, (x, y, constant), vjp, "half")
    assert np.shares_memory(out.data, data) and out.requires_grad and not seen
    out.backward(np.ones(2))
    assert seen == [((2,), np.dtype(np.float32))]
    assert x.grad is None and constant.grad is None, "None passes nothing on, and a constant gets nothing"
    assert_equal(grad_of(y), float32([5, 5]), of="dy")
    assert not from_op(constant.data, (constant,), vjp, "constant").requires_grad
    parents = [x * 1, y * 1, x * 2]  # whatever their order, one that gets nothing does not end the walk
    skipping = from_op(data, parents, lambda g: (part for part in (None, g, None)), "skipping")
    parents.clear()  # the caller's list is not the node's
    skipping.backward(np.ones(2))
    assert x.grad is None
    assert_equal(grad_of(y), float32([6, 6]), of="dy")
    for name, wrong in (
        ("squash", lambda g: (g.sum(),)),
        ("widen", lambda g: (g[None],)),
        ("forgot", lambda g: ()),
    ):
        told = refuses(RuntimeError, from_op(x.data, (x,), wrong, name).backward, [1.0, 1.0])
        assert name in told, f"the message does not name the op {name}: {told}"
    refuses(TypeError, from_op, np.array([1, 2]), (), vjp)


def test_backward_refuses_what_has_no_one_gradient() -> None:
    """Several numbers have no one gradient, a constant has none, and a grad has the result's shape.

    A forgotten mean must fail here, not train at a hundred times the rate. Catches s21, ones taken for granted.
    """
    x = leaf([1.0, 2.0])
    refuses(RuntimeError, (x * 2).backward)
    refuses(RuntimeError, (x * 2).backward, [1.0, 1.0, 1.0])
    refuses(RuntimeError, (x * 2).backward, 1.0)
    refuses(RuntimeError, Tensor([1.0]).backward)
    one = leaf([[3.0]])
    (one * one).backward()
    assert_equal(grad_of(one), float32([[6]]), of="a result of shape (1, 1) needs no grad")
    root = leaf(2.0)
    root.backward()
    root.backward(np.array(3.0))
    assert_equal(grad_of(root), float32(4), of="a leaf that is its own result")
    assert isinstance(root.grad, np.ndarray), f"a sum of two gradients is an array, and not {root.grad!r}"


class Forgettable:
    """A vjp that counts how many of it are kept."""

    alive = 0

    def __init__(self) -> None:
        Forgettable.alive += 1

    def __del__(self) -> None:
        Forgettable.alive -= 1

    def __call__(self, g: NDArray[Any]) -> tuple[NDArray[Any]]:
        return (g,)


def test_no_grad_records_nothing_and_restores_what_was() -> None:
    """Inside, ops give constants; at the end it is as before, not simply on, after an error too.

    One lost switch and training stops learning in silence. Catches s17 (inner block turns recording on), s18
    (an error leaves it off) and s23 (a detached tensor that still leads back).
    """
    x = leaf([1.0, 2.0])
    assert is_grad_enabled() is True
    with no_grad():
        assert is_grad_enabled() is False and not (x * x).requires_grad
        with no_grad():
            pass
        assert is_grad_enabled() is False, (
            "an inner block ended, and recording was turned on in the outer one"
        )
        inside = leaf([3.0])
    assert is_grad_enabled() is True and (x * x).requires_grad and inside.requires_grad
    with no_grad():
        kept = from_op(x.data, (x,), Forgettable(), "kept")
    gc.collect()
    assert not kept.requires_grad and Forgettable.alive == 0, "what backward would need is kept for nothing"
    with pytest.raises(KeyError), no_grad():
        raise KeyError
    assert is_grad_enabled(), "after an error inside, nothing is recorded any more"

    @no_grad()
    def depth(n: int) -> list[bool]:
        return [is_grad_enabled(), *(depth(n - 1) if n else [])]

    assert [depth(2), depth(0), [is_grad_enabled()]] == [[False] * 3, [False], [True]]
    constant = x.detach()
    assert np.shares_memory(constant.data, x.data) and not constant.requires_grad
    (x * constant).backward([1.0, 1.0])
    assert_equal(grad_of(x), float32([1, 2]), of="dx of x times x.detach()")


def test_no_grad_holds_for_its_own_thread() -> None:
    """While one thread evaluates, another trains: the switch is each thread's own, on at first.

    Catches s19, one switch for all of them.
    """
    x, seen = leaf([1.0]), []

    def other() -> None:
        seen.append((is_grad_enabled(), (x * 2).requires_grad))

    with no_grad():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        seen.append((is_grad_enabled(), (x * 2).requires_grad))
    assert seen == [(True, True), (False, False)]
