import numpy as np
import pytest

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding, LayerNorm, Linear, Sequential, Tanh
from tinyllm.nn.module import Module

# Work these five out on paper, from the rules in the chapter, before you write any code. The Linear below has
# W = [[1, -2], [0.5, 3]] and b = [0.25, -1]; it meets x = [2.5, -1.5].
LINEAR = [5.75, -4.25]  # by hand: what it makes of x, a list
WEIGHT_GRADIENT = [[6.0, -1.0], [-3.5, 12.5]]  # by hand: W's gradient in the test below, a list of rows
NORMED = [-1.375, 1.25]  # by hand: LayerNorm of [2, 8], eps 7, weight [2.5, 3], bias [0.5, -1]
READER_NAMES = ["table.weight", "body.1.weight", "body.1.bias", "head.bias", "gain"]  # by hand, in order
READER_SIZE = 46  # by hand: how many values all parameters of Reader hold together


class Reader(Module):
    """A model of some parts; head and table share one matrix."""

    def __init__(self):
        self.table = Embedding(5, 4)
        self.width = 4
        self.body = Sequential(Tanh(), Linear(4, 4))
        self.head = Linear(4, 5)
        self.head.weight = self.table.weight
        self.gain = Tensor([1.0], requires_grad=True)


def hand_linear():
    layer = Linear(2, 2)
    layer.load_state_dict({"weight": [[1.0, -2.0], [0.5, 3.0]], "bias": [0.25, -1.0]})
    return layer


def test_linear():
    assert hand_linear()(Tensor([[2.5, -1.5]])).data[0].tolist() == LINEAR


def test_the_gradients_of_linear_are_summed_over_the_rows():
    layer = hand_linear()
    layer(Tensor([[2.5, -1.5], [1.0, 2.0]])).backward([[2.0, -3.0], [1.0, 4.0]])
    assert layer.weight.grad.tolist() == WEIGHT_GRADIENT
    assert layer.bias.grad.tolist() == [3.0, 1.0]


def test_layer_norm():
    layer = LayerNorm(2, eps=7.0)
    layer.load_state_dict({"weight": [2.5, 3.0], "bias": [0.5, -1.0]})
    assert layer(Tensor([2.0, 8.0])).data.tolist() == pytest.approx(NORMED)


def test_names_are_paths_in_the_order_of_assignment():
    assert [name for name, _ in Reader().named_parameters()] == READER_NAMES
    assert list(Reader().state_dict()) == READER_NAMES


def test_a_shared_matrix_counts_once():
    assert sum(tensor.data.size for tensor in Reader().parameters()) == READER_SIZE


def test_loading_fills_the_arrays_that_are_there():
    model = Reader()
    held = model.table.weight.data
    state = {name: array + 1 for name, array in model.state_dict().items()}
    model.load_state_dict(state)
    np.testing.assert_array_equal(held, state["table.weight"])
    assert model.head.weight.data is held
    held[0, 0] = 50.0
    assert state["table.weight"][0, 0] != 50.0


def test_a_name_too_many_is_refused():
    model = Reader()
    with pytest.raises(KeyError):
        model.load_state_dict({**model.state_dict(), "tail.weight": [1.0]})


def test_eval_reaches_the_parts_of_parts():
    model = Reader()
    model.eval()
    assert not model.body[0].training
    assert Reader().body[0].training
