"""Course tests of L0.5, the bigram models: counted, trained, and each against the other.

They measure with the frozen kit; the loss of the trained table is one node made here by from_op, so that no
other unit's losses are judged. The ids s01 .. s25 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal, corpus, draw, golden
from tinyllm.autograd.tensor import Tensor, from_op
from tinyllm.lm.bigram import BigramLM, BigramLogits
from tinyllm.nn.layers import Embedding
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

A, B, C = 0, 1, 2
HAND = [A, B, A, C, A, B]  # the worked example: the pairs ab twice, ac, ba, ca
COUNTS = [[0, 2, 1], [1, 0, 0], [1, 0, 0]]


def float64(values: Any) -> NDArray[np.float64]:
    return as_array(values, np.float64)


def int64(values: Any) -> NDArray[np.int64]:
    return as_array(values, np.int64)


def probabilities(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Each row's softmax, in float64."""
    weights = np.exp(float64(logits) - float64(logits).max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def mean_nll(model: Any, batch: Any) -> Tensor:
    """The mean of -ln softmax(logits)[y] as one node; its gradient is (p - onehot(y)) / N."""
    logits, y = model(batch["x"]), batch["y"]
    p, rows = probabilities(logits.data), np.arange(len(y))
    off = p.copy()
    off[rows, y] -= 1.0
    off /= len(y)
    loss = -np.log(p[rows, y]).mean()
    dtype = logits.data.dtype
    return from_op(np.asarray(loss, dtype), [logits], lambda g: [(off * g).astype(dtype)], "mean_nll")


def pairs(ids: Any) -> dict[str, NDArray[np.int64]]:
    return {"x": int64(ids)[:-1], "y": int64(ids)[1:]}


def test_counts_and_probabilities_by_hand() -> None:
    """The worked example's table: pairs counted, each as often as it stands there, and smoothed.

    Every perplexity of the course is compared with a table of counts. Catches s09 (a pair counted once a
    call) and s20 (counted the other way round).
    """
    model = BigramLM(3).fit(HAND)
    known = {
        "the table is turned round: the row is the token before": np.transpose(COUNTS),
        "a pair that occurs twice was counted once": [[0, 1, 1], [1, 0, 0], [1, 0, 0]],
    }
    assert_equal(model.counts, int64(COUNTS), of="the counts", known_wrong=known)
    assert_close(model.logprobs(A), np.log([1 / 6, 3 / 6, 2 / 6]), rtol=1e-12, atol=0, of="ln P(. | a)")
    half = BigramLM(3, alpha=0.5).fit(HAND)
    assert_close(half.logprobs(B), np.log([0.6, 0.2, 0.2]), rtol=1e-12, atol=0, of="ln P(. | b), alpha 0.5")
    assert_close(BigramLM(4).logprobs(2), np.log([0.25] * 4), rtol=1e-12, atol=0, of="ln P of nothing")


def test_every_token_but_the_first_is_scored() -> None:
    """The costs of a b b are ln 2 and ln 4, their perplexity is the root of 8: two tokens are scored.

    A figure over other tokens is no figure to compare with. Catches s11 (the first is scored as well) and
    s10 (smoothing that sums to more than 1).
    """
    model = BigramLM(3).fit(HAND)
    known = {
        "the first token is scored too, as if all were equally likely": np.log([3.0, 2.0, 4.0]),
        "alpha stands once below the fraction bar: it is added for each of the V tokens": np.log([4 / 3, 2]),
    }
    assert_close(model.nll([A, B, B]), np.log([2.0, 4.0]), 1e-12, 0, of="the costs", known_wrong=known)
    assert_close(float64(model.perplexity([A, B, B])), math.sqrt(8.0), rtol=1e-12, atol=0, of="perplexity")
    assert model.nll([C]).shape == (0,)
    for previous in (A, B, C):
        costs = [float(model.nll([previous, token])[0]) for token in (A, B, C)]
        assert_close(float64(costs), -model.logprobs(previous), rtol=1e-12, atol=0, of="costs one by one")
        total = np.exp(-float64(costs)).sum()
        assert_close(float64(total), 1.0, rtol=1e-12, atol=0, of="the sum of all probabilities")


def test_fitting_again_counts_on() -> None:
    """A second text adds to the first, and no pair joins the two: corpora come in many files. Catches s21."""
    model = BigramLM(3)
    assert model.fit([A, B]) is model
    known = {"only the last text is counted: fit adds to what is there": [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}
    want = int64([[0, 1, 0], [0, 0, 0], [1, 0, 0]])
    assert_equal(model.fit([C, A]).counts, want, of="the counts of two texts", known_wrong=known)
    assert_equal(model.fit([B]).fit([]).counts, want, of="the counts after texts without a pair")


def test_the_stories_have_the_perplexity_of_their_pairs() -> None:
    """On the course's corpus the table is that of a plain count, and its perplexity the chapter's.

    The figure that every later model is to beat. Catches s09, s20 and s10, on 280,000 pairs.
    """
    train, held_out = int64(corpus("ms-l2", "train")), int64(corpus("ms-l2", "val"))
    counts = np.zeros((256, 256))
    np.add.at(counts, (train[:-1], train[1:]), 1)
    smooth = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 256)
    want = np.exp(-np.log(smooth[held_out[:-1], held_out[1:]]).mean())
    model = BigramLM(256).fit(corpus("ms-l2", "train"))
    assert_close(float64(model.perplexity(held_out)), want, rtol=1e-9, atol=0, of="the perplexity")


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.0])
def test_a_sample_is_the_draw_that_every_model_shares(temperature: float) -> None:
    """The contract's draw, rebuilt: one generator a call, one uniform a token. One seed, one text.

    Catches s22 (temperature multiplied) and s23 (a new generator for each token).
    """
    ids = PCG32(8)
    model = BigramLM(6, alpha=0.2).fit([ids.below(6) for _ in range(60)])
    prefix, n, seed = [1, 5], 40, 11

    def drawn(t: float, anew: bool = False, stuck: bool = False) -> NDArray[np.int64]:
        rng, new = PCG32(seed), [prefix[-1]]
        for _ in range(n):
            rng = PCG32(seed) if anew else rng
            new.append(draw(model.logprobs(prefix[-1] if stuck else new[-1]), t, rng))
        return int64(new[1:])

    known = {
        "the log-probabilities were multiplied by the temperature: they are divided by it": lambda: drawn(
            1 / temperature
        ),
        "every token was drawn from the start of the seed: one generator serves the call": lambda: drawn(
            temperature, anew=True
        ),
        "every token was drawn after the prefix: each is drawn after the one before it": lambda: drawn(
            temperature, stuck=True
        ),
    }
    sample = model.sample(prefix, n, temperature, seed)
    assert_equal(int64(sample), drawn(temperature), of="the sample", known_wrong=known)
    assert {type(token) for token in sample} == {int}
    assert sample == model.sample(prefix, n, temperature, seed) != model.sample(prefix, n, temperature, 12)
    assert model.sample(prefix, 0, temperature, seed) == []


def test_greedy_takes_the_lowest_of_equals() -> None:
    """Temperature 0 draws nothing and takes the first greatest: every engine has this rule. Catches s24."""
    assert BigramLM(4).sample([3], 3, 0.0, seed=1) == [0, 0, 0]
    assert BigramLM(3).fit([A, B, A, C]).sample([A], 1, 0.0, seed=1) == [B]
    assert BigramLM(3).fit(HAND).sample([C], 4, 0.0, seed=1) == [A, B, A, B]


def test_the_table_of_logits_is_an_embedding() -> None:
    """`table` is Embedding(V, V), drawn by the rng given; a row is the logits of what follows a token.

    A seed fixes the table, and files name it. Catches s25, one start for all seeds.
    """
    model = BigramLogits(5, rng=PCG32(1))
    assert list(model.state_dict()) == ["table.weight"]
    assert_equal(model.table.weight.data, Embedding(5, 5, rng=PCG32(1)).weight.data, of="the table")
    ids = [[4, 0], [2, 2]]
    assert_equal(model(ids).data, model.table.weight.data[int64(ids)], of="the logits")


def test_the_gradient_is_what_was_predicted_minus_what_came() -> None:
    """Row a of the table gets (N_a p_a - counts_a) / N: the counts again, out of the autograd.

    A row whose token occurs twice gets both shares. Catches s12, a table read past the graph.
    """
    model = BigramLogits(3)
    model.load_state_dict({"table.weight": np.zeros((3, 3))})
    mean_nll(model, pairs(HAND)).backward()
    want = np.array([[0.2, -0.2, 0.0], [-2 / 15, 1 / 15, 1 / 15], [-2 / 15, 1 / 15, 1 / 15]], np.float32)
    got = model.table.weight.grad
    assert got is not None, "table.weight got no gradient: nothing leads from the loss back to it"
    assert_close(got, want, rtol=1e-5, atol=1e-7, of="table.weight.grad")


def test_golden_torch() -> None:
    """Twelve steps over three epochs, with momentum, decay and clip, are torch's; so is the evaluation.

    torch is the oracle for every later model. Catches s01, s05, s16, s02 and s18, each by its own column.
    """
    expected = golden("L0.5/loop.safetensors")
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    given = expected.tensors
    model = BigramLogits(len(given["start"]))
    model.load_state_dict({"table.weight": given["start"]})
    opt = SGD(model.parameters(), 0.5, momentum=0.9, weight_decay=0.01)
    loader = DataLoader(pairs(given["ids"]), 8, shuffle=False, rng=None)
    reports = [train_step(model, batch, mean_nll, opt, clip=0.25) for _ in range(3) for batch in loader]
    assert_close(float64([each["loss"] for each in reports]), given["losses"], **near, of="the losses")
    assert_close(float64([each["grad_norm"] for each in reports]), given["norms"], **near, of="the norms")
    assert_close(model.table.weight.data, given["end"], **near, of="the table after training")
    held_out = DataLoader(pairs(given["held_out"]), 8, shuffle=False, rng=None, drop_last=False)
    report = evaluate(model, held_out, mean_nll)
    assert_close(float64(report["loss"]), given["held_out_loss"], **near, of="the held-out loss")


def test_training_the_table_finds_what_counting_finds() -> None:
    """Gradient descent ends where the counts are: both are the one best table for these pairs.

    The two ways to a language model meet here. Catches s01 and s12, which end elsewhere or nowhere.
    """
    rng = PCG32(4)
    ids = [min(rng.below(4), rng.below(4)) for _ in range(200)]
    best = float(BigramLM(4, alpha=1e-9).fit(ids).nll(ids).mean())
    model = BigramLogits(4)
    opt = SGD(model.parameters(), 2.0)
    loader = DataLoader(pairs(ids), len(ids) - 1, shuffle=True, rng=PCG32(0))
    losses = [train_step(model, batch, mean_nll, opt)["loss"] for _ in range(300) for batch in loader]
    assert losses[0] > best + 0.2
    assert best - 1e-6 < losses[-1] < best + 1e-3


def test_what_is_no_sequence_of_ids_is_refused() -> None:
    """ValueError at the call; -1 would be the last row of a table. Catches s13."""
    model = BigramLM(3).fit(HAND)
    for ids in ([A, 3], [A, -1], [0.5, 1.0], [[A, B]], 1):
        refuses(model.fit, ids)
        refuses(model.nll, ids)
        refuses(model.sample, ids, 1, 1.0, 0)
    for previous in (3, -1):
        refuses(model.logprobs, previous)
    for ids in ([A], []):
        refuses(model.perplexity, ids)
    for prefix, n, temperature in (([], 1, 1.0), ([A], -1, 1.0), ([A], 1, -1.0)):
        refuses(model.sample, prefix, n, temperature, 0)
    for vocab, alpha in ((0, 1.0), (3, 0.0), (3, -1.0), (3, math.nan)):
        refuses(BigramLM, vocab, alpha)
    refuses(BigramLogits, 0)
    assert_equal(model.counts, int64(COUNTS), of="the counts, after texts that were refused")


def refuses(call: Any, *args: Any) -> None:
    """ValueError, and no other outcome."""
    with pytest.raises(ValueError):
        call(*args)
