"""The n-gram model: its edges, its directory, and what it promises besides the numbers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tinyllm.lm.ngram import NGramLM, _intern

TEXT = b"the cat ran to the park. the dog ran to the park and the cat sat."


def test_a_bigram_by_hand() -> None:
    """Of a b a b b: the pairs <s>a, ab, ba, ab, bb; with the discount 1/2 and V = 2.

    Left neighbours: a has <s> and b, b has a and b; so P_1(a) = (2 - .5) / 4 + (1 / 4) (1 / 2) = 1 / 2.
    After a: only b, twice. P(b | a) = 1.5 / 2 + (.5 / 2) (1 / 2) = 7 / 8.
    """
    model = NGramLM(2, discount=0.5).fit([0, 1, 0, 1, 1])
    assert model.prob([0], 1) == pytest.approx(7 / 8)
    assert model.prob([0], 0) == pytest.approx(1 / 8)
    assert model.prob([], 0) == pytest.approx(1 - 0.5 + 0.5 * 0.5)  # <s> was followed by a alone


def test_one_sequence_and_a_list_of_one_are_the_same_model() -> None:
    one, several = NGramLM(3).fit(TEXT), NGramLM(3).fit([np.frombuffer(TEXT, np.uint8)])
    assert one.nll(TEXT).tolist() == several.nll([list(TEXT)]).tolist()
    assert one.nll([TEXT, TEXT]).tolist() == 2 * one.nll(TEXT).tolist()


def test_a_sequence_never_looks_across_into_another() -> None:
    lines = NGramLM(3).fit([[0, 1, 2], [2, 1, 0]])
    assert lines.nll([[0, 1, 2], [2, 1, 0]]).tolist() == [*lines.nll([0, 1, 2]), *lines.nll([2, 1, 0])]
    assert lines.nll([0, 1, 2, 2, 1, 0]).tolist()[3:] != lines.nll([2, 1, 0]).tolist()


def test_every_token_is_scored_and_the_start_is_not() -> None:
    model = NGramLM(4).fit(TEXT)
    assert model.nll(TEXT).shape == (len(TEXT),)
    assert model.nll([]).shape == (0,)
    assert model.perplexity(TEXT) == pytest.approx(math.exp(model.nll(TEXT).mean()))


def test_an_order_longer_than_every_sequence_still_works() -> None:
    model = NGramLM(5, vocab_size=3).fit([[0], [1]])
    assert np.isfinite(model.nll([0, 1, 2, 0, 1, 2])).all()
    assert np.exp(model.logprobs([0, 1, 2])).sum() == pytest.approx(1)


def test_a_high_order_over_a_large_vocabulary_does_not_overflow_the_keys() -> None:
    vocab = 50_257
    ids = [vocab - 1, 5, vocab - 1, 5, vocab - 1, 7] * 3
    model = NGramLM(12, vocab_size=vocab).fit(ids)
    assert model.prob(ids[:12], vocab - 1) > 0.5


@pytest.mark.parametrize("length", [0, 4, 5, 200])  # sorted up to 4, counted in a table from 5 on
def test_distinct_keys_are_the_same_sorted_or_counted(length: int) -> None:
    none, base = 40, 3
    keys = np.array([(7 * i * i + 41) % (none + base) for i in range(length)], dtype=np.int64)
    distinct, counts, rank = _intern(keys, none, base)
    grams = [key for key in keys.tolist() if key < none]
    assert distinct.tolist() == sorted(set(grams))
    assert counts.tolist() == [grams.count(key) for key in distinct]
    assert rank.tolist() == [distinct.tolist().index(k) if k < none else len(distinct) for k in keys.tolist()]


def test_a_certain_token_costs_nothing_rather_than_less() -> None:
    for length in range(20, 40):  # at 35 the sum 34.7 / 35 + 0.3 / 35 rounds to more than 1
        model = NGramLM(1, discount=0.3, vocab_size=1).fit([0] * length)
        assert model.perplexity([0] * length) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([1, 1, 1, 1, 2, 2, 3, 4, 9], (0.5, 2 - 3 * 0.5 / 2, 3 - 4 * 0.5)),
        ([1, 1, 2, 3, 3, 3, 4], (0.5, 1.0, 1.5)),  # D_2 would be 2 - 3 (1 / 2) 3 < 0
        ([1, 1, 2, 2, 3, 4, 4, 4], (0.5, 1.0, 1.5)),  # D_3 would be 3 - 4 (1 / 3) 3 < 0
        ([1, 2, 3], (0.5, 1.0, 1.5)),  # no count of 4
    ],
)
def test_discounts_follow_the_counts_of_counts(counts: list[int], expected: tuple[float, ...]) -> None:
    ids = [token for token, count in enumerate(counts) for _ in range(count)]
    assert NGramLM(1).fit(ids).discounts(1) == pytest.approx(expected)


def test_fit_forgets_what_was_counted_before() -> None:
    model = NGramLM(3, vocab_size=256)
    model.fit(b"something else altogether")
    assert model.fit(TEXT).nll(TEXT).tolist() == NGramLM(3, vocab_size=256).fit(TEXT).nll(TEXT).tolist()


def test_a_refused_fit_leaves_the_model_as_it_was() -> None:
    model = NGramLM(2)
    for wrong in ([-1], [3, -1], [[9], [0.5]]):
        with pytest.raises(ValueError, match="id"):
            model.fit(wrong)
    assert model.vocab_size is None
    costs = model.fit([0, 1, 4]).nll([0, 1, 4]).tolist()
    with pytest.raises(ValueError, match="id"):
        model.fit([5])
    assert model.vocab_size == 5 and model.nll([0, 1, 4]).tolist() == costs


def test_history_beyond_the_order_does_not_count() -> None:
    model = NGramLM(3, vocab_size=256).fit(TEXT)
    assert model.logprobs(b"xyz the").tolist() == model.logprobs(b"he").tolist()
    assert model.logprobs(b"the").tolist() == model.logprobs(b"he").tolist()
    assert model.logprobs(b"t").tolist() != model.logprobs(b" t").tolist()  # the first knows where it stands


def test_prob_and_nll_agree_bit_for_bit() -> None:
    model = NGramLM(4).fit(TEXT)
    probs = [model.prob(TEXT[:t], token) for t, token in enumerate(TEXT)]
    assert model.nll(TEXT).tolist() == [-np.log(p) for p in probs]


@pytest.mark.parametrize("discount", ["modified", 0.75])
def test_a_directory_gives_the_same_probabilities_bit_for_bit(tmp_path: Path, discount: str | float) -> None:
    model = NGramLM(4, discount, vocab_size=128).fit([TEXT[:30], TEXT[30:]])
    model.save(str(tmp_path / "kn"))
    again = NGramLM.load(str(tmp_path / "kn"))
    assert again.nll([TEXT, b"another text"]).tolist() == model.nll([TEXT, b"another text"]).tolist()
    assert [again.discounts(k) for k in (1, 2, 3, 4)] == [model.discounts(k) for k in (1, 2, 3, 4)]
    config = json.loads((tmp_path / "kn" / "config.json").read_text(encoding="utf-8"))
    assert config == {
        "tl_arch": "ngram",
        "tl_tokenizer": "bytes",
        "vocab_size": 128,
        "tl_format": 1,
        "tl_order": 4,
        "tl_discount": discount,
    }


def test_load_refuses_what_save_did_not_finish_or_did_not_write(tmp_path: Path) -> None:
    model = NGramLM(2).fit(TEXT)
    model.save(str(tmp_path))
    config = tmp_path / "config.json"
    written = json.loads(config.read_text(encoding="utf-8"))
    lacking = [{key: written[key] for key in written if key != gone} for gone in written]
    values = {"tl_arch": "nplm", "tl_format": 2, "tl_tokenizer": "words", "vocab_size": None, "tl_order": "2"}
    spoiled = [{**written, key: value} for key, value in values.items()]
    for wrong in ([1, 2], None, *spoiled, *lacking):
        config.write_text(json.dumps(wrong), encoding="utf-8")
        with pytest.raises(ValueError, match=r"holds (no n-gram|another kind of) model"):
            NGramLM.load(str(tmp_path))
    for key, value in (("tl_discount", [0.5]), ("vocab_size", 0), ("tl_order", 0)):
        config.write_text(json.dumps({**written, key: value}), encoding="utf-8")
        with pytest.raises(ValueError, match="must be"):
            NGramLM.load(str(tmp_path))
    config.write_text(json.dumps({**written, "tl_order": 3}), encoding="utf-8")
    with pytest.raises(KeyError, match="order3"):
        NGramLM.load(str(tmp_path))
    config.unlink()
    with pytest.raises(FileNotFoundError):
        NGramLM.load(str(tmp_path))


def test_a_save_that_breaks_off_leaves_no_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = NGramLM(2).fit(TEXT)
    model.save(str(tmp_path))

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("tinyllm.lm.ngram.save_safetensors", full)
    with pytest.raises(OSError, match="no space"):
        model.save(str(tmp_path))
    assert not (tmp_path / "config.json").exists()


@pytest.mark.parametrize("arguments", [(0,), (2, "plain"), (2, 0.0), (2, 1.5), (2, math.nan), (2, 1.0, 0)])
def test_an_impossible_model_is_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        NGramLM(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("ids", [[0, 3], [-1], [[0], [5]], [0.5], [[[0]]]])
def test_ids_that_are_none_are_refused_in_fit_and_nll(ids: object) -> None:
    with pytest.raises(ValueError, match="id"):
        NGramLM(2, vocab_size=3).fit(ids)
    with pytest.raises(ValueError, match="id"):
        NGramLM(2, vocab_size=3).fit([0, 1, 2]).nll(ids)


@pytest.mark.parametrize("vocab", [None, 3])
def test_a_model_that_was_not_fitted_says_so(vocab: int | None, tmp_path: Path) -> None:
    model = NGramLM(2, vocab_size=vocab)
    calls = [
        lambda: model.nll([0]),
        lambda: model.perplexity([0]),
        lambda: model.prob([], 0),
        lambda: model.logprobs([]),
        lambda: model.discounts(1),
        lambda: model.save(str(tmp_path)),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="call fit first"):
            call()


def test_the_other_wrong_calls_say_what_is_wrong(tmp_path: Path) -> None:
    model = NGramLM(2, vocab_size=3)
    with pytest.raises(ValueError, match="at least one id"):
        model.fit([[], []])
    model.fit([0, 1, 2])
    with pytest.raises(ValueError, match="token must lie"):
        model.prob([0], 3)
    with pytest.raises(ValueError, match="order must lie"):
        model.discounts(3)
    with pytest.raises(ValueError, match="tokenizer must be"):
        model.save(str(tmp_path), tokenizer="words")
    with pytest.raises(ValueError, match="no token"):
        model.perplexity([])
