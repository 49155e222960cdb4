"""Course tests of L2.2, the neural probabilistic language model: the first failure says most.

They measure with the frozen kit alone. The loop they compare with is rebuilt from DataLoader and train_step
of L0.5 and SGD of M10.2. The ids s01 .. s12 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import (
    PCG32,
    as_array,
    assert_close,
    assert_equal,
    bar,
    central_differences,
    corpus,
    draw,
    golden,
    read_tensors,
)
from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm, train_nplm, windows
from tinyllm.nn.layers import Embedding, Linear
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step

Ids = NDArray[np.int64]

PARAMETERS = ("emb.weight", "hidden.weight", "hidden.bias", "out.weight", "out.bias", "direct.weight")
REVERSED = "these are the logits of each window read backwards: the oldest id comes first in x"
STUCK = "every id was drawn after the prefix's first ids: the window has to move on to the ids just before"
NO_DIRECT = "these are the logits without W x: the direct path adds nothing"
A, B, C = 0, 1, 2  # the tokens of the worked example, where every other size is 1
HAND: dict[str, Any] = {
    "emb.weight": [[1.0], [0.0], [-1.0]],
    "hidden.weight": [[0.5, -0.5]],
    "hidden.bias": [0.0],
    "out.weight": [[1.0], [0.0], [-1.0]],
    "out.bias": [0.0, 0.5, 0.0],
    "direct.weight": [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
}


def hand_model(direct: bool = True) -> NPLM:
    """The worked example's model, with or without its direct path."""
    model = NPLM(3, 2, 1, 1, direct=direct, rng=PCG32(0))
    model.load_state_dict({name: HAND[name] for name in names(direct)})
    return model


def small_model(direct: bool = True, seed: int = 3) -> NPLM:
    """A random model in which no two sizes are equal: V 7, c 3, m 4, h 5."""
    return NPLM(7, 3, 4, 5, direct=direct, rng=PCG32(seed))


def names(direct: bool) -> tuple[str, ...]:
    return PARAMETERS if direct else PARAMETERS[:-1]


def parameter(model: NPLM, name: str) -> Any:
    """The Tensor behind a name such as "hidden.bias"."""
    layer, attribute = name.split(".")
    return getattr(getattr(model, layer), attribute)


def grad_of(model: NPLM, name: str) -> Any:
    """The gradient of a parameter, which backward left there."""
    grad = parameter(model, name).grad
    if grad is None:
        raise AssertionError(f"{name} got no gradient: nothing leads from the loss back to it")
    return grad


def assert_same_weights(model: NPLM, other: NPLM) -> None:
    for name in PARAMETERS:
        assert_equal(parameter(model, name).data, parameter(other, name).data, of=name)


def float64(values: Any) -> NDArray[np.float64]:
    return as_array(values, np.float64)


def float32(values: Any) -> NDArray[np.float32]:
    return as_array(values, np.float32)


def int64(values: Any) -> Ids:
    return as_array(values, np.int64)


def random_ids(n: int, vocab: int = 7) -> Ids:
    rng = PCG32(11)
    return int64([rng.below(vocab) for _ in range(n)])


def windows_by_hand(ids: Ids, context: int) -> tuple[Ids, Ids]:
    """What windows promises, one row at a time."""
    return int64([ids[i : i + context] for i in range(len(ids) - context)]), ids[context:]


def logits_by_hand(values: dict[str, Any], ids: Ids) -> NDArray[Any]:
    """b + W x + U tanh(d + H x) on bare arrays; without W x where there is no direct.weight."""
    x = values["emb.weight"][ids].reshape(len(ids), -1)
    y = (
        values["out.bias"]
        + np.tanh(x @ values["hidden.weight"].T + values["hidden.bias"]) @ values["out.weight"].T
    )
    return np.asarray(y + x @ values["direct.weight"].T if "direct.weight" in values else y)


def costs_by_hand(logits: NDArray[Any], targets: Ids) -> NDArray[np.float64]:
    """-ln p of each target, where no logit is so great that its exponential overflows."""
    y = logits.astype(np.float64)
    return np.asarray(np.log(np.exp(y).sum(axis=1)) - y[np.arange(len(y)), targets])


def draws_by_hand(
    model: NPLM, prefix: list[int], n: int, temperature: float, seed: int, moves: bool = True
) -> list[int]:
    """What generate promises, one token at a time; or what it gives when the window never moves on."""
    ids, rng = list(prefix), PCG32(seed)
    for _ in range(n):
        window = ids[-model.context :] if moves else prefix[: model.context]
        ids.append(draw(model(int64([window])).data[0], temperature, rng))
    return ids[len(prefix) :]


def mean_loss(model: NPLM, batch: dict[str, Any]) -> Any:
    return cross_entropy(model(batch["x"]), batch["y"])


def loop_by_hand(
    model: NPLM, ids: Ids, steps: int, batch_size: int, rng: PCG32, clip: float | None = None, **sgd: Any
) -> list[float]:
    """What train_nplm promises: the loop of L0.5, with one SGD for all epochs."""
    x, y = windows_by_hand(ids, model.context)
    loader, optimizer = DataLoader({"x": x, "y": y}, batch_size, True, rng), SGD(model.parameters(), **sgd)
    epochs = itertools.chain.from_iterable(loader for _ in itertools.count())
    batches = itertools.islice(epochs, steps)
    return [train_step(model, batch, mean_loss, optimizer, clip=clip)["loss"] for batch in batches]


def forgetful_loop(model: NPLM, ids: Ids, steps: int, batch_size: int, rng: PCG32, **sgd: Any) -> list[float]:
    """What it gives with a new SGD for every epoch."""
    x, y = windows_by_hand(ids, model.context)
    loader = DataLoader({"x": x, "y": y}, batch_size, True, rng)
    losses: list[float] = []
    while len(losses) < steps:
        optimizer = SGD(model.parameters(), **sgd)
        losses += [train_step(model, batch, mean_loss, optimizer)["loss"] for batch in loader]
    return losses[:steps]


def test_windows_hand_example() -> None:
    """5 6 7 8 gives (5, 6) -> 7 and (6, 7) -> 8: every example and every scored token comes from here.

    Catches s05, targets shifted by one.
    """
    x, y = windows([5, 6, 7, 8], 2)
    assert_equal(x, int64([[5, 6], [6, 7]]), of="the windows")
    last = "these are the last ids of the windows themselves: a target is the id that comes after its window"
    assert_equal(y, int64([7, 8]), of="the targets", known_wrong={last: [6, 7]})
    x, y = windows(np.array([5, 6, 7], dtype=np.uint8), 1)
    assert_equal(x, int64([[5], [6]]))
    assert_equal(y, int64([6, 7]))


def test_hand_example_forward() -> None:
    """The worked example's logits, its mirror's, and those without W x: the layout every checkpoint shares.

    Catches s02 (newest first turns each window into its mirror) and s03 (W x is missing).
    """
    t = math.tanh(1.0)
    want = float32([[1 + t, 0.5, -1 - t], [-1 - t, 0.5, 1 + t]])
    wrong: Any = {REVERSED: want[::-1], NO_DIRECT: [[t, 0.5, -t], [-t, 0.5, t]]}
    logits = hand_model()(int64([[A, C], [C, A]])).data
    assert_close(logits, want, rtol=1e-6, atol=1e-7, of="the logits", known_wrong=wrong)
    plain = hand_model(direct=False)(int64([[A, C]]))
    assert_close(plain.data, float32([[t, 0.5, -t]]), rtol=1e-6, atol=1e-7, of="the logits without W")


def test_hand_example_gradient_reaches_the_bias() -> None:
    """Loss 0.272092, db = p - onehot(a), then U, d, H and C: one loss agreed on before any training.

    b was not in the window: its row's gradient is exactly 0. Catches s01, s02 and s03 by those shares.
    """
    model = hand_model()
    loss = cross_entropy(model(int64([[A, C]])), int64([A]))
    loss.backward()
    wrong = {
        "this is the loss of the window read backwards": 3.795280,
        "this is the loss without W x": 0.687048,
    }
    assert_close(float64(loss.data.item()), 0.272092, rtol=0, atol=1e-6, of="the loss", known_wrong=wrong)
    gradients = {
        "out.bias": [-0.238216, 0.215739, 0.022477],
        "out.weight": [[-0.181424], [0.164306], [0.017118]],
        "hidden.bias": [-0.109484],
        "hidden.weight": [[-0.109484, 0.109484]],
        "emb.weight": [[-0.292958], [0.0], [0.077219]],
    }
    for name, gradient in gradients.items():
        assert_close(grad_of(model, name), float32(gradient), rtol=0, atol=1e-6, of=f"{name}.grad")
    assert grad_of(model, "emb.weight")[B, 0] == 0.0


@pytest.mark.parametrize("direct", [True, False])
def test_golden_torch(direct: bool) -> None:
    """Logits, loss and gradients as torch has them from the same weights: the oracle of all later models.

    Ids repeat in and across windows. Catches s01 (no gradient at the table), s02 and s03 (other logits).
    """
    expected = golden("L2.2/nplm.safetensors")
    case = "with_direct/" if direct else "without_direct/"
    model = NPLM(11, 3, 4, 5, direct=direct, rng=PCG32(0))
    values = {name: expected.tensors[case + name] for name in names(direct)}
    model.load_state_dict(values)
    ids = expected.tensors[case + "ids"]
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    logits = model(ids)
    wrong: Any = {REVERSED: lambda: logits_by_hand(values, ids[:, ::-1])}
    wrong |= {NO_DIRECT: lambda: logits_by_hand({name: values[name] for name in names(False)}, ids)}
    assert_close(logits.data, expected.tensors[case + "logits"], **near, of="logits", known_wrong=wrong)
    loss = cross_entropy(logits, expected.tensors[case + "targets"])
    loss.backward()
    assert_close(float32(loss.data.item()), expected.tensors[case + "loss"], **near, of="loss")
    for name in names(direct):
        want = expected.tensors[f"{case}grad/{name}"]
        assert_close(grad_of(model, name), want, **near, of=f"{name}.grad")


def test_gradcheck_every_parameter() -> None:
    """Every gradient against central differences in float64: a table cut out of the graph never learns.

    Catches s01: the forward reads the table, so the difference is there, and the gradient is not.
    """
    model, (x, y) = small_model(), windows_by_hand(random_ids(9), 3)
    for name in PARAMETERS:
        parameter(model, name).data = parameter(model, name).data.astype(np.float64)
    cross_entropy(model(x), y).backward()
    for name in PARAMETERS:
        tensor = parameter(model, name)
        numeric = central_differences(lambda: cross_entropy(model(x), y).data.item(), tensor.data)
        assert_close(grad_of(model, name), numeric, rtol=1e-6, atol=1e-8, of=f"{name}.grad")


def test_state_dict_names_and_shapes() -> None:
    """Keys in registration order, their shapes, and F32: whoever loads finds them by these names."""
    shapes = ((7, 4), (5, 12), (5,), (7, 5), (7,), (7, 12))
    for direct in (True, False):
        model = small_model(direct)
        state = model.state_dict()
        assert tuple(state) == names(direct)
        assert tuple(value.shape for value in state.values()) == shapes[: len(state)]
        assert {value.dtype for value in state.values()} == {np.dtype(np.float32)}
        assert (model.direct is None) == (not direct)
        assert (model.vocab, model.context, model.d_emb, model.d_hidden) == (7, 3, 4, 5)


def test_init_draws_from_one_generator() -> None:
    """One generator draws all layers in order, the default one anew each time: a seed fixes the whole model.

    Catches s04: each layer restarts the default stream and repeats the draws of the others.
    """
    model, rng = small_model(seed=5), PCG32(5)
    assert_equal(model.emb.weight.data, Embedding(7, 4, rng=rng).weight.data)
    for name, n, m in (("hidden", 12, 5), ("out", 5, 7), ("direct", 12, 7)):
        drawn = Linear(n, m, bias=False, rng=rng)  # a bias draws nothing
        assert_equal(getattr(model, name).weight.data, drawn.weight.data, of=f"{name}.weight")
    default, twin = NPLM(7, 3, 4, 5), NPLM(7, 3, 4, 5, rng=PCG32(0).substream("init"))
    assert_same_weights(default, NPLM(7, 3, 4, 5))
    alone = "without an rng this layer began a stream of its own, with the draws that other layers began with"
    for name, n, m in (("hidden", 12, 5), ("out", 5, 7), ("direct", 12, 7)):
        got, want = (getattr(each, name).weight.data for each in (default, twin))
        wrong = {alone: Linear(n, m, bias=False).weight.data}
        assert_equal(got, want, of=f"{name}.weight", known_wrong=wrong)
    assert_same_weights(default, twin)
    fan_in = {"emb": 1, "hidden": 12, "out": 5, "direct": 12}  # a weight times its root is the bare draw
    starts = [getattr(default, name).weight.data.ravel()[:8] * math.sqrt(n) for name, n in fan_in.items()]
    for one, other in itertools.combinations(starts, 2):
        assert not np.allclose(one, other, rtol=1e-3)


def test_nll_matches_cross_entropy_per_window() -> None:
    """Each token's cost in float64, whatever the batch size; the mean is the loss, exp of it the perplexity.

    The milestone's perplexity and bits per byte rest on it. Catches s05 (the window's last token is
    scored) and s12 (the mean NLL handed out as a perplexity).
    """
    model, ids = small_model(), random_ids(30)
    x, y = windows_by_hand(ids, 3)
    logits = model(x).data
    want = costs_by_hand(logits, y)
    wrong = {
        "these are the costs of the windows' last ids, which the model was shown": costs_by_hand(
            logits, x[:, -1]
        )
    }
    assert_close(model.nll(ids), want, rtol=1e-6, atol=1e-7, of="the costs", known_wrong=wrong)
    for size in (1, 4):
        costs = model.nll(ids, batch_size=size)
        assert_close(costs, want, rtol=1e-6, atol=1e-7, of=f"the costs in batches of {size}")
    mean = float64(model.nll(ids).mean())
    assert_close(float64(cross_entropy(model(x), y).data.item()), mean, rtol=1e-6, atol=0, of="the loss")
    wrong = {"this is the mean cost itself, in nats: a perplexity is its exponential": mean}
    perplexity = float64(model.perplexity(ids))
    assert_close(perplexity, np.exp(mean), rtol=1e-9, atol=0, of="the perplexity", known_wrong=wrong)
    sure, t = hand_model(direct=False), math.tanh(1.0)  # a costs 4e-9 here, which float32 cannot tell from 0
    parameter(sure, "out.bias").data[A] = 20.0
    costs = np.array([math.log1p(math.exp(0.5 - 20 - t) + math.exp(-20 - 2 * t))])
    assert_close(sure.nll([A, C, A]), costs, rtol=1e-4, atol=0, of="a tiny cost")
    steep = NPLM(2, 1, 1, 1, rng=PCG32(0))  # logits 3000, 2000 after A and their negatives after B
    values = {"emb.weight": [[1.0], [-1.0]], "direct.weight": [[3000.0], [2000.0]]}
    for name in PARAMETERS:
        parameter(steep, name).data[...] = values.get(name, 0.0)
    costs = float64([0, 1000, 1000, 0])
    assert_close(steep.nll([A, A, B, A, A]), costs, rtol=1e-6, atol=0, of="the costs of great logits")
    recorded: list[bool] = []

    class Watched(NPLM):
        def forward(self, ctx_ids: Any) -> Any:
            logits = super().forward(ctx_ids)
            recorded.append(logits.requires_grad)
            return logits

    Watched(7, 3, 4, 5, rng=PCG32(3)).nll(ids)
    assert not any(recorded), "nll keeps a graph that nobody will go back along"


def test_generate_seeded_and_greedy() -> None:
    """The contract's draw, rebuilt; one seed gives one text; temperature 0 is the argmax, step by step.

    The milestone generates twice and compares. Catches s06, which looks at one window for ever.
    """
    prefix = [1, 2, 3]
    for direct, temperature, seed in ((True, 1.0, 7), (True, 0.6, 8), (False, 2.5, 9), (True, 0.0, 7)):
        model = small_model(direct)
        for name in ("hidden.bias", "out.bias"):
            bias = parameter(model, name).data
            bias[...] = np.linspace(-1.0, 1.0, bias.size)  # a start has none, a trained model has
        ids, settings = model.generate(prefix, 25, temperature, seed), (prefix, 25, temperature, seed)
        wrong = {STUCK: draws_by_hand(model, *settings, moves=False)}
        assert_equal(int64(ids), int64(draws_by_hand(model, *settings)), of="the ids", known_wrong=wrong)
        assert ids == model.generate(*settings)
        assert {type(token) for token in ids} == {int}
    assert model.generate(prefix, 25, 1.0, 7) != model.generate(prefix, 25, 1.0, 8)
    assert model.generate(prefix, 0, 1.0, 7) == []
    for name in PARAMETERS:
        parameter(model, name).data[...] = 0.0
    parameter(model, "out.bias").data[1:] = 1.6e7 + np.arange(6)  # a third of it is too fine for float32
    ids = model.generate(prefix, 99, 3.0, 7)
    assert_equal(int64(ids), int64(draws_by_hand(model, prefix, 99, 3.0, 7)), of="the ids of great logits")


def test_greedy_ties_go_to_the_lowest_id() -> None:
    """A model of zeros ties every id at every step and decodes to 0: the rule that every engine shares.

    Catches s10, ties broken toward the highest id.
    """
    model = small_model()
    for name in PARAMETERS:
        parameter(model, name).data[...] = 0.0
    wrong = {"of equal logits the highest id was chosen: it is to be the lowest": [6, 6, 6, 6, 6]}
    ids = int64(model.generate([4, 5, 6], 5, 0.0, 1))
    assert_equal(ids, int64([0, 0, 0, 0, 0]), of="the ids", known_wrong=wrong)
    parameter(model, "out.bias").data[2:4] = 1.0
    ids = int64(model.generate([4, 5, 6], 3, 0.0, 1))
    assert_equal(ids, int64([2, 2, 2]), of="the ids of another tie")


def test_generate_uses_the_last_window() -> None:
    """A prompt longer than the window conditions on its end. Catches s06, which reads its first ids."""
    model, end = small_model(), [6, 0, 5]
    for temperature in (0.0, 1.0):
        want = model.generate(end, 12, temperature, 4)
        assert model.generate([1, 2, 3, 4, *end], 12, temperature, 4) == want
        assert model.generate([4, 4, 4, 4, *end], 12, temperature, 4) == want
        assert model.generate([1, 2, 3], 12, temperature, 4) != want


def test_train_nplm_is_the_l05_loop() -> None:
    """Ten steps over epochs of four batches equal the rebuilt loop bit for bit: a seed repeats a training.

    Two windows are left over each epoch. Catches s07 (momentum forgotten between epochs: with momentum 0
    nothing would show) and s08 (four steps only).
    """
    ids, settings = random_ids(4 * 6 + 2 + 3), {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}
    model, twin = small_model(), small_model()
    losses = train_nplm(model, ids, steps=10, batch_size=6, rng=PCG32(21), **settings)
    want = loop_by_hand(twin, ids, steps=10, batch_size=6, rng=PCG32(21), **settings)
    wrong: Any = {"training stopped after its first epoch, of four steps: ten were asked for": want[:4]}
    forgetful = "from the second epoch on the momentum is forgotten: one SGD serves all epochs"
    wrong[forgetful] = lambda: forgetful_loop(small_model(), ids, 10, 6, PCG32(21), **settings)
    assert_equal(losses, want, of="the losses", known_wrong=wrong)
    assert_same_weights(model, twin)


def test_train_nplm_runs_exactly_steps() -> None:
    """Where the windows make exactly one batch, three steps are three epochs: steps counts steps.

    Catches s08, training that stops at the end of the first epoch.
    """
    model, untouched, ids = small_model(), small_model(), random_ids(8 + 3)
    losses = train_nplm(model, ids, steps=3, batch_size=8, lr=0.1, rng=PCG32(2))
    assert len(losses) == 3, f"{len(losses)} of 3 losses came back"
    assert losses[0] > losses[1] > losses[2]
    assert len(train_nplm(small_model(), ids, steps=2, batch_size=1, lr=0.1, rng=PCG32(2))) == 2
    assert train_nplm(untouched, ids, steps=0, batch_size=8, lr=0.1, rng=PCG32(2)) == []
    assert_same_weights(untouched, small_model())


def test_train_nplm_passes_the_clip() -> None:
    """A run with a clip equals the rebuilt loop with it, not one without: long runs survive one bad batch.

    Catches s11, a clip that never reaches train_step.
    """
    ids, model, twin = random_ids(30), small_model(), small_model()
    losses = train_nplm(model, ids, steps=6, batch_size=9, lr=0.5, rng=PCG32(5), clip=0.5)
    want = loop_by_hand(twin, ids, steps=6, batch_size=9, lr=0.5, rng=PCG32(5), clip=0.5)
    unclipped = loop_by_hand(small_model(), ids, steps=6, batch_size=9, lr=0.5, rng=PCG32(5))
    wrong = {"these are the losses of a run without a clip: it has not come to train_step": unclipped}
    assert_equal(losses, want, of="the losses", known_wrong=wrong)
    assert_same_weights(model, twin)
    assert losses != train_nplm(small_model(), ids, steps=6, batch_size=9, lr=0.5, rng=PCG32(5))


def test_nplm_learns_the_corpus(record_property: Callable[[str, object], None]) -> None:
    """300 steps on 50 000 bytes reach the reference's perplexity on the validation text: the model learns.

    The upper bar is the reference's mean plus three deviations over five seeds, far below a bigram's 8.52: a
    training that stops after its 195-step epoch (s08) stays above it. The lower bar is the perplexity of the
    generator that wrote the text, which no honest model can pass: the copy task (s05) and a mean NLL called
    perplexity (s12) do.
    """
    reached = bar("L2.2", "corpus_perplexity")
    model = NPLM(256, 8, 16, 64, rng=PCG32(0).substream("init"))
    text = corpus("ms-l2", "train")[:50_000]
    train_nplm(model, text, 300, 256, lr=0.1, rng=PCG32(0).substream("shuffle"), momentum=0.9)
    perplexity = model.perplexity(corpus("ms-l2", "val"))
    record_property("corpus_perplexity", perplexity)
    told = f"a perplexity of {perplexity:.4g} on the validation text"
    assert perplexity >= reached.lower, f"{told}, where the text's own generator has {reached.lower:.4g}"
    assert perplexity <= reached.upper < 8.52, (
        f"{told}, where the reference has {reached.mean:.4g} on average"
    )


@pytest.mark.parametrize("direct", [True, False])
def test_save_load_roundtrip(direct: bool, tmp_path: Path) -> None:
    """The config exactly, F32 tensors with their metadata, and the same logits after loading.

    generate and eval load what lm train nplm wrote. Catches s09, the direct matrix not saved.
    """
    model, folder = small_model(direct), tmp_path / "models" / "nplm"
    save_nplm(small_model(not direct, seed=9), str(folder), tokenizer="file")  # to be replaced, wholly
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["tl_tokenizer"] == "file"
    save_nplm(model, str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors"]
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    sizes = {"vocab_size": 7, "tl_context": 3, "tl_d_emb": 4, "hidden_size": 5}
    kind = {"tl_arch": "nplm", "tl_format": 1, "tl_tokenizer": "bytes", "tl_direct": direct}
    assert config == {**kind, **sizes}
    tensors, metadata = read_tensors(folder / "model.safetensors")
    assert metadata == {"format": "tinyllm", "tl_arch": "nplm"}
    assert set(tensors) == set(names(direct))
    for name, values in tensors.items():
        assert_equal(values, parameter(model, name).data, of=name)
    loaded, x = load_nplm(str(folder)), windows_by_hand(random_ids(12), 3)[0]
    assert isinstance(loaded, NPLM)
    assert_equal(loaded(x).data, model(x).data)
    for name in names(direct):
        parameter(model, name).data = parameter(model, name).data.astype(np.float64)
    save_nplm(model, str(folder))
    assert {values.dtype for values in read_tensors(folder / "model.safetensors")[0].values()} == {
        np.dtype(np.float32)
    }
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").mkdir()  # no file can take its place: the save is cut short there
    with pytest.raises(OSError):
        save_nplm(model, str(folder))
    assert not (folder / "config.json").exists(), "a save cut short left the old config beside new tensors"


def test_input_validation(tmp_path: Path) -> None:
    """A caller's mistake fails at the call, not three modules later; half a directory is not loaded."""
    model, ids = hand_model(), int64([A, B, C, A, B])
    for sizes in ((0, 2, 1, 1), (3, 0, 1, 1), (3, 2, 0, 1), (3, 2, 1, 0)):
        refuses(NPLM, *sizes, rng=PCG32(0))
    for sequence, context in (([A, B], 0), ([A, B], 2), ([[A, B, C]], 1), ([0.0, 1.0, 2.0], 1)):
        refuses(windows, sequence, context)
    for window in ([[A]], [[A, B, C]], [A, B], [[A, -1]], [[A, 3]], [[0.0, 1.0]]):
        refuses(model, np.array(window))
    for sequence in ([A, B], [A, B, 3], [A, B, -1]):
        refuses(model.nll, sequence)
        refuses(model.perplexity, sequence)
    refuses(model.nll, ids, batch_size=0)
    for prefix in ([A], [A, 3], [A, -1]):
        refuses(model.generate, prefix, 1, 1.0, seed=0)
    refuses(model.generate, ids, -1, 1.0, seed=0)
    refuses(model.generate, ids, 1, -0.1, seed=0)
    refuses(train_nplm, model, ids, steps=-1, batch_size=2, lr=0.1, rng=PCG32(0))
    refuses(train_nplm, model, ids, steps=1, batch_size=4, lr=0.1, rng=PCG32(0))
    once_wrong = [*ids, *ids, *ids, 3]  # in a window that one step may never see
    refuses(train_nplm, model, once_wrong, steps=1, batch_size=1, lr=0.1, rng=PCG32(0))
    refuses(save_nplm, model, str(tmp_path / "none"), tokenizer="words")
    assert not (tmp_path / "none").exists()
    refuses_wrong_directories(model, tmp_path)


def refuses(call: Any, *args: Any, **options: Any) -> None:
    """ValueError, and no other outcome."""
    with pytest.raises(ValueError):
        call(*args, **options)


def refuses_wrong_directories(model: NPLM, folder: Path) -> None:
    """load_nplm with a config cut short, of another kind or format, lacking a key, of another model, and gone."""
    save_nplm(model, str(folder))
    path = folder / "config.json"
    text = path.read_text(encoding="utf-8")
    config = json.loads(text)
    lacking = [{key: config[key] for key in config if key != gone} for gone in config]
    others = [{**config, "tl_arch": "rnn"}, {**config, "tl_format": 2}]
    for wrong in (text[:-20], *map(json.dumps, [*others, *lacking])):
        path.write_text(wrong, encoding="utf-8")
        refuses(load_nplm, str(folder))
    path.write_text(json.dumps({**config, "tl_direct": False}), encoding="utf-8")
    with pytest.raises(KeyError):
        load_nplm(str(folder))
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load_nplm(str(folder))
