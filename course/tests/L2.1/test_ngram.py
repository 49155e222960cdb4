"""Course tests of L2.1, count models with Kneser-Ney smoothing: the first failure says most.

They measure with the frozen kit alone. `ByHand` is the model once more, from its definition, one gram at a time;
it can also make the mistakes that a failure is then told by. The ids s01 .. s16 name the mutants that a test is
there to catch.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal, bar, corpus, golden, read_tensors
from tinyllm.lm.ngram import NGramLM

Gram = tuple[int, ...]
Sequences = list[list[int]]

START = -1
A, B, C = 0, 1, 2
HAND = [C, A, C, A, B, B]  # the worked example: V 3, every discount 1/2
NEAR: Any = {"rtol": 1e-9, "atol": 1e-12}

RAW = "a lower order counts how often a gram occurs: it is to count the different tokens on its left"
FOLLOWERS = "a lower order counts the different tokens on a gram's right: it is to count those on its left"
COUNTED = "<s> has a count at order 1, and a share of the probability: it is a context only"
ONE_CUT = "a context hands down D_1 for each token seen after it: it is to hand down what their counts lost"
NO_THIRD = "counts of three and more lose D_2: they have a discount of their own"
FOUR_UP = "n_4 counts the grams seen four times and more: it is to count those seen exactly four times"
ONCE = "a gram that begins with <s> counts 1: it has its plain count"
JOINED = "only the first sequence begins with <s>: the others go on from the one before"
UNMENDED = "a discount outside (0, j] was kept: then the three are 0.5, 1, 1.5"
MISTAKES = (RAW, FOLLOWERS, COUNTED, ONE_CUT, NO_THIRD, FOUR_UP, ONCE, JOINED, UNMENDED)


class ByHand:
    """The model from its definition; with a `mistake`, the model of whoever makes it."""

    def __init__(
        self, n: int, sequences: Sequences, vocab: int, discount: str | float = "modified", mistake: str = ""
    ) -> None:
        self.n, self.vocab, self.mistake = n, vocab, mistake
        self.fixed = None if isinstance(discount, str) else (discount,) * 3
        self.plain: list[Counter[Gram]] = [Counter() for _ in range(n)]
        for sequence in self.joined(sequences):
            tokens = (START, *sequence)
            for k, grams in enumerate(self.plain, 1):
                grams.update(tokens[i : i + k] for i in range(len(tokens) - k + 1))
        self.counts = [*map(self.adjusted, self.plain, self.plain[1:]), self.plain[-1]]
        if mistake != COUNTED:
            del self.counts[0][(START,)]

    def joined(self, sequences: Sequences) -> Sequences:
        return [[*itertools.chain.from_iterable(sequences)]] if self.mistake == JOINED else sequences

    def adjusted(self, grams: Counter[Gram], longer: Counter[Gram]) -> Counter[Gram]:
        """How many different tokens stand on a gram's left; what follows <s> has its plain count."""
        right = self.mistake == FOLLOWERS
        seen = Counter(gram[:-1] if right else gram[1:] for gram in longer)
        starts = {gram: 1 if self.mistake == ONCE else c for gram, c in grams.items() if gram[0] == START}
        if right:  # whoever counts on the right adds that to what follows <s>
            starts = {gram: c + seen[gram] for gram, c in starts.items()}
        return grams.copy() if self.mistake == RAW else Counter({**{g: seen[g] for g in grams}, **starts})

    def discounts(self, order: int) -> tuple[float, ...]:
        if self.fixed:
            return self.fixed
        most = 4 if self.mistake == FOUR_UP else math.inf
        n = Counter(min(count, most) for count in self.counts[order - 1].values())
        if not all(n[j] for j in (1, 2, 3, 4)):
            return 0.5, 1.0, 1.5
        y = n[1] / (n[1] + 2 * n[2])
        found = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        kept = self.mistake == UNMENDED or all(0 < d <= j for j, d in enumerate(found, 1))
        return found if kept else (0.5, 1.0, 1.5)

    def prob(self, context: Gram, token: int) -> float:
        """P(token | the last n - 1 of context), where <s> is written out."""
        context = context[max(0, len(context) - self.n + 1) :]
        below = self.prob(context[1:], token) if context else 1 / self.vocab
        after = {g[-1]: c for g, c in self.counts[len(context)].items() if g[:-1] == context and c}
        if not after:
            return below
        cuts = self.discounts(len(context) + 1)
        last = 1 if self.mistake == NO_THIRD else 2
        lost = {each: cuts[min(c - 1, last)] for each, c in after.items()}
        handed = cuts[0] * len(after) if self.mistake == ONE_CUT else sum(lost.values())
        return (after.get(token, 0) - lost.get(token, 0) + handed * below) / sum(after.values())

    def probs(self, sequences: Sequences) -> NDArray[np.float64]:
        """One for each token, in order."""
        lines = self.joined(sequences)
        return float64([self.prob((START, *s[:t]), token) for s in lines for t, token in enumerate(s)])

    def after(self, *history: int) -> NDArray[np.float64]:
        """The whole distribution [V] after a history, which <s> precedes."""
        return float64([self.prob((START, *history), token) for token in range(self.vocab)])


def float64(values: Any) -> NDArray[np.float64]:
    return as_array(values, np.float64)


def mistaken(read: Callable[[ByHand], Any], *args: Any) -> dict[str, Callable[[], Any]]:
    """What each mistake would make of it, by its sentence; worked out after a failure only."""
    return {each: lambda each=each: read(ByHand(*args, mistake=each)) for each in MISTAKES}  # type: ignore[misc]


def random_lines(seed: int, used: int, *lengths: int) -> Sequences:
    """Low ids are common and high ones rare, so that the counts differ."""
    rng = PCG32(seed)
    return [[rng.below(rng.below(used) + 1) for _ in range(length)] for length in lengths]


def hand_model() -> NGramLM:
    return NGramLM(2, discount=0.5).fit(HAND)


def test_hand_example_distributions() -> None:
    """The worked example after a, b, c and at the start: (c(hw) - D) / c(h .), and what was lost, shared out below.

    Catches s01 (c was seen as often as b and a, but a after c alone) and s03 (<s> is no token).
    """
    model = hand_model()
    wants = {(): [0.1, 0.2, 0.7], (A,): [0.1, 0.45, 0.45], (B,): [0.1, 0.7, 0.2], (C,): [0.8, 0.1, 0.1]}
    for history, want in wants.items():
        got = float64([model.prob(list(history), token) for token in (A, B, C)])
        wrong = mistaken(lambda by_hand, h=history: by_hand.after(*h), 2, [HAND], 3, 0.5)  # type: ignore[misc]
        assert_close(got, float64(want), **NEAR, of=f"after {history}", known_wrong=wrong)
        logs = model.logprobs(list(history))
        assert_close(logs, np.log(float64(want)), **NEAR, of=f"the logarithms after {history}")


def test_hand_example_of_order_three() -> None:
    """P(b | c a) = 0.475, P(a | <s> c) = 0.9, P(c | <s>) = 0.7: orders 3, 2 and 1 in one number.

    In the middle order a gram after <s> has its plain count and all others their left neighbours: s01, s02.
    """
    model = NGramLM(3, discount=0.5).fit(HAND)
    for history, token, want in (([C, A], B, 0.475), ([C], A, 0.9), ([], C, 0.7)):
        wrong = mistaken(lambda by_hand, h=history, t=token: by_hand.prob((START, *h), t), 3, [HAND], 3, 0.5)  # type: ignore[misc]
        got = float64(model.prob(history, token))
        assert_close(got, float64(want), **NEAR, of=f"P({token} | {history})", known_wrong=wrong)


def test_discounts_follow_the_counts_of_counts() -> None:
    """Counts 1 1 1 1 2 2 3 4 9 give n = 4, 2, 1, 1, Y = 1/2 and 0.5, 1.25, 1: what is lost is estimated.

    Catches s08: the 9 is no fourth count, and n_4 = 2 would make the third discount -1.
    """
    counts = [1, 1, 1, 1, 2, 2, 3, 4, 9]
    ids = [token for token, count in enumerate(counts) for _ in range(count)]
    model = NGramLM(1).fit(ids)
    assert_close(float64(model.discounts(1)), float64([0.5, 1.25, 1.0]), **NEAR, of="the discounts")
    assert_close(float64(NGramLM(2, 0.7).fit(ids).discounts(2)), float64([0.7, 0.7, 0.7]), **NEAR)
    lines = random_lines(5, 24, 300, 1, 200, 90)
    both = NGramLM(3).fit(lines)
    for order in (1, 2, 3):
        wrong = mistaken(lambda by_hand, k=order: by_hand.discounts(k), 3, lines, 24)  # type: ignore[misc]
        want = float64(ByHand(3, lines, 24).discounts(order))
        got = float64(both.discounts(order))
        assert_close(got, want, **NEAR, of=f"the discounts of order {order}", known_wrong=wrong)


@pytest.mark.parametrize(
    "counts",
    [[1, 1, 2, 3, 3, 3, 4], [1, 1, 2, 2, 3, 4, 4, 4], [1, 2, 3], [7]],
    ids=["D_2", "D_3", "n_4", "n_1"],
)
def test_discounts_fall_back(counts: list[int]) -> None:
    """No count of some size, or a D_j below 0: 0.5, 1, 1.5, and still every probability is one.

    Letters and bytes come to this. Catches s09, which keeps a negative discount and pays more than it has.
    """
    ids = [token for token, count in enumerate(counts) for _ in range(count)]
    model = NGramLM(1).fit(ids)
    wrong = mistaken(lambda by_hand: by_hand.discounts(1), 1, [ids], len(counts))
    got = float64(model.discounts(1))
    assert_close(got, float64([0.5, 1.0, 1.5]), **NEAR, of="the discounts", known_wrong=wrong)
    want = ByHand(1, [ids], len(counts)).after()
    assert_close(np.exp(model.logprobs([])), want, **NEAR, of="the distribution")


@pytest.mark.parametrize("case", range(5))
def test_golden_exact(case: int) -> None:
    """Discounts, costs and distributions as rational arithmetic has them, for orders 1 to 4 and several lines.

    Catches s01, s02, s06, s07, s08, s10 and s11: each moves a count, a discount or a share.
    """
    expected = golden("L2.1/ngram.safetensors")
    data = {name[3:]: x for name, x in expected.tensors.items() if name.startswith(f"c{case}/")}
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    train, val = (lines_of(data[name], data[f"{name}.lengths"]) for name in ("train", "val"))
    n, vocab, fixed = int(data["n"]), int(data["vocab"]), float(data["fixed"])
    settings = (n, train, vocab, fixed or "modified")
    model = NGramLM(n, fixed or "modified", vocab).fit(train)
    for k in range(1, n + 1):
        wrong = mistaken(lambda by_hand, k=k: by_hand.discounts(k), *settings)  # type: ignore[misc]
        got = float64(model.discounts(k))
        assert_close(got, data["discounts"][k - 1], **near, of=f"D of order {k}", known_wrong=wrong)
    wrong = mistaken(lambda by_hand: by_hand.probs(val), *settings)
    costs = model.nll(val)
    assert_close(np.exp(-costs), data["probs"], **near, of="exp of minus the costs", known_wrong=wrong)
    for length, want in zip((0, 1, 4), data["after"], strict=True):
        history = val[0][:length]
        wrong = mistaken(lambda by_hand, h=history: by_hand.after(*h), *settings)  # type: ignore[misc]
        got = np.exp(model.logprobs(history))
        assert_close(got, want, **near, of=f"the distribution after {history}", known_wrong=wrong)


def lines_of(ids: NDArray[np.int64], lengths: NDArray[np.int64]) -> Sequences:
    ends = np.cumsum(lengths)
    return [ids[end - length : end].tolist() for end, length in zip(ends, lengths, strict=True)]


@pytest.mark.parametrize("discount", ["modified", 0.75, 1.0])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_every_distribution_sums_to_one(n: int, discount: str | float) -> None:
    """After contexts often seen, seldom and never: what one token loses another has. All in (0, 1].

    Catches s03 (<s> takes a share that nobody gets), s05 and s06 (more or less handed down than was lost).
    """
    lines = random_lines(7, 9, 80, 3, 40, 1)
    model = NGramLM(n, discount, vocab_size=11).fit(lines)
    for history in ([], lines[0][:1], lines[0][:5], lines[1], lines[0], [10], [0, 10], [10, 10, 10, 0]):
        p = np.exp(model.logprobs(history))
        assert p.shape == (11,) and (p > 0).all() and (p <= 1).all(), f"after {history}: {p}"
        assert_close(p.sum(), float64(1), **NEAR, of=f"the sum after {history}")
        singles = float64([model.prob(history, token) for token in range(11)])
        assert_close(singles, p, **NEAR, of=f"prob after {history}, beside logprobs")


def test_a_context_that_nothing_followed_leaves_all_to_the_order_below() -> None:
    """After the last token of the text, and after a token that never occurred: P of the shorter context.

    Catches s05: whoever divides by no count, or takes 0, gives probability 0 and an infinite perplexity.
    """
    ids = [A, B, A, B, A, C]
    model, below = NGramLM(2, 0.5, vocab_size=5).fit(ids), ByHand(2, [ids], 5, 0.5)
    want = float64([below.prob((), token) for token in range(5)])
    for unseen in ([C], [3], [4]):
        got = float64([model.prob(unseen, token) for token in range(5)])
        wrong = {"these are all 0: such a context leaves everything to the order below": np.zeros(5)}
        assert_close(got, want, **NEAR, of=f"P(. | {unseen})", known_wrong=wrong)
    deep = NGramLM(4, 0.5, vocab_size=5).fit(ids)
    got, want = (np.exp(deep.logprobs(history)) for history in ([3, 4, A, B], [4, A, B]))
    assert_close(got, want, **NEAR, of="after a b, whatever stood before")
    assert np.isfinite(deep.nll([4, 4, C, C, C, A])).all()


def test_nll_tells_every_token_and_no_start() -> None:
    """-ln P of each token of each sequence, the first told from <s>; as many costs as tokens.

    Perplexities are only comparable over the same tokens. Catches s04, which scores <s> too.
    """
    train, val = random_lines(3, 8, 60, 20, 5), random_lines(4, 9, 12, 1, 0, 7)
    model = NGramLM(3, vocab_size=9).fit(train)
    wrong: Any = mistaken(lambda by_hand: -np.log(by_hand.probs(val)), 3, train, 9)
    costs = model.nll(val)
    assert len(costs) == 20, f"{len(costs)} costs for 20 tokens in four sequences: <s> is never scored"
    want = -np.log(ByHand(3, train, 9).probs(val))
    assert_close(costs, want, **NEAR, of="the costs", known_wrong=wrong)
    told = float64([-math.log(model.prob(s[:t], token)) for s in val for t, token in enumerate(s)])
    assert_close(costs, told, **NEAR, of="the costs, beside prob")
    assert_equal(model.nll([]), float64([]), of="the costs of nothing")


def test_sequences_do_not_touch() -> None:
    """Each begins anew: their order does not matter, and the costs of two are those of one and of the other.

    Catches s11, where a line's first token is told from the end of the line before.
    """
    lines = random_lines(9, 5, 30, 12, 25)
    model, other = NGramLM(3, vocab_size=5).fit(lines), NGramLM(3, vocab_size=5).fit(lines[::-1])
    first, second = lines[1], lines[2]
    apart = np.concatenate([model.nll(first), model.nll(second)])
    assert_close(model.nll([first, second]), apart, **NEAR, of="the costs of two sequences")
    assert_close(other.nll(first), model.nll(first), **NEAR, of="costs after a fit in another order")
    assert_close(model.nll([*first, *second])[: len(first)], model.nll(first), **NEAR)
    for history in ([], [0], [4, 1]):
        same = np.exp(other.logprobs(history))
        assert_close(np.exp(model.logprobs(history)), same, **NEAR, of=f"after {history}")


def test_a_history_counts_with_its_end_and_a_short_one_has_its_start() -> None:
    """The last n - 1 tokens of a long history; before a short one stands <s>, as nll has it.

    Text is written with prob and judged with nll. Catches s12 (the oldest tokens are looked at) and s13 (no <s>).
    """
    lines = random_lines(12, 4, 40, 9, 9, 30)
    model, by_hand = NGramLM(3, 0.6, vocab_size=4).fit(lines), ByHand(3, lines, 4, 0.6)
    long, t = lines[0][:9], range(4)
    wrong: Any = {
        "the oldest tokens of the history were looked at": [by_hand.prob(tuple(long[:2]), w) for w in t]
    }
    got = float64([model.prob(long, token) for token in t])
    assert_close(got, by_hand.after(*long), **NEAR, of="after nine tokens", known_wrong=wrong)
    for history in ([], [1], [0]):
        bare = [by_hand.prob(tuple(history), token) for token in t]
        wrong = {"<s> was left out: a history shorter than the context begins with it": bare}
        got = float64([model.prob(history, token) for token in t])
        assert_close(got, by_hand.after(*history), **NEAR, of=f"after {history}", known_wrong=wrong)


def test_perplexity_is_exp_of_the_mean_cost() -> None:
    """The worked example's 1.583, and a text that is certain has exactly 1. Catches s14, the mean itself."""
    p = 0.7 * 0.8 * 0.45 * 0.8 * 0.45 * 0.7
    wrong = {"this is the mean cost, in nats: a perplexity is its exponential": -math.log(p) / 6}
    got = float64(hand_model().perplexity(HAND))
    assert_close(got, float64(p ** (-1 / 6)), **NEAR, of="the perplexity", known_wrong=wrong)
    for length in (1, 7, 35):
        certain = NGramLM(1, 0.3, vocab_size=1).fit([0] * length)
        assert_close(float64(certain.perplexity([0] * length)), float64(1), rtol=1e-12, atol=0)
        assert (certain.nll([0] * length) >= 0).all()


def test_ngram_learns_the_corpus(record_property: Callable[[str, object], None]) -> None:
    """Order 4 on 20,000 bytes of stories, line by line, reaches the reference's perplexity: it has learned.

    The upper bar is the reference's mean plus three deviations over five stretches of the text; s06, whose
    distributions do not sum to one, stays above it. The lower bar is the perplexity of the generator that wrote
    the text: s14, a mean called perplexity, is below. Which counts a lower order has (s01) no bar here can tell.
    """
    reached = bar("L2.1", "corpus_perplexity")
    train, val = corpus("ms-l2", "train")[:20_000].tobytes(), corpus("ms-l2", "val").tobytes()
    model = NGramLM(4, vocab_size=256).fit(train.splitlines(keepends=True))
    perplexity = model.perplexity(val.splitlines(keepends=True))
    record_property("corpus_perplexity", perplexity)
    told = f"a perplexity of {perplexity:.4g} on the validation text"
    assert perplexity >= reached.lower, f"{told}, where the text's own generator has {reached.lower:.4g}"
    assert perplexity <= reached.upper, f"{told}, where the reference has {reached.mean:.4g} on average"


def test_fit_starts_anew_and_takes_ids_in_many_forms() -> None:
    """Lists, arrays and bytes, one sequence or several; V from the greatest id of the first fit; self comes back.

    Catches s15, a second fit that counts on from the first.
    """
    text = b"abracadabra"
    forms: Any = [
        text,
        list(text),
        np.frombuffer(text, np.uint8),
        [text],
        [list(text)],
        (np.array(list(text)),),
    ]
    want = NGramLM(3).fit(list(text)).nll(text)
    for form in forms:
        model = NGramLM(3)
        assert model.fit(form) is model and model.vocab_size == 1 + ord("r")
        assert_equal(model.nll(text), want)
    again = NGramLM(3, vocab_size=1 + ord("r")).fit(b"ccc rrr")
    assert_equal(again.fit(text).nll(text), want, of="the costs after a second fit")
    grown = NGramLM(2, 0.5).fit([1, 4]).fit([0, 0])
    assert (grown.n, grown.discount, grown.vocab_size) == (2, 0.5, 5)


@pytest.mark.parametrize("discount", ["modified", 0.9])
def test_save_load_roundtrip(discount: str | float, tmp_path: Path) -> None:
    """The config exactly, the grams sorted as int32, an old model replaced, the same probabilities to the bit.

    Catches s16: a model of one discount that comes back with three.
    """
    lines, folder = random_lines(15, 7, 70, 20, 1), tmp_path / "models" / "kn"
    model = NGramLM(3, discount, vocab_size=8).fit(lines)
    NGramLM(4).fit([1, 2, 3]).save(str(folder), tokenizer="file")  # to be replaced, wholly
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["tl_tokenizer"] == "file"
    model.save(str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors"]
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    kind = {"tl_arch": "ngram", "tl_format": 1, "tl_tokenizer": "bytes"}
    assert config == {**kind, "vocab_size": 8, "tl_order": 3, "tl_discount": discount}
    assert_tensors(folder / "model.safetensors", ByHand(3, lines, 8))
    loaded = NGramLM.load(str(folder))
    assert_equal(
        loaded.nll([*lines, [7, 7, 0]]), model.nll([*lines, [7, 7, 0]]), of="the costs after loading"
    )
    assert_equal(loaded.logprobs([3, 1]), model.logprobs([3, 1]))
    assert [loaded.discounts(k) for k in (1, 2, 3)] == [model.discounts(k) for k in (1, 2, 3)]


def assert_tensors(path: Path, by_hand: ByHand) -> None:
    """order<k>.context, .token and .count of each order hold every gram, sorted, with its adjusted count."""
    tensors, metadata = read_tensors(path)
    assert metadata == {"format": "tinyllm", "tl_arch": "ngram"}
    assert set(tensors) == {f"order{k}.{part}" for k in (1, 2, 3) for part in ("context", "token", "count")}
    assert tensors["order1.token"].tolist() == list(range(by_hand.vocab + 1)), (
        "order 1 holds every id, and <s>"
    )
    grams: list[Gram] = [()]
    for k, counts in enumerate(by_hand.counts, 1):
        parts = [tensors[f"order{k}.{part}"] for part in ("context", "token", "count")]
        assert {part.dtype for part in parts} == {np.dtype(np.int32)}
        context, token, count = (part.tolist() for part in parts)
        assert sorted(zip(context, token, strict=True)) == list(zip(context, token, strict=True)), (
            f"order {k}"
        )
        ends = [START if each == by_hand.vocab else each for each in token]
        grams = [(*grams[at], end) for at, end in zip(context, ends, strict=True)]
        found = {gram: c for gram, c in zip(grams, count, strict=True) if c}
        assert found == {gram: c for gram, c in counts.items() if c}, f"order {k}"


def test_input_validation(tmp_path: Path) -> None:
    """A caller's mistake fails at the call, an unfitted model says so, and half a directory is not loaded."""
    for arguments in ((0,), (2, "plain"), (2, 0.0), (2, 1.5), (2, math.nan), (2, 0.5, 0)):
        refuses(NGramLM, *arguments)
    unfitted = NGramLM(2)
    calls: Any = [
        (unfitted.nll, [0]),
        (unfitted.perplexity, [0]),
        (unfitted.prob, [], 0),
        (unfitted.logprobs, []),
    ]
    for call, *args in [*calls, (unfitted.discounts, 1), (unfitted.save, str(tmp_path / "none"))]:
        with pytest.raises(RuntimeError):
            call(*args)
    for ids in ([], [[], []], [-1], [0.5], [[[0]]]):
        refuses(unfitted.fit, ids)
    model = NGramLM(2, vocab_size=3).fit([0, 1, 2, 1])
    costs = model.nll([0, 1, 2])
    for ids in ([0, 3], [-1], [[0], [5]], [0.5], [[[0]]]):
        refuses(model.fit, ids)
        refuses(model.nll, ids)
        refuses(model.perplexity, ids)
    assert_equal(model.nll([0, 1, 2]), costs, of="the costs after fits that were refused")
    for history, token in (([3], 0), ([-1], 0), ([0], 3), ([0], -1), ([[0]], 0)):
        refuses(model.prob, history, token)
    refuses(model.logprobs, [0, 3])
    refuses(model.perplexity, [])
    refuses(model.discounts, 0)
    refuses(model.discounts, 3)
    refuses(model.save, str(tmp_path / "none"), tokenizer="words")
    assert not (tmp_path / "none").exists()
    refuses_wrong_directories(model, tmp_path)


def refuses(call: Any, *args: Any, **options: Any) -> None:
    """ValueError, and no other outcome."""
    with pytest.raises(ValueError):
        call(*args, **options)


def refuses_wrong_directories(model: NGramLM, folder: Path) -> None:
    """load with a config cut short, of another kind, lacking a key, of another order, and gone."""
    model.save(str(folder))
    path = folder / "config.json"
    text = path.read_text(encoding="utf-8")
    config = json.loads(text)
    lacking = [{key: config[key] for key in config if key != gone} for gone in config]
    others = [{**config, "tl_arch": "nplm"}, {**config, "tl_format": 2}]
    for wrong in (text[:-20], *map(json.dumps, [*others, *lacking])):
        path.write_text(wrong, encoding="utf-8")
        refuses(NGramLM.load, str(folder))
    path.write_text(json.dumps({**config, "tl_order": 3}), encoding="utf-8")
    with pytest.raises(KeyError):
        NGramLM.load(str(folder))
    path.unlink()
    with pytest.raises(FileNotFoundError):
        NGramLM.load(str(folder))
