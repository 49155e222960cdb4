"""Course tests of L0.3, the losses: the first failure says most.

They measure with the frozen kit alone, on tensors of L0.1. The ids s01 .. s24 name the mutants that a test is
there to catch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_close, assert_equal, central_differences, golden
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor

Array = NDArray[Any]

REDUCTIONS = ("mean", "sum", "none")
ROWS = np.log([[1.0, 2.0, 5.0], [4.0, 4.0, 8.0]])  # the chapter's logits: p is 1/8 2/8 5/8 and 1/4 1/4 1/2
COSTS = [math.log(8 / 5), math.log(4)]  # when class 2, then class 0 comes next
GRADIENTS = [[1 / 8, 2 / 8, -3 / 8], [-3 / 4, 1 / 4, 1 / 2]]  # p - onehot, of each row alone
SUMMED = "this is the sum's: the mean's is smaller by the number of rows that count"
Loss = Callable[..., Tensor]


def float32(values: Any) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def leaf(values: Any, dtype: Any = np.float32) -> Tensor:
    return Tensor(values, requires_grad=True, dtype=dtype)


def grad_of(tensor: Tensor, of: str = "the logits") -> Array:
    """The gradient that backward left there."""
    if tensor.grad is None:
        raise AssertionError(f"{of} got no gradient: nothing leads from the loss back to it")
    return tensor.grad


def pulled(loss: Callable[[Tensor], Tensor], values: Any, upstream: Any = None) -> Array:
    """The gradient at a float32 leaf of these values."""
    x = leaf(values)
    loss(x).backward(upstream)
    return grad_of(x)


def near(got: Any, want: Any, of: str, known_wrong: Any = None) -> None:
    """Within float32's rounding of a few operations."""
    assert_close(got, float32(want), rtol=2e-6, atol=1e-6, of=of, known_wrong=known_wrong or {})


def drawn(*shape: int) -> NDArray[np.float64]:
    """Values in (-2, 2)."""
    return 4 * PCG32(5).uniforms(math.prod(shape)).reshape(shape) - 2


def test_hand_example() -> None:
    """Two rows of the chapter: their costs, the mean, and p - onehot over two: what every training starts from.

    Catches s01 (a mean whose gradient is that of the sum), s23 (bits) and s24 (the target's place set to -1).
    """
    z = leaf(ROWS)
    loss = cross_entropy(z, [2, 0])
    mean = sum(COSTS) / 2
    bits = {"this is the cost in bits: a cost is in nats, by the natural logarithm": mean / math.log(2)}
    near(loss.data, mean, "the loss", bits)
    loss.backward()
    put = "the target's place holds -1 over the rows: 1 is to be taken off p there"
    wrong = {SUMMED: GRADIENTS, put: np.array([[1 / 8, 2 / 8, -1.0], [-1.0, 1 / 4, 1 / 2]]) / 2}
    near(grad_of(z), np.array(GRADIENTS) / 2, "the gradient", wrong)
    equal = cross_entropy(Tensor(np.zeros((3, 256))), [0, 7, 255])
    near(equal.data, math.log(256), "the loss of equal logits")


def test_reductions() -> None:
    """A cost for each row, their sum, or their mean; another word is refused, not taken for one of them.

    Catches s18 (any word is a sum) and s17 (a mean of squares over rows).
    """
    near(cross_entropy(leaf(ROWS), [2, 0], reduction="none").data, COSTS, "a cost for each row")
    near(cross_entropy(leaf(ROWS), [2, 0], reduction="sum").data, sum(COSTS), "their sum")
    near(pulled(lambda z: cross_entropy(z, [2, 0], reduction="sum"), ROWS), GRADIENTS, "the sum's gradient")
    prediction, target = Tensor([[1.0, 2.0], [3.0, 8.0]]), [[1.0, 1.0], [1.0, 2.0]]
    assert_equal(mse(prediction, target, "none").data, float32([[0, 1], [4, 36]]), of="the squares")
    assert_equal(mse(prediction, target, "sum").data, float32(41.0), of="their sum")
    rows = {"the sum of four squares was divided by two rows: it is a mean over all values": 20.5}
    assert_equal(mse(prediction, target).data, float32(10.25), of="their mean", known_wrong=rows)
    for word in ("average", "avg", "", "Mean"):
        with pytest.raises(ValueError):
            cross_entropy(leaf(ROWS), [2, 0], reduction=word)
        for loss in (mse, bce_with_logits):
            with pytest.raises(ValueError):
                loss(prediction, target, word)


def test_an_upstream_gradient_scales() -> None:
    """A loss is one node among others: what arrives from above multiplies, one number a row with "none".

    Catches s10 (what arrives is not looked at: a loss times 0.1 trains like the loss itself).
    """
    alone = {"the loss was scaled by 3 and its gradient was not": np.array(GRADIENTS) / 2}
    got = pulled(lambda z: cross_entropy(z, [2, 0]) * 3.0, ROWS)
    near(got, 1.5 * np.array(GRADIENTS), "the gradient of three times the loss", alone)
    got = pulled(lambda z: cross_entropy(z, [2, 0], reduction="none"), ROWS, [2.0, -1.0])
    near(got, [[0.25, 0.5, -0.75], [0.75, -0.25, -0.5]], "the gradient of weighted rows")
    for loss in (mse, bce_with_logits):
        once = pulled(lambda x, loss=loss: loss(x, [1.0, 0.0]), [0.5, 2.0])
        got = pulled(lambda x, loss=loss: loss(x, [1.0, 0.0]) * 3.0, [0.5, 2.0])
        near(got, 3 * once, f"the gradient of three times {loss.__name__}")


def test_ignored_rows_count_for_nothing() -> None:
    """Padding has no cost, no gradient, and no place in the mean's denominator.

    Catches s02 (divided by all rows), s03 (padding is trained toward class 0) and s20 (only -100 is ignored).
    """
    logits = np.vstack([ROWS, [[3.0, 1.0, 2.0]], [[0.0, 7.0, 0.0]]])
    want = [*(np.array(GRADIENTS) / 2), [0.0] * 3, [0.0] * 3]
    for ignored in (-100, -1, 1):
        z, targets = leaf(logits), [2, 0, ignored, ignored]
        loss = cross_entropy(z, targets, ignore_index=ignored)
        all_rows = {"the costs were divided by all rows, the ignored ones too": sum(COSTS) / 4}
        near(loss.data, sum(COSTS) / 2, f"the loss, {ignored} ignored", all_rows)
        loss.backward()
        near(grad_of(z), want, f"the gradient, {ignored} ignored")
        losses = cross_entropy(Tensor(logits), targets, ignore_index=ignored, reduction="none").data
        near(losses, [*COSTS, 0.0, 0.0], f"a cost for each row, {ignored} ignored")


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_when_every_row_is_ignored_all_is_zero(reduction: str) -> None:
    """A batch of nothing but padding costs 0 and teaches nothing: 0/0 would end the training. Catches s06."""
    z = leaf(ROWS)
    loss = cross_entropy(z, [-100, -100], reduction=reduction)
    loss.backward(np.ones(loss.shape))
    assert_equal(loss.data, np.zeros(loss.shape, dtype=np.float32), of="the loss")
    assert_equal(grad_of(z), np.zeros((2, 3), dtype=np.float32), of="the gradient")


def test_label_smoothing() -> None:
    """A share s/V of every class, 1 - s more of the target: value and gradient, of ignored rows none.

    Catches s08 (the share is divided among the others) and s09 (the gradient knows nothing of it).
    """
    s, p, logs = 0.3, np.array([1, 2, 5]) / 8, np.log([1 / 8, 2 / 8, 5 / 8])
    q, among_others = np.array([0.1, 0.1, 0.8]), np.array([0.15, 0.15, 0.7])
    z = leaf(ROWS[:1])
    loss = cross_entropy(z, [2], label_smoothing=s)
    others = "s was shared among the other classes: it is s/V for every class, the target too"
    near(loss.data, -(q * logs).sum(), "the loss", {others: -(among_others * logs).sum()})
    loss.backward()
    hard = "this is p - onehot, without the smoothing that the loss has"
    wrong = {hard: [p - [0, 0, 1]], others: [p - among_others]}
    near(grad_of(z), [p - q], "the gradient", wrong)
    padded = leaf(ROWS)
    cross_entropy(padded, [2, -100], label_smoothing=s).backward()
    near(grad_of(padded), [p - q, [0.0] * 3], "the gradient beside an ignored row")
    near(
        cross_entropy(Tensor(ROWS[:1]), [2], label_smoothing=1.0).data,
        -logs.mean(),
        "with nothing but shares",
    )


def test_more_axes_than_one() -> None:
    """A batch of sequences is [B, T, V] and its targets [B, T]; one row is [V] and its target a number."""
    logits, targets = drawn(2, 3, 4), np.array([[0, 3, -100], [1, 1, 2]])
    flat = cross_entropy(Tensor(logits.reshape(6, 4)), targets.reshape(6), reduction="none").data
    cube = leaf(logits)
    losses = cross_entropy(cube, targets, reduction="none")
    assert_equal(losses.data, flat.reshape(2, 3), of="a cost for each place")
    cross_entropy(cube, targets).backward()
    want = pulled(lambda z: cross_entropy(z, targets.reshape(6)), logits.reshape(6, 4))
    assert_equal(grad_of(cube), want.reshape(2, 3, 4), of="the gradient")
    one = cross_entropy(Tensor(ROWS[0]), 2)
    near(one.data, COSTS[0], "the loss of one row alone")


def test_great_logits() -> None:
    """A sure model has logits in the hundreds: its costs are finite, and a wrong one's is the distance.

    Catches s04 (e^1000).
    """
    z = leaf([[1000.0, 0.0], [1000.0, 0.0], [-1000.0, -1000.0]])
    near(cross_entropy(z, [0, 1, 1], reduction="none").data, [0.0, 1000.0, math.log(2)], "the costs")
    cross_entropy(z, [0, 1, 1], reduction="sum").backward()
    near(grad_of(z), [[0.0, 0.0], [1.0, -1.0], [0.5, -0.5]], "the gradient")


def test_the_logits_are_left_alone() -> None:
    """A loss only looks: the model's output is read again, for the next token or another loss. Catches s05."""
    logits, targets = float32(drawn(4, 3)), np.array([2, -100, 0, 1])
    z = leaf(logits)
    cross_entropy(z, targets, label_smoothing=0.2).backward()
    assert_equal(z.data, logits, of="the logits")
    assert targets.tolist() == [2, -100, 0, 1], "the targets were changed"
    for loss in (mse, bce_with_logits):
        prediction, target = leaf(logits), leaf(float32(drawn(4, 3)) / 4 + 0.5)
        kept = target.data.copy()
        loss(prediction, target).backward()
        assert_equal(prediction.data, logits, of=f"the predictions under {loss.__name__}")
        assert_equal(target.data, kept, of=f"the targets under {loss.__name__}")


def test_a_second_backward_adds_the_same() -> None:
    """Gradients accumulate: a buffer that the first pass has used up must not be read by the second.

    Catches s11.
    """
    for name, loss in LOSSES.items():
        for reduction in REDUCTIONS:
            inputs = inputs_of(name, np.float32)
            out = loss(*inputs, reduction)
            out.backward(np.ones(out.shape))
            once = [grad_of(x).copy() for x in inputs]
            out.backward(np.ones(out.shape))
            for x, first in zip(inputs, once, strict=True):
                assert_close(grad_of(x), 2 * first, rtol=1e-6, atol=1e-7, of=f"{name}, {reduction}, twice")


@pytest.mark.parametrize(
    ("targets", "options"),
    [
        ([0, 3], {}),
        ([0, -1], {}),
        ([0, -100], {"ignore_index": -1}),
        ([0.0, 1.5], {}),
        ([0], {}),
        ([[0, 1]], {}),
        ([[1, 0, 0], [0, 1, 0]], {}),
        ([0, 1], {"label_smoothing": 1.5}),
        ([0, 1], {"label_smoothing": -0.1}),
    ],
)
def test_what_is_no_target_is_refused(targets: Any, options: dict[str, Any]) -> None:
    """-1 reads another logit and 1.5 is cut to 1, both without a word: ValueError. Catches s07 and s21."""
    with pytest.raises(ValueError):
        cross_entropy(Tensor(ROWS), np.array(targets), **options)


def test_mse_hand_example() -> None:
    """(1, 5) for (3, 5.5): 4.25 / 2, slopes -2 and -0.5, and the opposite at the target.

    Catches s12 (the 2 of the square) and s14 (the target gets nothing).
    """
    prediction, target = leaf([1.0, 5.0]), leaf([3.0, 5.5])
    loss = mse(prediction, target)
    assert_equal(loss.data, float32(2.125), of="the loss")
    loss.backward()
    halved = {"the 2 of the square's derivative is missing": [-1.0, -0.25]}
    assert_equal(grad_of(prediction), float32([-2.0, -0.5]), of="the gradient", known_wrong=halved)
    assert_equal(grad_of(target, "the target"), float32([2.0, 0.5]), of="the target's gradient")


def test_nothing_broadcasts() -> None:
    """Predictions [n, 1] against targets [n] would be n^2 differences, a loss that looks right. Catches s13."""
    for loss in (mse, bce_with_logits):
        for target in (np.ones(3), np.ones((1, 1)), 1.0, leaf(np.ones(3))):
            with pytest.raises(ValueError):
                loss(leaf(np.ones((3, 1))), target)


def test_bce_hand_example() -> None:
    """Logits ln 3 and -ln 3, so 3/4 and 1/4; soft targets too; the slope is sigmoid - t, and -z at the target.

    Catches s16 (the slope once more through the sigmoid) and s19 (the sign at the target).
    """
    z, t = leaf([math.log(3), -math.log(3)]), leaf([1.0, 0.25])
    loss = bce_with_logits(z, t, "none")
    near(loss.data, [math.log(4 / 3), 0.25 * math.log(4) + 0.75 * math.log(4 / 3)], "the costs")
    loss.backward([1.0, 1.0])
    twice = {"sigmoid - t is the whole slope: it was multiplied by s (1 - s) once more": [-0.046875, 0.0]}
    near(grad_of(z), [-0.25, 0.0], "the gradient", twice)
    risen = {"its sign is wrong: a greater t makes the term -t z smaller": [math.log(3), -math.log(3)]}
    near(grad_of(t, "the target"), [-math.log(3), math.log(3)], "the target's gradient", risen)
    near(bce_with_logits(z, [1.0, 1.0]).data, (math.log(4 / 3) + math.log(4)) / 2, "the mean")


def test_bce_of_great_logits() -> None:
    """A cost of 1000 nats is a cost; ln 0 is infinite, and 0 times it is NaN. Catches s15 (the bare formula)."""
    z, t = leaf([1000.0, 1000.0, -1000.0, -1000.0]), [1.0, 0.0, 1.0, 0.0]
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        losses = bce_with_logits(z, t, "none")
        losses.backward(np.ones(4))
    near(losses.data, [0.0, 1000.0, 1000.0, 0.0], "the costs")
    near(grad_of(z), [0.0, 1.0, -1.0, 0.0], "the gradient")


LOSSES: dict[str, Loss] = {
    "cross entropy": lambda z, reduction: cross_entropy(z, [2, -100, 0, 0], reduction=reduction),
    "smoothed": lambda z, reduction: cross_entropy(
        z, [2, 1, 1, 0], ignore_index=1, label_smoothing=0.2, reduction=reduction
    ),
    "mse": mse,
    "bce": bce_with_logits,
}


def inputs_of(name: str, dtype: Any) -> list[Tensor]:
    """Logits, or predictions and targets, both of which get gradients."""
    values = drawn(2, 4, 3)
    return [leaf(values[0], dtype), leaf(values[1] / 4 + 0.5, dtype)][: 2 if name in ("mse", "bce") else 1]


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", LOSSES)
def test_gradcheck_every_loss(name: str, reduction: str) -> None:
    """Every closed form against central differences in float64, also under a scale that is not 1.

    Catches s01, s03, s09, s10, s12, s14, s16 and s19.
    """
    loss, inputs = LOSSES[name], inputs_of(name, np.float64)
    out = loss(*inputs, reduction)
    weights = 3 * PCG32(6).uniforms(out.data.size).reshape(out.shape) - 1
    out.backward(weights)
    for place, x in enumerate(inputs):
        numeric = central_differences(lambda: float((loss(*inputs, reduction).data * weights).sum()), x.data)
        assert_close(grad_of(x), numeric, rtol=1e-6, atol=1e-8, of=f"gradient {place} of {name}, {reduction}")


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", ["cross entropy", "smoothed", "ignored", "mse", "bce"])
def test_golden_torch(name: str, reduction: str) -> None:
    """Value and gradients as torch has them: losses that are compared must be the same losses.

    Catches s01, s02, s08, s09, s12 and s16.
    """
    expected = golden("L0.3/losses.safetensors")
    values, close = expected.tensors, {"rtol": expected.rtol, "atol": expected.atol}
    case = f"{name}/{reduction}"
    z = leaf(values[f"{case}/0"])
    if name in ("mse", "bce"):
        inputs = [z, leaf(values[f"{case}/1"])]
        out = LOSSES[name](*inputs, reduction)
    else:
        inputs, smoothing = [z], 0.1 if name == "smoothed" else 0.0
        targets = values[f"{case}/targets"]
        out = cross_entropy(z, targets, label_smoothing=smoothing, reduction=reduction)
    assert_close(out.data, values[f"{case}/loss"], **close, of=f"{name}, {reduction}")
    out.backward(values[f"{case}/upstream"])
    for i, x in enumerate(inputs):
        assert_close(
            grad_of(x), values[f"{case}/grad {i}"], **close, of=f"gradient {i} of {name}, {reduction}"
        )


def test_float32_stays_float32() -> None:
    """Value and gradient keep the dtype: a loss is where float64 would come down over the whole model.

    Catches s22.
    """
    for name, loss in LOSSES.items():
        for reduction in REDUCTIONS:
            for dtype in (np.float32, np.float64):
                inputs = inputs_of(name, dtype)
                out = loss(*inputs, reduction)
                assert out.dtype == dtype, f"{name}, {reduction}, of {np.dtype(dtype)} is {out.dtype}"
                out.backward(np.ones(out.shape))
                assert {grad_of(x).dtype for x in inputs} == {np.dtype(dtype)}
    plain = leaf([0.5, 2.0])
    for loss in (mse, bce_with_logits):
        assert loss(plain, [1, 0]).dtype == np.float32, f"{loss.__name__} against integers"
