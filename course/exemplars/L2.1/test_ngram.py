"""A careful student's tests of L2.1: the given one, the chapter's list, and what its faults taught."""

import json
import math

import numpy as np
import pytest

from tinyllm.io.safetensors import load_safetensors
from tinyllm.lm.ngram import NGramLM

TEXT = [0, 1, 2, 0, 1, 3, 0, 1, 2, 2, 0, 3, 1, 0, 1, 2, 4, 0, 0, 1]
LINES = [[0, 1, 2, 0], [0, 1], [2, 1, 1, 0, 3], [0, 2, 2]]


def distribution(model, history):
    return np.array([model.prob(history, token) for token in range(model.vocab_size)])


def repeated(counts):
    return [token for token, count in enumerate(counts) for _ in range(count)]


def test_hand_example_after_each_token():
    """Of c a c a b b, with the discount 1/2: a was seen twice, but only after c, so elsewhere it is rare."""
    a, b, c = 0, 1, 2
    model = NGramLM(2, discount=0.5).fit([c, a, c, a, b, b])
    assert [model.prob([a], token) for token in (a, b, c)] == pytest.approx([0.1, 0.45, 0.45])
    assert [model.prob([c], token) for token in (a, b, c)] == pytest.approx([0.8, 0.1, 0.1])


def test_order_three_by_hand():
    model = NGramLM(3, discount=0.5).fit([2, 0, 2, 0, 1, 1])
    assert model.prob([2, 0], 1) == pytest.approx(0.475)
    assert model.prob([2], 0) == pytest.approx(0.9)


def test_order_one_with_three_discounts():
    """Counts 3 and 1 fall back to 1.5 and 0.5: two of four are handed down, one to each."""
    model = NGramLM(1).fit([0, 0, 0, 1])
    assert distribution(model, []) == pytest.approx([1.5 / 4 + 0.25, 0.5 / 4 + 0.25])


def test_discounts_are_estimated():
    assert NGramLM(1).fit(repeated([1, 1, 1, 1, 2, 2, 3, 4, 9])).discounts(1) == pytest.approx(
        (0.5, 1.25, 1.0)
    )
    assert NGramLM(2, 0.3).fit(TEXT).discounts(2) == (0.3, 0.3, 0.3)


@pytest.mark.parametrize("counts", [[1, 1, 2, 3, 3, 3, 4], [1, 1, 2, 2, 3, 4, 4, 4], [1, 2, 3], [5]])
def test_discounts_fall_back(counts):
    assert NGramLM(1).fit(repeated(counts)).discounts(1) == (0.5, 1.0, 1.5)


@pytest.mark.parametrize("discount", ["modified", 0.4, 1.0])
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("ids", [TEXT, LINES], ids=["text", "lines"])
def test_distributions_sum_to_one(n, discount, ids):
    model = NGramLM(n, discount, vocab_size=6).fit(ids)
    for history in ([], [0], [0, 1], [5], [4, 5, 0], TEXT):
        p = distribution(model, history)
        assert p.sum() == pytest.approx(1) and p.min() > 0
        assert np.exp(model.logprobs(history)) == pytest.approx(p)


def test_unseen_contexts_hand_all_down():
    model = NGramLM(2, 0.5, vocab_size=4).fit([0, 1, 0, 2])  # 0 follows <s> and 1, 1 and 2 follow 0
    for context in (2, 3):
        assert distribution(model, [context]) == pytest.approx(
            [1.5 / 4 + 0.375 / 4, 0.125 + 0.375 / 4, 0.125 + 0.375 / 4, 0.375 / 4]
        )


def test_beginnings_keep_their_plain_counts():
    """Three of four lines begin with 0. Order 2 of 3: (3 - .5) / 4 and half a token in four handed down, twice."""
    model = NGramLM(3, 0.5).fit([[0, 1], [0, 1], [0, 0], [1, 0]])
    below = NGramLM(2, 0.5).fit([[0, 1], [0, 1], [0, 0], [1, 0]])
    assert model.prob([], 0) == pytest.approx(below.prob([], 0))


def test_a_line_begins_with_its_start():
    model = NGramLM(3, 0.5).fit(LINES)
    assert model.nll([LINES[0], LINES[2]]).tolist() == [*model.nll(LINES[0]), *model.nll(LINES[2])]


def test_nll_is_prob_of_every_token():
    model = NGramLM(3).fit(LINES)
    costs = model.nll(TEXT[:15])
    assert len(costs) == 15
    assert costs == pytest.approx([-math.log(model.prob(TEXT[:t], TEXT[t])) for t in range(15)])


def test_only_the_end_of_a_history_counts():
    model = NGramLM(3, 0.5).fit(TEXT)
    assert distribution(model, [3, 1, 0, 1]) == pytest.approx(distribution(model, [2, 2, 0, 1]))
    assert distribution(model, [3, 1, 0, 1]) == pytest.approx(distribution(model, [0, 1]), rel=1e-9)


def test_perplexity():
    model = NGramLM(2).fit(TEXT)
    assert model.perplexity(LINES) == pytest.approx(math.exp(model.nll(LINES).mean()))


def test_a_second_fit_forgets_the_first():
    again = NGramLM(2, vocab_size=5).fit([4, 4, 4]).fit(TEXT)
    assert again.nll(TEXT).tolist() == NGramLM(2).fit(TEXT).nll(TEXT).tolist()


@pytest.mark.parametrize("discount", ["modified", 0.4])
def test_save_and_load(discount, tmp_path):
    model = NGramLM(3, discount).fit(LINES)
    model.save(str(tmp_path / "kn"))
    config = json.loads((tmp_path / "kn" / "config.json").read_text(encoding="utf-8"))
    assert config["tl_arch"] == "ngram" and config["tl_order"] == 3
    tensors = load_safetensors(str(tmp_path / "kn" / "model.safetensors"))
    assert len(tensors) == 9
    assert NGramLM.load(str(tmp_path / "kn")).nll(LINES).tolist() == model.nll(LINES).tolist()


@pytest.mark.parametrize("ids", [[], [-1], [7], [0.5]])
def test_ids_that_are_none(ids):
    with pytest.raises(ValueError):
        NGramLM(2, vocab_size=7).fit(ids)
