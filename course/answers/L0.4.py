"""What the blanks of L0.4 come out as, computed by contract names."""

from __future__ import annotations

import numpy as np

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding, LayerNorm, Linear, Sequential, Tanh
from tinyllm.nn.module import Module


class Reader(Module):
    """A model of some parts; head and table share one matrix."""

    def __init__(self) -> None:
        self.table = Embedding(5, 4)
        self.width = 4
        self.body = Sequential(Tanh(), Linear(4, 4))
        self.head = Linear(4, 5)
        self.head.weight = self.table.weight
        self.gain = Tensor([1.0], requires_grad=True)


def hand_linear() -> Linear:
    layer = Linear(2, 2)
    layer.load_state_dict({"weight": [[1.0, -2.0], [0.5, 3.0]], "bias": [0.25, -1.0]})
    return layer


def answer_linear() -> list[float]:
    return [float(value) for value in hand_linear()(Tensor([2.5, -1.5])).data]


def answer_weight_gradient() -> list[list[float]]:
    layer = hand_linear()
    layer(Tensor([[2.5, -1.5], [1.0, 2.0]])).backward([[2.0, -3.0], [1.0, 4.0]])
    rows = np.zeros((2, 2)) if layer.weight.grad is None else layer.weight.grad
    return [[float(value) for value in row] for row in rows]


def answer_normed() -> list[float]:
    layer = LayerNorm(2, eps=7.0)
    layer.load_state_dict({"weight": [2.5, 3.0], "bias": [0.5, -1.0]})
    return [float(value) for value in layer(Tensor([2.0, 8.0])).data]


def answer_reader_names() -> list[str]:
    return [name for name, _ in Reader().named_parameters()]


def answer_reader_size() -> int:
    return sum(int(tensor.data.size) for tensor in Reader().parameters())
