"""Course tests of L0.2, the op library: the first failure says most.

They measure with the frozen kit alone, on tensors of L0.1. The ids s01 .. s31 name the mutants that a test is
there to catch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_close, assert_equal, central_differences, golden
from tinyllm.autograd import functional as F
from tinyllm.autograd.tensor import Tensor

Array = NDArray[Any]

MASK = np.array([[True, False, False], [False, False, True]])
INDEX = np.array([[0, 0, 2], [2, 1, 1]])
EVERY_OP: dict[str, Callable[..., Tensor]] = {
    "exp": F.exp,
    "log": F.log,
    "tanh": F.tanh,
    "sigmoid": F.sigmoid,
    "relu": F.relu,
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
    "sum": lambda x: F.sum(x, axis=1),
    "mean": lambda x: F.mean(x, axis=1, keepdims=True),
    "max": lambda x: F.max(x, axis=0),
    "var": lambda x: F.var(x, axis=-1),
    "reshape": lambda x: F.reshape(x, (3, -1)),
    "transpose": F.transpose,
    "permute": lambda x: F.permute(x, (2, 0, 1)),
    "concat": lambda x, y: F.concat([x, y]),
    "stack": lambda x, y: F.stack([x, y], axis=1),
    "where": lambda x, y: F.where(MASK, x, y),
    "gather": lambda x: F.gather(x, INDEX),
    "gather 0": lambda x: F.gather(x, [[1, 0, 1], [1, 1, 1], [0, 0, 1]], axis=0),
    "embedding": lambda x: F.embedding(x, [[1, 1], [0, 1]]),
    "masked_fill": lambda x: F.masked_fill(x, MASK, -9.0),
    "softmax": F.softmax,
    "softmax 0": lambda x: F.softmax(x, axis=0),
    "log_softmax": F.log_softmax,
    "logsumexp": lambda x: F.logsumexp(x, keepdims=True),
    "matmul": F.matmul,
    "dropout": lambda x: F.dropout(x, 0.4, True, PCG32(1)),
}
SHAPES: dict[str, list[tuple[int, ...]]] = {
    "permute": [(2, 3, 4)],
    "concat": [(1, 3), (2, 3)],
    "stack": [(2, 3), (2, 3)],
    "where": [(2, 3), (1, 3)],
    "matmul": [(2, 3), (3, 4)],
}
OVERWRITTEN = "a place that was read twice got one gradient only: the second was to be added to the first"
SQUARE = [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0], [64.0, 128.0, 256.0]]  # every sum tells what was added


def float32(values: Any) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def leaf(values: Any, dtype: Any = np.float32) -> Tensor:
    return Tensor(values, requires_grad=True, dtype=dtype)


def grad_of(tensor: Tensor, of: str = "the tensor") -> Array:
    """The gradient that backward left there."""
    if tensor.grad is None:
        raise AssertionError(f"{of} got no gradient: nothing leads from the result back to it")
    return tensor.grad


def pulled(op: Callable[[Tensor], Tensor], values: Any, upstream: Any) -> Array:
    """The gradient at a float32 leaf of these values, when the op's result gets this one."""
    x = leaf(values)
    op(x).backward(upstream)
    return grad_of(x)


def drawn(rng: PCG32, *shape: int) -> NDArray[np.float64]:
    """Values in (-2, 2), at least 0.05 away from 0, where relu has a corner."""
    values = 4 * rng.uniforms(math.prod(shape)).reshape(shape) - 2
    return np.asarray(values + np.where(values < 0, -0.05, 0.05))


def inputs_of(name: str, dtype: Any) -> list[Tensor]:
    """Leaves for one op of EVERY_OP; the logarithm's are positive."""
    rng = PCG32(7)
    values = [drawn(rng, *shape) for shape in SHAPES.get(name, [(2, 3)])]
    return [leaf(np.abs(each) if name == "log" else each, dtype) for each in values]


def weights_for(out: Tensor) -> NDArray[np.float64]:
    """An upstream gradient of the result's shape, no two values alike."""
    return drawn(PCG32(8), *out.shape)


def test_hand_example() -> None:
    """The chapter's look-up, tanh, softmax and gather, and the gradient back at the table, of which b gets none.

    Catches s01 (the row of a, read twice, keeps one share) and s03 (the softmax's slope by its diagonal alone).
    """
    table = leaf([[0.5, -0.5], [9.0, 9.0], [1.0, 0.0]])
    rows = F.embedding(table, [0, 2, 0])
    p = F.softmax(F.tanh(rows))
    chosen = F.gather(p, [[0], [1], [0]])
    assert_equal(rows.data, float32([[0.5, -0.5], [1.0, 0.0], [0.5, -0.5]]), of="the rows")
    wanted = [[0.715904, 0.284096], [0.681700, 0.318300], [0.715904, 0.284096]]
    assert_close(p.data, float32(wanted), rtol=0, atol=1e-6, of="the softmax")
    chosen.backward([[1.0], [2.0], [3.0]])
    b, c = [0.0, 0.0], [-0.182256, 0.433970]
    wrong = {
        "the row of a, read twice, kept the share of one place only: each place adds its own": [
            [0.479856, -0.479856], b, c,
        ],
        "these come from p (1 - p), the diagonal of the softmax's slope: each p depends on every x": [
            [0.639808, 0.0], b, [0.0, 0.433970],
        ],
    }  # fmt: skip
    want = float32([[0.639808, -0.639808], b, c])
    assert_close(grad_of(table), want, rtol=0, atol=2e-6, of="the table's gradient", known_wrong=wrong)


def test_elementwise_values() -> None:
    """Each function of one number, against its definition: the same curve on both sides of 0.

    Catches s21 (gelu by tanh when it was to be exact: 1e-4 off).
    """
    points = [-3.0, -1.0, -0.25, 0.0, 0.5, 2.0]
    phi = [0.5 * (1 + math.erf(x / math.sqrt(2))) for x in points]
    about = [0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) for x in points]
    by_tanh = [x * share for x, share in zip(points, about, strict=True)]
    exact = [x * share for x, share in zip(points, phi, strict=True)]
    logistic = [1 / (1 + math.exp(-x)) for x in points]
    wanted: dict[str, list[float]] = {
        "exp": [math.exp(x) for x in points],
        "tanh": [math.tanh(x) for x in points],
        "sigmoid": logistic,
        "relu": [0.0, 0.0, 0.0, 0.0, 0.5, 2.0],
        "silu": [x * s for x, s in zip(points, logistic, strict=True)],
        "gelu": exact,
        "gelu tanh": by_tanh,
    }
    swapped: Any = {"gelu": {"this is the approximation by tanh: without a word gelu is exact": by_tanh}}
    for name, want in wanted.items():
        got, wrong = EVERY_OP[name](Tensor(points)).data, swapped.get(name, {})
        assert_close(got, float32(want), rtol=2e-6, atol=1e-6, of=name, known_wrong=wrong)
    logs = F.log(Tensor([0.25, 1.0, 3.0])).data
    assert_close(logs, float32([math.log(0.25), 0.0, math.log(3)]), rtol=1e-6, atol=1e-7, of="log")
    with pytest.raises(ValueError):
        F.gelu(Tensor(points), "sigmoid")


@pytest.mark.parametrize("name", EVERY_OP)
def test_gradcheck_every_op(name: str) -> None:
    """Every op's gradient against central differences in float64: backward is the derivative of forward.

    Catches whatever has a wrong slope, as s03, s20, s19 and s28, and what draws anew at each call, as s08.
    """
    op, inputs = EVERY_OP[name], inputs_of(name, np.float64)
    out = op(*inputs)
    weights = weights_for(out)
    out.backward(weights)
    for place, x in enumerate(inputs):
        numeric = central_differences(lambda: float((op(*inputs).data * weights).sum()), x.data)
        assert_close(grad_of(x), numeric, rtol=1e-6, atol=1e-7, of=f"gradient {place} of {name}")


GOLDEN = [name for name in EVERY_OP if name != "dropout"]  # torch draws its own masks


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_torch(name: str) -> None:
    """Every op's result and gradients as torch has them: one meaning for one name, and weights that carry over.

    Catches s21, the approximate gelu in place of the exact, and s03, s16, s17, s20 and s19.
    """
    expected = golden("L0.2/ops.safetensors")
    values, near = expected.tensors, {"rtol": expected.rtol, "atol": expected.atol}
    inputs = [leaf(values[f"{name}/{i}"]) for i in range(len(SHAPES.get(name, [(2, 3)])))]
    out = EVERY_OP[name](*inputs)
    assert_close(out.data, values[f"{name}/out"], **near, of=f"the result of {name}")
    out.backward(values[f"{name}/upstream"])
    for i, x in enumerate(inputs):
        assert_close(grad_of(x), values[f"{name}/grad {i}"], **near, of=f"gradient {i} of {name}")


def test_float32_stays_float32() -> None:
    """Result and gradients keep the dtype, float64 too: one float64 number doubles the time of every step.

    Catches s22, a scale that is float64.
    """
    for name, dtype in itertools.product(EVERY_OP, (np.float32, np.float64)):
        inputs = inputs_of(name, dtype)
        out = EVERY_OP[name](*inputs)
        assert out.dtype == dtype, f"{name} of {np.dtype(dtype)} is {out.dtype}"
        out.backward(weights_for(out))
        assert {grad_of(x).dtype for x in inputs} == {np.dtype(dtype)}
    for name in ("exp", "tanh", "sigmoid", "relu", "silu", "gelu", "gelu tanh", "dropout"):
        assert EVERY_OP[name](leaf(0.5)).dtype == np.float32, f"{name} of a single float32 number"


def test_a_gradient_can_be_read_twice() -> None:
    """A second backward adds exactly the same, and a gradient shared by two ops reaches both whole.

    Catches s07 (the op writes into the gradient that it was given) and s08 (the mask is drawn anew).
    """
    for name, op in EVERY_OP.items():
        inputs, twins = inputs_of(name, np.float32), inputs_of(name, np.float32)
        out = op(*inputs)
        weights = float32(weights_for(out))
        out.backward(weights)
        once = [grad_of(x).copy() for x in inputs]
        out.backward(weights)
        for x, first in zip(inputs, once, strict=True):
            assert_close(grad_of(x), 2 * first, rtol=1e-6, atol=1e-7, of=f"two gradients of {name}")
        (op(*twins) + op(*twins)).backward(weights)  # one gradient goes to both
        for x, first in zip(twins, once, strict=True):
            assert_close(grad_of(x), 2 * first, rtol=1e-6, atol=1e-7, of=f"gradient of {name} used twice")


def test_reductions_of_a_square() -> None:
    """The reduced axis is the one that comes back: in a square matrix the other one fits as well, and is wrong.

    Catches s02 (a gradient spread along the wrong axis) and s16 (a mean over an axis divided by all values).
    """
    assert_equal(F.sum(Tensor(SQUARE), axis=1).data, float32([7.0, 56.0, 448.0]), of="sum, axis 1")
    assert_equal(F.sum(Tensor(SQUARE)).data, float32(511.0), of="sum over all axes")
    ninths = {"the sum of three values was divided by all nine": np.array([73, 146, 292]) / 9}
    means = F.mean(Tensor(SQUARE), axis=0).data
    want = float32(np.array([73, 146, 292]) / 3)
    assert_close(means, want, rtol=1e-6, atol=0, of="mean, axis 0", known_wrong=ninths)
    g = [1.0, 2.0, 3.0]
    rows = float32([[1.0] * 3, [2.0] * 3, [3.0] * 3])
    other = {"the gradient was spread along the other axis: row i gets upstream i": rows.T}
    got = pulled(lambda x: F.sum(x, axis=1), SQUARE, g)
    assert_equal(got, rows, of="gradient of sum, axis 1", known_wrong=other)
    assert_equal(pulled(lambda x: F.sum(x, axis=0), SQUARE, g), rows.T, of="gradient of sum, axis 0")
    got = pulled(lambda x: F.max(x, axis=1), SQUARE, g)
    assert_equal(got, float32([[0, 0, 1], [0, 0, 2], [0, 0, 3]]), of="gradient of max, axis 1")


def test_reductions_axes_and_keepdims() -> None:
    """One axis, several, negative ones and none, with and without keepdims: the shapes that layers rely on."""
    values = drawn(PCG32(3), 2, 3, 1, 4)  # an axis of size 1 goes only when it is named
    for op, numpy_op in ((F.sum, np.sum), (F.mean, np.mean), (F.max, np.max), (F.var, sample_variance)):
        for axis, keepdims in itertools.product((None, 0, 1, -1, (0, 2), (-1, 0)), (False, True)):
            want = float32(numpy_op(float32(values), axis=axis, keepdims=keepdims))
            got, of = op(leaf(values), axis=axis, keepdims=keepdims), f"axis {axis}, keepdims {keepdims}"
            assert_close(got.data, want, rtol=1e-5, atol=1e-6, of=f"{op.__name__}, {of}")
            got.backward(np.ones(want.shape))


def sample_variance(values: Array, axis: Any, keepdims: bool) -> Any:
    return values.var(axis=axis, keepdims=keepdims, ddof=1)


def test_equal_maxima_share_the_gradient() -> None:
    """k equal maxima get 1/k each, so that what comes back is what was sent. Catches s18 (each gets all)."""
    values, g = [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]], [1.0, 3.0]
    want = float32([[0.0, 0.5, 0.5], [1.0, 1.0, 1.0]])
    wrong: Any = {
        "every one of the equal maxima got the whole gradient": [[0.0, 1.0, 1.0], [3.0, 3.0, 3.0]],
        "the first of the equal maxima got the whole gradient": [[0.0, 1.0, 0.0], [3.0, 0.0, 0.0]],
    }
    got = pulled(lambda x: F.max(x, axis=1), values, g)
    assert_close(got, want, rtol=1e-6, atol=0, of="gradient of max", known_wrong=wrong)


def test_var_divides_by_n_minus_correction() -> None:
    """1, 2, 6 have the sum of squares 14: 7 by default, 14/3 for LayerNorm. Catches s17, which divides by n."""
    by_n = {"this is the sum of squares divided by n: the correction is 1 unless told": 14 / 3}
    values = Tensor([1.0, 2.0, 6.0])
    assert_close(F.var(values).data, float32(7.0), rtol=1e-6, atol=0, of="var", known_wrong=by_n)
    plain = F.var(values, correction=0).data
    assert_close(plain, float32(14 / 3), rtol=1e-6, atol=0, of="var with correction 0")


def test_reductions_of_nothing_are_refused() -> None:
    """A mean over no values is a caller's mistake and fails at the call; a sum of none is 0.

    Catches s30 (a variance of one value: 0/0).
    """
    empty = Tensor(np.ones((2, 0)))
    assert_equal(F.sum(empty, axis=1).data, float32([0.0, 0.0]), of="the sum of no values")
    for op in (F.mean, F.max, F.var):
        with pytest.raises(ValueError):
            op(empty, axis=1)
    with pytest.raises(ValueError):
        F.var(Tensor([[1.0], [2.0]]), axis=1)


def test_shape_ops_send_each_gradient_home() -> None:
    """Every value carries its own number out and back: reshape, transpose, permute, concat and stack move only.

    Catches s12 (a permutation undone by itself: right for two axes, wrong for three) and s27 (stack's axis lost).
    """
    x = float32(np.arange(24).reshape(2, 3, 4))
    turned = F.permute(Tensor(x), (1, 2, 0)).data
    assert_equal(turned, np.ascontiguousarray(x.transpose(1, 2, 0)), of="permute (1, 2, 0)")
    assert_equal(F.permute(Tensor(x), (-1, 0, 1)).data, x.transpose(2, 0, 1), of="permute (-1, 0, 1)")
    assert_equal(F.transpose(Tensor(x)).data, x.swapaxes(1, 2), of="transpose")
    assert_equal(F.transpose(Tensor(x), 0, 2).data, x.swapaxes(0, 2), of="transpose of axes 0 and 2")
    assert_equal(F.reshape(Tensor(x), (4, -1)).data, x.reshape(4, 6), of="reshape")
    cube = float32(np.arange(8).reshape(2, 2, 2))
    again = {
        "the gradient was permuted by the same axes again: the way home is the inverse": turned_again(cube)
    }
    back = pulled(lambda t: F.permute(t, (1, 2, 0)), cube, cube.transpose(1, 2, 0))
    assert_equal(back, cube, of="gradient of permute", known_wrong=again)
    back = pulled(lambda t: F.permute(t, (-1, 0, 1)), x, x.transpose(2, 0, 1))
    assert_equal(back, x, of="gradient of permute (-1, 0, 1)")
    for axis in (0, -1):
        parts = [leaf(x), leaf(x + 24)]
        F.concat(parts, axis=axis).backward(np.concatenate([x, x + 24], axis=axis))
        F.stack(parts, axis=axis).backward(np.stack([x, x + 24], axis=axis))
        assert_equal(grad_of(parts[0]), 2 * x, of=f"gradient of the first part, axis {axis}")
        assert_equal(grad_of(parts[1]), 2 * (x + 24), of=f"gradient of the second part, axis {axis}")
    parts = [leaf(x[:, :1]), leaf(x[:, 1:3]), leaf(x)]  # of three sizes
    F.concat(parts, axis=1).backward(np.concatenate([x, x], axis=1))
    for part in parts:
        assert_equal(grad_of(part), part.data, of=f"gradient of a part of shape {part.shape}")
    assert_equal(F.stack([Tensor(x), Tensor(x)]).data, np.stack([x, x]), of="stack")
    with pytest.raises(ValueError):
        F.reshape(Tensor(x), (5, 5))
    with pytest.raises(ValueError):
        F.concat([])


def turned_again(cube: Array) -> Array:
    return cube.transpose(1, 2, 0).transpose(1, 2, 0)


def test_where_sums_back_what_it_broadcast() -> None:
    """One number, or one row, stands for many places, and gets the sum of what they get.

    Catches s13 (a stretched axis is not summed).
    """
    a, b = leaf([[1.0, 2.0, 3.0]]), leaf(7.0)
    out = F.where(MASK, a, b)
    assert_equal(out.data, float32([[1.0, 7.0, 7.0], [7.0, 7.0, 3.0]]), of="the result")
    out.backward([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    assert_equal(grad_of(a), float32([[1.0, 0.0, 32.0]]), of="gradient of the row")
    assert_equal(grad_of(b), float32(30.0), of="gradient of the number")
    assert F.where(MASK, a, 2.5).dtype == np.float32
    tenth = F.where([True, False], leaf([1.0, 1.0], np.float64), 0.1)
    assert_equal(tenth.data, np.array([1.0, 0.1]), of="0.1 beside a float64 tensor")
    column = leaf([[1.0], [2.0], [3.0]])  # an axis is added to it, and another stretched
    F.where(np.ones((2, 3, 4)), column, 0.0).backward(np.arange(24.0).reshape(2, 3, 4))
    assert_equal(grad_of(column), float32([[60.0], [92.0], [124.0]]), of="gradient of the column")


def test_what_is_not_chosen_gets_nothing() -> None:
    """0, not 0 times something: an infinite gradient, or a NaN in the branch not taken, must not come through.

    Catches s14 (a gradient multiplied by the mask) and s26 (the mask turned round).
    """
    a, b = leaf([1.0, 2.0]), leaf([math.nan, 4.0])
    out = F.where([True, False], a, b)
    assert_equal(out.data, float32([1.0, 4.0]), of="where")
    out.backward([math.inf, math.inf])
    assert_equal(grad_of(a), float32([math.inf, 0.0]), of="gradient of what stands where true")
    assert_equal(grad_of(b), float32([0.0, math.inf]), of="gradient of what stands where false")
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    out = F.masked_fill(x, [True, False], -math.inf)  # the mask is broadcast
    assert_equal(out.data, float32([[-math.inf, 2.0], [-math.inf, 4.0]]), of="masked_fill")
    out.backward([[5.0, 6.0], [7.0, 8.0]])
    assert_equal(grad_of(x), float32([[0.0, 6.0], [0.0, 8.0]]), of="gradient of masked_fill")
    with pytest.raises(ValueError):
        F.masked_fill(leaf([1.0, 2.0]), [[True, False], [False, True]], 0.0)


def test_embedding_adds_up_repeated_ids() -> None:
    """A row read three times gets three gradients, an unread one exactly 0, in a table small or large.

    Catches s01, where the last one is kept.
    """
    g = float32([[1.0, 2.0], [4.0, 8.0], [16.0, 32.0], [64.0, 128.0]])
    pairs, nothing = np.array([[0, 0], [2, 0]], dtype=np.int32), np.zeros((3, 0), dtype=np.int64)
    for rows in (4, 200):  # many ids for its rows, or few; the last one is not read
        want = np.zeros((rows, 2), dtype=np.float32)
        want[0], want[2] = [69.0, 138.0], [16.0, 32.0]
        last = want.copy()
        last[0] = [64.0, 128.0]
        table = np.arange(2.0 * rows).reshape(rows, 2)
        assert_equal(F.embedding(Tensor(table), [[0, 2]]).data, float32([[[0, 1], [4, 5]]]), of="the rows")
        got = pulled(lambda w: F.embedding(w, [0, 0, 2, 0]), table, g)
        assert_equal(got, want, of=f"gradient of a table of {rows}", known_wrong={OVERWRITTEN: last})
        got = pulled(lambda w: F.embedding(w, pairs), table, g.reshape(2, 2, 2))
        assert_equal(got, want, of=f"gradient of a table of {rows}, from int32 ids in pairs")
        got = pulled(lambda w: F.embedding(w, nothing), table, np.ones((3, 0, 2)))
        assert_equal(got, np.zeros_like(want), of=f"gradient of a table of {rows} that nothing was read from")


def test_gather_along_every_axis() -> None:
    """One value for each index, along the axis that is named, and every gradient added up where it was read.

    Catches s11 (a repeated index keeps one) and s24 (the axis is not looked at).
    """
    index = [[2, 0, 0], [1, 1, 2], [0, 0, 0]]
    along0 = [[64.0, 2.0, 4.0], [8.0, 16.0, 256.0], [1.0, 2.0, 4.0]]
    along1 = [[4.0, 1.0, 1.0], [16.0, 16.0, 32.0], [64.0, 64.0, 64.0]]
    last = {"these were read along the last axis: axis 0 was named": along1}
    got = F.gather(Tensor(SQUARE), index, axis=0).data
    assert_equal(got, float32(along0), of="gather, axis 0", known_wrong=last)
    assert_equal(F.gather(Tensor(SQUARE), index).data, float32(along1), of="gather")
    assert_equal(F.gather(Tensor(SQUARE), index, axis=-2).data, float32(along0), of="gather, axis -2")
    cube = Tensor(np.arange(8.0).reshape(2, 2, 2))
    got = F.gather(cube, np.ones((2, 2, 1), dtype=np.uint8)).data
    assert_equal(got, cube.data[..., 1:], of="gather, the last axis of three")
    got = pulled(lambda x: F.gather(x, index), SQUARE, SQUARE)
    want = float32([[6.0, 0.0, 1.0], [0.0, 24.0, 32.0], [448.0, 0.0, 0.0]])
    overwritten = {OVERWRITTEN: [[4.0, 0.0, 1.0], [0.0, 16.0, 32.0], [256.0, 0.0, 0.0]]}
    assert_equal(got, want, of="gradient of gather", known_wrong=overwritten)


@pytest.mark.parametrize("ids", [[-1], [3], [0, 2, 7], [1.0], [[0], [-3]]])
def test_ids_that_are_no_rows_are_refused(ids: Any) -> None:
    """-1 is no id: numpy alone would read the last row, and a padding id would train it. Catches s06."""
    with pytest.raises(ValueError):
        F.embedding(Tensor(np.ones((3, 2))), ids)
    with pytest.raises(ValueError):
        F.gather(Tensor(np.ones(3)), np.ravel(ids))


def test_shapes_that_do_not_fit_are_refused() -> None:
    """A table that is no matrix, an index of another shape: the call fails, not the step after it.

    Catches s31 (gather broadcasts its index).
    """
    with pytest.raises(ValueError):
        F.embedding(Tensor(np.ones(3)), [0])
    for index in ([0, 1], [[0]], [[0], [0], [0]]):
        with pytest.raises(ValueError):
            F.gather(Tensor(np.ones((2, 3))), index)
    with pytest.raises(ValueError):
        F.stack([Tensor([1.0]), Tensor([1.0, 2.0])])
    with pytest.raises(ValueError):
        F.permute(Tensor(np.ones((2, 3))), (0, 0))


def test_sigmoid_at_both_ends() -> None:
    """No overflow at either end, and a small value is small, not 0: a rare gate still learns.

    Catches s23 (by tanh: 1 - 1 at -60).
    """
    with np.errstate(over="raise", invalid="raise"):
        got = F.sigmoid(Tensor([-60.0, 0.0, 60.0, 1000.0])).data
        ends = F.sigmoid(Tensor([-1000.0, 1000.0])).data
    gone = {"e^-60 has become 0: a difference of two numbers near 1 keeps none of it": [0.0, 0.5, 1.0, 1.0]}
    want = float32([math.exp(-60), 0.5, 1.0, 1.0])
    assert_close(got, want, rtol=1e-5, atol=0, of="sigmoid", known_wrong=gone)
    assert_equal(ends, float32([0.0, 1.0]), of="sigmoid at the ends")


def test_relu_is_flat_at_zero() -> None:
    """The derivative at 0 is 0 by convention, and an infinite gradient stays out. Catches s25 (1 at 0)."""
    one = {"at 0 the gradient came through: the derivative there is 0": [0.0, 7.0, 5.0]}
    got = pulled(F.relu, [-1.0, 0.0, 2.0], [3.0, 7.0, 5.0])
    assert_equal(got, float32([0.0, 0.0, 5.0]), of="gradient of relu", known_wrong=one)
    got = pulled(F.relu, [-1.0, 2.0], [math.inf, math.inf])
    assert_equal(got, float32([0.0, math.inf]), of="an infinite gradient of relu")


def test_softmax_along_an_axis() -> None:
    """Shares of 1, along the axis that is named; log_softmax and logsumexp are its logarithms; a shift is none.

    Catches s29 (the shares are those of the last axis).
    """
    x = drawn(PCG32(5), 2, 3, 1, 4)
    for axis in (0, 1, -1):
        total = np.exp(x).sum(axis=axis, keepdims=True)
        p, logs = F.softmax(Tensor(x), axis).data, F.log_softmax(Tensor(x), axis).data
        assert_close(p, float32(np.exp(x) / total), rtol=1e-5, atol=1e-7, of=f"softmax, axis {axis}")
        assert_close(logs, float32(x - np.log(total)), rtol=1e-5, atol=1e-6, of=f"log_softmax, axis {axis}")
        kept = F.logsumexp(Tensor(x), axis, keepdims=True).data
        assert_close(kept, float32(np.log(total)), rtol=1e-5, atol=1e-6, of=f"logsumexp, axis {axis}")
        bare = F.logsumexp(Tensor(x), axis).data
        assert_equal(bare, kept.squeeze(axis), of="logsumexp without keepdims")
    for op in (F.softmax, F.log_softmax, F.logsumexp):
        assert_equal(op(Tensor(x)).data, op(Tensor(x), -1).data, of=f"{op.__name__} without an axis")
    shifted = F.softmax(Tensor(x + 30)).data
    assert_close(shifted, F.softmax(Tensor(x)).data, rtol=1e-4, atol=1e-7, of="softmax of x + 30")


def test_softmax_of_large_values() -> None:
    """Logits of 1000 are ordinary late in training: e^1000 overflows unless the greatest is taken off first.

    Catches s04.
    """
    x = Tensor([[1000.0, 0.0, 1000.0], [-1000.0, -2000.0, -1000.0]])
    halves = float32([[0.5, 0.0, 0.5], [0.5, 0.0, 0.5]])
    assert_close(F.softmax(x).data, halves, rtol=1e-6, atol=0, of="softmax")
    tops = float32([1000 + math.log(2), -1000 + math.log(2)])
    assert_close(F.logsumexp(x).data, tops, rtol=1e-6, atol=0, of="logsumexp")


def test_log_softmax_of_small_probabilities() -> None:
    """-200 and -1000 are costs like others: the logarithm of a softmax that has become 0 is not. Catches s15."""
    x = leaf([[200.0, 0.0], [0.0, 1000.0]])
    out = F.log_softmax(x)
    want = float32([[0.0, -200.0], [-1000.0, 0.0]])
    logged = {
        "this is the logarithm of the softmax, where e^-200 is already 0": [[0, -math.inf], [-math.inf, 0]]
    }
    assert_close(out.data, want, rtol=1e-6, atol=1e-6, of="log_softmax", known_wrong=logged)
    out.backward([[0.0, 1.0], [1.0, 0.0]])
    want = float32([[-1.0, 1.0], [1.0, -1.0]])
    assert_close(grad_of(x), want, rtol=1e-6, atol=1e-6, of="gradient of log_softmax")


def test_a_fully_masked_row_is_zero() -> None:
    """A query that may see nothing gives 0 and gets 0: one NaN here is a NaN in every weight after a step.

    Catches s05.
    """
    rows = [[-math.inf, -math.inf], [0.0, -math.inf]]
    x = leaf(rows)
    p = F.softmax(x)
    assert_equal(p.data, float32([[0.0, 0.0], [1.0, 0.0]]), of="softmax")
    p.backward([[3.0, 1.0], [3.0, 1.0]])
    assert_equal(grad_of(x), float32([[0.0, 0.0], [0.0, 0.0]]), of="gradient of softmax")
    x = leaf(rows)
    total = F.logsumexp(x)
    assert_equal(total.data, float32([-math.inf, 0.0]), of="logsumexp")
    total.backward([2.0, 3.0])
    assert_equal(grad_of(x), float32([[0.0, 0.0], [3.0, 0.0]]), of="gradient of logsumexp")
    logs = F.log_softmax(Tensor(rows)).data
    assert_equal(logs, float32([[-math.inf, -math.inf], [0.0, -math.inf]]), of="log_softmax")


def test_dropout_keeps_what_its_uniforms_say() -> None:
    """One uniform a value in row-major order, kept from p upward and scaled by 1/(1 - p), forward and backward.

    Catches s08 (backward draws another mask) and s10 (what is kept is not scaled).
    """
    x, p = leaf(np.arange(1.0, 13.0).reshape(3, 4)), 0.25
    scale = (PCG32(9).uniforms(12).reshape(3, 4) >= p) / (1 - p)
    rng = PCG32(9)
    out = F.dropout(x, p, True, rng)
    bare = {
        "what was kept is not scaled: the mean of what comes out is 1 - p of what goes in": x.data
        * (scale > 0)
    }
    want = float32(x.data * scale)
    assert_close(out.data, want, rtol=1e-6, atol=0, of="dropout", known_wrong=bare)
    after = PCG32(9)
    after.uniforms(12)
    assert rng.state() == after.state(), "dropout of 12 values takes 12 uniforms, neither more nor less"
    brink = float(PCG32(9).uniforms(12)[5])
    at_least = F.dropout(Tensor(np.ones(12)), brink, True, PCG32(9)).data
    assert at_least[5] > 0, "a value whose uniform is exactly p is kept"
    out.backward(np.ones((3, 4)))
    other = PCG32(9)
    other.uniforms(12)
    redrawn = (other.uniforms(12).reshape(3, 4) >= p) / (1 - p)
    wrong = {"backward drew a mask of its own: it is the mask of the forward that counts": redrawn}
    assert_close(grad_of(x), float32(scale), rtol=1e-6, atol=0, of="gradient of dropout", known_wrong=wrong)


def test_dropout_off_changes_nothing() -> None:
    """Evaluation uses every unit and draws nothing, and so does p = 0. Catches s09 (dropout at evaluation)."""
    x, rng = leaf([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), PCG32(9)
    for p, training in ((0.5, False), (0.0, True)):
        out = F.dropout(x, p, training, rng)
        assert_equal(out.data, float32([1, 2, 3, 4, 5, 6]), of=f"p {p}, training {training}")
    assert rng.state() == PCG32(9).state(), "nothing was to be drawn"
    for p in (-0.1, 1.0, math.nan):
        with pytest.raises(ValueError):
            F.dropout(x, p, True, rng)
