"""Course tests of L0.4, the layers: values, gradients, initial weights, and lists of parts.

The ids s10 .. s18 and s21 .. s23 name the mutants of nn/layers.py that a test is there to catch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tinyllm.autograd.functional as F
from frozen import PCG32, assert_close, assert_equal, central_differences, golden
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import (
    GELU,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    ModuleList,
    ReLU,
    Sequential,
    Tanh,
)

Array = NDArray[Any]

UNBIASED = "the variance was divided by d - 1: LayerNorm divides by d"
OUTSIDE = "eps was added to the root: it belongs under it, beside the variance"


def float32(values: Any) -> Array:
    return np.array(values, dtype=np.float32)


def grad_of(tensor: Tensor, of: str) -> Array:
    """The gradient that backward left there."""
    if tensor.grad is None:
        raise AssertionError(f"{of} got no gradient: nothing leads from the result back to it")
    return tensor.grad


def drawn(seed: int, *shape: int) -> Array:
    """float32 values in (-1, 1)."""
    return float32(2 * PCG32(seed).uniforms(math.prod(shape)) - 1).reshape(shape)


def normals(rng: PCG32, *shape: int) -> Array:
    """Box and Muller's draws, pair by pair, as float64; the last of an odd number's pair is dropped."""
    n, found = math.prod(shape), []
    for _ in range((n + 1) // 2):
        radius, angle = math.sqrt(-2 * math.log(1 - rng.uniform())), 2 * math.pi * rng.uniform()
        found += [radius * math.cos(angle), radius * math.sin(angle)]
    return np.array(found[:n]).reshape(shape)


def hand_norm(eps: float = 3.0) -> LayerNorm:
    """The worked example's: 4 and 6 have mean 5 and variance 1, so that the root is 2."""
    layer = LayerNorm(2, eps=eps)
    layer.load_state_dict({"weight": [2.0, 4.0], "bias": [10.0, 20.0]})
    return layer


def small_model() -> Sequential:
    rng = PCG32(5)
    first, last = Linear(4, 6, rng=rng), Linear(6, 3, rng=rng)
    return Sequential(Embedding(7, 4, rng=rng), first, GELU("tanh"), LayerNorm(6), last)


MODEL = ["0.weight", "1.weight", "1.bias", "3.weight", "3.bias", "4.weight", "4.bias"]
CASES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "linear": (lambda: Linear(4, 6, rng=PCG32(1)), ["weight", "bias"]),
    "linear_no_bias": (lambda: Linear(4, 6, bias=False, rng=PCG32(1)), ["weight"]),
    "layer_norm": (lambda: LayerNorm(4), ["weight", "bias"]),
    "embedding": (lambda: Embedding(7, 4, rng=PCG32(1)), ["weight"]),
    "model": (small_model, MODEL),
}


def test_linear_by_hand() -> None:
    """y = x W^T + b with W [out, in]: (1, 0, 2) gives 1 + 6 + 10 and 4 + 12 + 20. Any leading shape will do.

    Catches s23, a bias that is never added.
    """
    layer = Linear(3, 2)
    layer.load_state_dict({"weight": [[1, 2, 3], [4, 5, 6]], "bias": [10, 20]})
    wrong = {"the bias is missing": [[7.0, 16.0]]}
    assert_equal(layer(Tensor([[1.0, 0.0, 2.0]])).data, float32([[17.0, 36.0]]), of="y", known_wrong=wrong)
    assert_equal(layer(Tensor([1.0, 1.0, 1.0])).data, float32([16.0, 35.0]), of="y of one vector")
    cube = layer(Tensor(np.ones((4, 5, 3))))
    assert_equal(cube.data, np.broadcast_to(float32([16.0, 35.0]), (4, 5, 2)), of="y of [4, 5, 3]")
    plain = Linear(3, 2, bias=False)
    assert plain.bias is None and list(plain.state_dict()) == ["weight"]
    assert_equal(plain(Tensor(np.zeros((1, 3)))).data, float32([[0.0, 0.0]]), of="y without a bias")


def test_layer_norm_by_hand() -> None:
    """(4, 6) with eps 3 becomes (-1, 1) / 2, then times (2, 4) plus (10, 20). An even row becomes the bias.

    Catches s13 (the variance divided by d - 1) and s14 (eps beside the root).
    """
    wrong: dict[str, Any] = {OUTSIDE: [[9.5, 21.0], [10.0, 20.0]]}
    wrong[UNBIASED] = [[10 - 2 / math.sqrt(5), 20 + 4 / math.sqrt(5)], [10.0, 20.0]]
    want = float32([[9.0, 22.0], [10.0, 20.0]])
    out = hand_norm()(Tensor([[4.0, 6.0], [5.0, 5.0]]))
    assert_close(out.data, want, rtol=1e-6, atol=0, of="the rows", known_wrong=wrong)
    fresh = LayerNorm(3)
    assert_equal(fresh.weight.data, float32([1, 1, 1]), of="weight at first")
    assert_equal(fresh.bias.data, float32([0, 0, 0]), of="bias at first")
    assert fresh.eps == 1e-5


@pytest.mark.parametrize("case", CASES)
def test_golden_torch(case: str) -> None:
    """Results and all gradients as torch has them from the same weights: the oracle of all later models.

    Catches s11 (the bias's gradient averaged), s13 (another variance) and s15 (mean and variance taken for
    constants).
    """
    expected = golden("L0.4/layers.safetensors")
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    told = {
        key.removeprefix(f"{case}/"): v for key, v in expected.tensors.items() if key.startswith(f"{case}/")
    }
    make, names = CASES[case]
    layer = make()
    layer.load_state_dict({name: told[name] for name in names})
    x = told["ids"] if "ids" in told else Tensor(told["x"], requires_grad=True)
    out = layer(x)
    assert_close(out.data, told["out"], **near, of="the result")
    out.backward(told["upstream"])
    for name, tensor in layer.named_parameters():
        assert_close(grad_of(tensor, name), told[f"grad/{name}"], **near, of=f"{name}.grad")
    if isinstance(x, Tensor):
        assert_close(grad_of(x, "x"), told["grad/x"], **near, of="x.grad")


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
def test_gradcheck_linear_and_layer_norm(shape: tuple[int, ...]) -> None:
    """Every gradient against central differences in float64, for vectors, batches and more.

    Catches s11 (the bias's gradient averaged) and s15 (mean and variance taken for constants).
    """
    for layer in (Linear(4, 4, rng=PCG32(2)), Linear(4, 4, bias=False, rng=PCG32(2)), LayerNorm(4, eps=0.5)):
        assert_gradients(layer, shape)


def assert_gradients(layer: Any, shape: tuple[int, ...]) -> None:
    """The gradients of x and of every parameter, all of them drawn, under a weighted sum of the results."""
    x = Tensor(drawn(3, *shape), requires_grad=True, dtype=np.float64)
    weights = drawn(4, *shape).astype(np.float64)
    for i, tensor in enumerate(layer.parameters()):
        tensor.data = drawn(20 + i, *tensor.shape).astype(np.float64)

    def loss() -> Tensor:
        return F.sum(layer(x) * weights)

    loss().backward()
    for name, tensor in [*layer.named_parameters(), ("x", x)]:
        numeric = central_differences(lambda: loss().data.item(), tensor.data)
        of = f"{type(layer).__name__}'s {name}"
        assert_close(grad_of(tensor, of), numeric, rtol=1e-6, atol=1e-8, of=f"{of}.grad")


def test_layer_norm_forgets_shift_and_scale() -> None:
    """Each row ends with mean 0 and variance 1, wherever it was and however wide: 1 and 1000 alike."""
    x = drawn(8, 6, 32)
    rows = LayerNorm(32)(Tensor(x)).data
    assert_close(rows.mean(axis=1), np.zeros(6, np.float32), rtol=0, atol=1e-5, of="the means")
    known = {UNBIASED: np.full(6, 31 / 32)}
    assert_close(
        rows.var(axis=1), np.ones(6, np.float32), rtol=1e-3, atol=0, of="the variances", known_wrong=known
    )
    moved = LayerNorm(32)(Tensor(64 * x + 256)).data
    assert_close(moved, rows, rtol=0, atol=1e-3, of="the rows, moved and stretched")


def test_initial_values_are_drawn_in_order() -> None:
    """A seed fixes the whole model: weights row by row, biases 0 and without a draw, one layer after another.

    Catches s10 (the root of the wrong size) and s18 (the bias is drawn too).
    """
    rng, twin = PCG32(8), PCG32(8)
    table, layer = Embedding(5, 4, rng=rng), Linear(4, 9, rng=rng)
    last = Linear(9, 1, bias=False, rng=rng)
    near: Any = {"rtol": 1e-5, "atol": 1e-7}
    assert_close(table.weight.data, float32(normals(twin, 5, 4)), **near, of="the table")
    standard = normals(twin, 9, 4)
    wrong = {"the deviation is 1 / sqrt(d_out): a sum over d_in inputs needs 1 / sqrt(d_in)": standard / 3}
    wrong["the deviation is 1: a sum over d_in inputs grows with their number"] = standard
    assert_close(layer.weight.data, float32(standard / 2), **near, of="Linear's weight", known_wrong=wrong)
    assert_equal(layer.state_dict()["bias"], np.zeros(9, np.float32), of="Linear's bias")
    assert_close(last.weight.data, float32(normals(twin, 1, 9) / 3), **near, of="the last layer's weight")
    assert all(p.requires_grad for each in (table, layer, last) for p in each.parameters())


def test_without_a_generator_every_layer_starts_the_same_stream() -> None:
    """rng=None is PCG32(0).substream("init"), made anew for each layer: a model then repeats by itself.

    Catches s17, one default stream for all layers.
    """
    standard = normals(PCG32(0).substream("init"), 3, 4)
    for turn in ("the first", "the second"):
        of = f"{turn} Linear without a generator"
        assert_close(Linear(4, 3).weight.data, float32(standard / 2), rtol=1e-5, atol=1e-7, of=of)
    assert_close(Embedding(3, 4).weight.data, float32(standard), rtol=1e-5, atol=1e-7, of="an Embedding")
    kept = PCG32(0).substream("dropout").uniforms(50) >= 0.5
    for _ in range(2):
        assert_equal(
            Dropout()(Tensor(np.ones(50))).data, float32(2 * kept), of="a Dropout without a generator"
        )


def test_embedding_looks_rows_up() -> None:
    """Each id its row, each row the sum of its gradients, and -1 is no id, whatever numpy says.

    Catches s12, which lets -1 read the last row.
    """
    table = Embedding(4, 2)
    ids = np.array([[3, 0], [3, 3]])
    out = table(ids)
    assert_equal(out.data, table.weight.data[ids], of="the rows")
    out.backward(np.ones((2, 2, 2)))
    once = {"a row that was read three times got one gradient": [[1, 1], [0, 0], [0, 0], [1, 1]]}
    want = float32([[1, 1], [0, 0], [0, 0], [3, 3]])
    assert_equal(grad_of(table.weight, "the table"), want, of="the table's gradient", known_wrong=once)
    for wrong in ([-1], [4], [0.0]):
        with pytest.raises(ValueError):
            table(wrong)


def test_dropout_works_while_training_only() -> None:
    """While training 0 or x / (1 - p), drawn anew at each call; in eval x itself, whatever model it is in.

    Catches s16, a dropout that never hears of eval.
    """
    layer, x, rng = Dropout(0.25, PCG32(6)), Tensor(drawn(9, 40)), PCG32(6)
    for call in ("first", "second"):
        want = np.where(rng.uniforms(40) >= 0.25, x.data / np.float32(0.75), np.float32(0))
        assert_close(layer(x).data, want.astype(np.float32), rtol=1e-6, atol=0, of=f"the {call} call")
    model = Sequential(Dropout(0.5, PCG32(6)), Dropout(0.5, PCG32(7))).eval()
    once = F.dropout(x, 0.5, True, PCG32(6))
    dropped = {"values were dropped although the model is in eval": F.dropout(once, 0.5, True, PCG32(7)).data}
    assert_equal(model(x).data, x.data, of="x after two dropouts in eval", known_wrong=dropped)
    assert Dropout().p == 0.5
    for p in (-0.1, 1.0, math.nan):
        with pytest.raises(ValueError):
            Dropout(p)


def test_nonlinearities_are_the_ops_of_f() -> None:
    """Parts without parameters, so that a Sequential can hold them. Catches s21, a GELU of one kind only."""
    x = Tensor(drawn(11, 20) * 3)
    pairs: list[tuple[Any, Tensor]] = [(ReLU(), F.relu(x)), (Tanh(), F.tanh(x)), (GELU(), F.gelu(x))]
    pairs.append((GELU("tanh"), F.gelu(x, "tanh")))
    for layer, want in pairs:
        assert_equal(layer(x).data, want.data, of=type(layer).__name__)
        assert layer.parameters() == []


def test_a_sequence_applies_its_parts_in_order() -> None:
    """The names are the places, ten after nine: a file saved by one Sequential loads into the next.

    Catches s04, by which part 10 comes between 1 and 2.
    """
    model = Sequential(*(Linear(1, 1, bias=False) for _ in range(11)), Tanh())
    names = [f"{i}.weight" for i in range(11)]
    assert [name for name, _ in model.named_parameters()] == names
    model.load_state_dict({name: [[0.5 + i / 8]] for i, name in enumerate(names)})
    x = np.float32(1.0)
    for i in range(11):
        x = x * np.float32(0.5 + i / 8)
    assert_close(model(Tensor([[1.0]])).data, np.tanh(float32([[x]])), rtol=1e-5, atol=0, of="the result")
    order = Sequential(Linear(1, 1, bias=False), Tanh())
    order.load_state_dict({"0.weight": [[2.0]]})
    other = {"the parts ran from the last to the first": [[2 * math.tanh(0.5)]]}
    want = float32([[math.tanh(1.0)]])
    assert_close(order(Tensor([[0.5]])).data, want, rtol=1e-6, atol=0, of="tanh(2 x)", known_wrong=other)
    assert Sequential()(3) == 3


def test_a_list_of_modules_counts_and_grows() -> None:
    """What a list can do, and its items are parts: their parameters are found, and eval reaches them."""
    parts = [Linear(1, 1) for _ in range(11)]
    modules = ModuleList(iter(parts[:10]))
    modules.append(parts[10])
    assert len(modules) == 11 and all(a is b for a, b in zip(modules, parts, strict=True))
    assert modules[0] is parts[0] and modules[10] is modules[-1] is parts[10]
    assert [name for name, _ in modules.named_parameters()][-2:] == ["10.weight", "10.bias"]
    modules.eval()
    assert not parts[5].training
    for index in (11, -12):
        with pytest.raises(IndexError):
            modules[index]
    assert len(ModuleList()) == 0 and list(ModuleList()) == []


def test_sizes_that_do_not_fit_are_refused() -> None:
    """A wrong size fails where it is made. Catches s22, a last axis of 1 that numpy broadcasts over the weight."""
    makers: list[Callable[[], object]] = [lambda: Linear(0, 1), lambda: Linear(1, 0), lambda: LayerNorm(0)]
    makers += [lambda: Embedding(0, 1), lambda: Embedding(1, 0)]
    for make in makers:
        with pytest.raises(ValueError):
            make()
    layers: list[Any] = [Linear(3, 2), Linear(3, 2, bias=False), LayerNorm(3)]
    for layer in layers:
        for x in (Tensor(np.ones((2, 4))), Tensor(np.ones((2, 1))), Tensor(1.0)):
            with pytest.raises(ValueError):
                layer(x)
