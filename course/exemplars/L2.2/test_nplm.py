"""A careful student's tests of L2.2: the given one, the chapter's list, and perplexity, clip and momentum."""

import json
import math

import numpy as np
import pytest

from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm, train_nplm, windows
from tinyllm.nn.layers import Embedding, Linear
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step


def model(direct=True):
    return NPLM(5, 2, 3, 4, direct=direct, rng=PCG32(1))


def parameters(m):
    named = {"emb.weight": m.emb.weight, "hidden.weight": m.hidden.weight, "hidden.bias": m.hidden.bias}
    named |= {"out.weight": m.out.weight, "out.bias": m.out.bias}
    return named | ({"direct.weight": m.direct.weight} if m.direct is not None else {})


def mean_loss(m, batch):
    return cross_entropy(m(batch["x"]), batch["y"])


def loop(m, ids, steps, batch_size, rng, clip=None, **sgd):
    """The training loop, rebuilt: one SGD, one loader, as many epochs as the steps take."""
    x, y = windows(ids, m.context)
    loader = DataLoader({"x": x, "y": y}, batch_size, shuffle=True, rng=rng)
    opt, losses = SGD(m.parameters(), **sgd), []
    while True:
        for batch in loader:
            if len(losses) == steps:
                return losses
            losses.append(train_step(m, batch, mean_loss, opt, clip=clip)["loss"])


SENTENCE = [0, 1, 2, 3, 4, 2, 0, 3, 1, 4, 4, 2, 1]


def test_hand_example_logits():
    """Window (a, c): x = (1, -1), h = tanh 1, logits (1 + tanh 1, 0.5, -1 - tanh 1)."""
    m = NPLM(3, 2, 1, 1, rng=PCG32(0))
    m.load_state_dict(
        {
            "emb.weight": [[1.0], [0.0], [-1.0]],
            "hidden.weight": [[0.5, -0.5]],
            "hidden.bias": [0.0],
            "out.weight": [[1.0], [0.0], [-1.0]],
            "out.bias": [0.0, 0.5, 0.0],
            "direct.weight": [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
        }
    )
    t = math.tanh(1.0)
    np.testing.assert_allclose(m(np.array([[0, 2]])).data, [[1 + t, 0.5, -1 - t]], rtol=1e-6)


def test_windows_of_a_short_sequence():
    x, y = windows([5, 6, 7, 8], 2)
    assert x.tolist() == [[5, 6], [6, 7]]
    assert y.tolist() == [7, 8]


@pytest.mark.parametrize("direct", [True, False])
def test_every_parameter_gets_a_gradient(direct):
    m = model(direct)
    x, y = windows(SENTENCE, 2)
    cross_entropy(m(x), y).backward()
    for name, p in parameters(m).items():
        assert p.grad is not None, name
        assert p.grad.shape == p.data.shape
        assert np.abs(p.grad).max() > 0, name


def test_embedding_gradient_against_finite_differences():
    m = model()
    for p in parameters(m).values():
        p.data = p.data.astype(np.float64)
    x, y = windows(SENTENCE, 2)
    cross_entropy(m(x), y).backward()
    table = m.emb.weight
    for place in ((0, 0), (2, 1), (4, 2)):
        kept, losses = table.data[place], []
        for moved in (kept + 1e-5, kept - 1e-5):
            table.data[place] = moved
            losses.append(float(cross_entropy(m(x), y).data))
        table.data[place] = kept
        assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(float(table.grad[place]), rel=1e-5, abs=1e-8)


def test_state_dict_names():
    names = ["emb.weight", "hidden.weight", "hidden.bias", "out.weight", "out.bias", "direct.weight"]
    assert list(model().state_dict()) == names
    assert list(model(direct=False).state_dict()) == names[:-1]


def test_one_generator_draws_every_layer():
    m, rng = NPLM(5, 2, 3, 4), PCG32(0).substream("init")
    layers = [Embedding(5, 3, rng=rng), Linear(6, 4, rng=rng), Linear(4, 5, rng=rng)]
    layers.append(Linear(6, 5, bias=False, rng=rng))
    for mine, layer in zip([m.emb, m.hidden, m.out, m.direct], layers, strict=True):
        np.testing.assert_array_equal(mine.weight.data, layer.weight.data)


def test_nll_is_the_cross_entropy_of_each_window():
    m = model()
    x, y = windows(SENTENCE, 2)
    want = [float(cross_entropy(m(x[i : i + 1]), y[i : i + 1]).data) for i in range(len(y))]
    np.testing.assert_allclose(m.nll(SENTENCE), want, rtol=1e-5)
    np.testing.assert_allclose(m.nll(SENTENCE, batch_size=3), want, rtol=1e-5)


def test_perplexity_is_exp_of_the_mean_nll():
    assert model().perplexity(SENTENCE) == pytest.approx(math.exp(model().nll(SENTENCE).mean()), rel=1e-9)


def test_ties_go_to_the_lowest_id():
    m = model()
    for p in parameters(m).values():
        p.data[...] = 0.0
    assert m.generate([3, 4], 4, 0.0, 0) == [0, 0, 0, 0]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_long_prompt_conditions_on_its_end(temperature):
    m = model()
    want = m.generate([3, 1], 8, temperature, 6)
    assert m.generate([0, 2, 4, 3, 1], 8, temperature, 6) == want
    assert m.generate([4, 4, 4, 3, 1], 8, temperature, 6) == want


def test_greedy_follows_the_largest_logit():
    m, ids = model(), [2, 0]
    for _ in range(6):
        ids.append(int(np.argmax(m(np.array([ids[-2:]])).data[0])))
    assert m.generate([2, 0], 6, 0.0, 0) == ids[2:]


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_training_is_the_loop_across_epochs(momentum):
    mine, twin = model(), model()
    losses = train_nplm(mine, SENTENCE, 7, 3, 0.2, PCG32(3), momentum=momentum, weight_decay=0.01)
    assert losses == loop(twin, SENTENCE, 7, 3, PCG32(3), lr=0.2, momentum=momentum, weight_decay=0.01)
    assert len(losses) == 7
    for name, p in parameters(mine).items():
        np.testing.assert_array_equal(p.data, parameters(twin)[name].data)


def test_training_clips_its_gradients():
    losses = train_nplm(model(), SENTENCE, 5, 3, 1.0, PCG32(3), clip=0.1)
    assert losses == loop(model(), SENTENCE, 5, 3, PCG32(3), clip=0.1, lr=1.0)


def test_a_repeating_pattern_is_learned():
    losses = train_nplm(model(), [0, 1, 2, 3] * 10, 60, 8, 0.3, PCG32(4), momentum=0.9)
    assert losses[-1] < 0.1 * losses[0]


@pytest.mark.parametrize("direct", [True, False])
def test_save_and_load(direct, tmp_path):
    m, x = model(direct), windows(SENTENCE, 2)[0]
    save_nplm(m, str(tmp_path / "model"))
    config = json.loads((tmp_path / "model" / "config.json").read_text(encoding="utf-8"))
    assert config["tl_arch"] == "nplm"
    assert config["tl_direct"] is direct
    np.testing.assert_array_equal(load_nplm(str(tmp_path / "model"))(x).data, m(x).data)


@pytest.mark.parametrize("window", [[[0]], [[0, 5]], [[0, -1]]])
def test_a_bad_window_is_refused(window):
    with pytest.raises(ValueError):
        model()(np.array(window))
