"""Probes of L0.4: what modules and layers give for weights, inputs and trees that are drawn from the seed."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import tinyllm.autograd.functional as F
from frozen import PCG32
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import GELU, Dropout, Embedding, LayerNorm, Linear, ModuleList, ReLU, Sequential, Tanh
from tinyllm.nn.module import Module

Arrays = dict[str, ArrayLike]
Array = NDArray[Any]


def drawn(rng: PCG32, *shape: int) -> Array:
    """float32 values in (-1, 1)."""
    return (2 * rng.uniforms(int(np.prod(shape))) - 1).astype(np.float32).reshape(shape)


def refilled(module: Any, rng: PCG32) -> Any:
    """The module with every parameter drawn anew, whatever its own start would be."""
    for tensor in module.parameters():
        tensor.data[...] = drawn(rng, *tensor.data.shape)
    return module


def text(words: Any) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(words).encode("ascii"), dtype=np.uint8)


def traced(module: Any, x: Any, rng: PCG32, before: str) -> Arrays:
    """The result, and what backward from a drawn gradient leaves in x and in each parameter."""
    out = module(x)
    out.backward(drawn(rng, *out.data.shape))
    found: Arrays = {f"{before} out": out.data}
    found |= {f"{before} d {name}": np.array(tensor.grad) for name, tensor in module.named_parameters()}
    return found | ({f"{before} d x": np.array(x.grad)} if isinstance(x, Tensor) else {})


class Part(Module):
    """A parameter, one that is absent, and a dropout that hears of train and eval."""

    def __init__(self, value: Array) -> None:
        self.weight = Tensor(value, requires_grad=True)
        self.bias: Tensor | None = None
        self.drop = Dropout(0.5, PCG32(1))


class Tree(Module):
    """Names that no alphabet orders so, a tied tensor, a part that stands twice, and a list."""

    def __init__(self, rng: PCG32) -> None:
        self.size = 3
        self.zeta = Part(drawn(rng, 2))
        self.mid = Tensor(drawn(rng, 1), requires_grad=True)
        self.alpha = Part(drawn(rng, 2, 2))
        self.tied = self.zeta.weight
        self.again = self.alpha
        self.items = ModuleList([Linear(1, 2, bias=False, rng=rng) for _ in range(11)])
        self.beta = Tensor(drawn(rng, 3), requires_grad=True)


class Called(Module):
    """What a call hands on to forward."""

    def forward(self, x: Array, times: float, plus: float = 0.0) -> Array:
        return np.asarray(np.float32(times) * x + np.float32(plus))


def probe_call(seed: int) -> Arrays:
    """A call with arguments by place and by name."""
    rng = PCG32(seed)
    x, times, plus = drawn(rng, 6), rng.uniform(), rng.uniform()
    return {"by place": Called()(x, times, plus), "by name": Called()(x, 2.0, plus=plus)}


def probe_linear(seed: int) -> Arrays:
    """With a bias and without, for a vector, a batch and more."""
    rng = PCG32(seed)
    found: Arrays = {}
    for bias in (True, False):
        for shape in ((4,), (5, 4), (2, 3, 4)):
            layer = refilled(Linear(4, 3, bias=bias, rng=PCG32(0)), rng)
            x = Tensor(drawn(rng, *shape), requires_grad=True)
            found |= traced(layer, x, rng, f"{'bias' if bias else 'plain'} {len(shape)}:")
    return found


def probe_norm(seed: int) -> Arrays:
    """Rows at several places and widths, with an eps that shows and one that does not."""
    rng = PCG32(seed)
    found: Arrays = {}
    for eps in (1e-5, 0.7):
        for shape in ((4,), (5, 4), (2, 3, 4)):
            layer = refilled(LayerNorm(4, eps=eps), rng)
            x = Tensor(3 * drawn(rng, *shape) + drawn(rng, *shape[:-1], 1), requires_grad=True)
            found |= traced(layer, x, rng, f"{eps} {len(shape)}:")
        found[f"{eps} refused"] = np.zeros(0, dtype=np.float32)
        with contextlib.suppress(ValueError):
            found[f"{eps} refused"] = LayerNorm(4, eps=eps)(Tensor(drawn(rng, 5, 1))).data
    return found


def probe_start(seed: int) -> Arrays:
    """The weights of layers that share a generator, and of layers that have none."""
    rng = PCG32(seed)
    layers = [Embedding(4, 3, rng=rng), Linear(3, 5, rng=rng), Linear(5, 2, bias=False, rng=rng)]
    layers += [Linear(2, 2, rng=rng), Linear(4, 3), Linear(4, 3), Embedding(3, 4), LayerNorm(3)]
    found: Arrays = {}
    for i, layer in enumerate(layers):
        found |= {f"{i} {name}": tensor.data for name, tensor in layer.named_parameters()}
    return found


def probe_tree(seed: int) -> Arrays:
    """Names in order, a state before and after the weights change, and arrays held since before a load."""
    rng = PCG32(seed)
    tree, other = Tree(rng), Tree(rng)
    state = tree.state_dict()
    found: Arrays = {"names": text([name for name, _ in tree.named_parameters()])}
    held = [tensor.data for tensor in other.parameters()]
    refilled(tree, rng)
    found |= {f"state {name}": array for name, array in state.items()}
    other.load_state_dict(tree.state_dict())
    found |= {f"held {i}": array for i, array in enumerate(held)}
    for tensor in tree.parameters():
        tensor.grad = np.ones_like(tensor.data)
    tree.zero_grad()
    found["no gradients"] = np.array([tensor.grad is None for tensor in tree.parameters()])
    return found


def probe_refused(seed: int) -> Arrays:
    """Parameters after states that do not fit, and after one that need not."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind in ("too many", "missing", "broadcast", "not strict", "not strict and broadcast"):
        tree = Tree(rng)
        state: dict[str, Any] = {name: array + 1 for name, array in tree.state_dict().items()}
        if kind != "missing" and kind != "broadcast":
            state["extra"] = drawn(rng, 2)
        if kind in ("missing", "not strict"):
            del state["mid"]
        if kind.endswith("broadcast"):
            state["beta"] = drawn(rng, 1)
        with contextlib.suppress(KeyError, ValueError):
            tree.load_state_dict(state, strict=not kind.startswith("not strict"))
        found |= {f"{kind}: {i}": tensor.data for i, tensor in enumerate(tree.parameters()[:3])}
        found[f"{kind}: beta"] = tree.beta.data
    return found


def probe_modes(seed: int) -> Arrays:
    """Dropouts of two models, deep inside, of which one is in eval; and back in training."""
    rng = PCG32(seed)
    x, one, other = Tensor(drawn(rng, 30)), Tree(rng), Tree(rng)
    found: Arrays = {}
    for turn in ("training", "eval", "training again"):
        one.train(turn != "eval")
        for name, tree in (("one", one), ("other", other)):
            found[f"{turn}: {name} zeta"] = tree.zeta.drop(x).data
            found[f"{turn}: {name} again"] = tree.again.drop(x).data
    found["default"] = Dropout(0.3)(x).data
    return found


def probe_sequence(seed: int) -> Arrays:
    """Twelve parts and more in a row, their names, and a model of every kind of layer with its gradients."""
    rng = PCG32(seed)
    long = refilled(Sequential(*(Linear(2, 2, rng=PCG32(i)) for i in range(13)), Tanh()), rng)
    kinds = [
        LayerNorm(4),
        Linear(4, 5, rng=PCG32(0)),
        ReLU(),
        Linear(5, 4, rng=PCG32(0)),
        GELU(),
        GELU("tanh"),
    ]
    model = refilled(Sequential(Embedding(6, 4, rng=PCG32(0)), *kinds, Tanh()), rng)
    ids = np.array([[rng.below(6) for _ in range(4)] for _ in range(3)])
    found: Arrays = {"names": text([name for name, _ in long.named_parameters()])}
    found["length"] = np.int64(len(long))
    found["long"] = long(Tensor(drawn(rng, 3, 2))).data
    return found | {"mean": F.mean(long(Tensor(drawn(rng, 5, 2)))).data} | traced(model, ids, rng, "model")


def probe_embedding(seed: int) -> Arrays:
    """Rows and their gradients where ids repeat; and what ids give that are none, an empty array if refused."""
    rng = PCG32(seed)
    table = refilled(Embedding(6, 3, rng=PCG32(0)), rng)
    ids = np.array([rng.below(6) for _ in range(10)])
    found = traced(table, ids.reshape(2, 5), rng, "table")
    for name, wrong in (("below", -1 - rng.below(3)), ("above", 6 + rng.below(3))):
        found[name] = np.zeros(0, dtype=np.float32)
        with contextlib.suppress(ValueError, IndexError):
            found[name] = table(np.array([wrong])).data
    return found
