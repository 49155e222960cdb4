"""The two bigram models: by hand, on the corpus, and each against the other."""

from __future__ import annotations

import math
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen.pcg32 import PCG32 as FrozenPCG32
from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.bigram import BigramLM, BigramLogits
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step

CORPUS = Path(__file__).parents[2] / "course" / "corpora" / "ms-l2"
ABA = [0, 1, 0, 2, 0, 1]  # the pairs 01 twice, 02, 10, 20


def test_add_alpha_by_hand() -> None:
    model = BigramLM(3).fit(ABA)
    assert model.counts.tolist() == [[0, 2, 1], [1, 0, 0], [1, 0, 0]]
    np.testing.assert_allclose(np.exp(model.logprobs(0)), [1 / 6, 3 / 6, 2 / 6])
    np.testing.assert_allclose(np.exp(BigramLM(3, alpha=0.5).fit(ABA).logprobs(1)), [1.5 / 2.5, 0.2, 0.2])
    np.testing.assert_allclose(np.exp(BigramLM(4).logprobs(2)), [0.25] * 4)


def test_every_token_but_the_first_is_scored() -> None:
    model = BigramLM(3).fit(ABA)
    np.testing.assert_allclose(model.nll([0, 1, 1]), [math.log(2), math.log(4)])
    assert model.nll([0, 1, 1]).dtype == np.float64
    assert model.perplexity([0, 1, 1]) == pytest.approx(math.sqrt(8))
    assert model.nll([2]).shape == (0,)


def test_fitting_again_counts_on_and_no_pair_joins_two_sequences() -> None:
    model = BigramLM(3).fit([0, 1]).fit([2, 0])
    assert model.counts.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert BigramLM(3).fit([1]).counts.sum() == 0 == BigramLM(3).fit([]).counts.sum()


def test_the_perplexity_of_bytes_is_the_corpus_figure() -> None:
    train, validation = (
        np.frombuffer((CORPUS / f"{part}.txt").read_bytes(), dtype=np.uint8) for part in ("train", "val")
    )
    model = BigramLM(256).fit(train)
    assert model.counts.sum() == len(train) - 1 and len(model.nll(validation)) == len(validation) - 1
    assert model.perplexity(validation) == pytest.approx(8.52, rel=0.02)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.0])
def test_samples_are_the_draws_of_the_contract(temperature: float) -> None:
    model = BigramLM(8, alpha=0.1).fit(np.random.default_rng(0).integers(0, 8, 300))
    rng, token, expected = FrozenPCG32(11), 5, []
    for _ in range(60):
        z = model.logprobs(token) / temperature
        weights = [math.exp(each - z.max()) for each in z]
        bound = rng.uniform() * sum(weights)
        token = next(i for i, running in enumerate(accumulate(weights)) if running > bound)
        expected.append(token)
    assert model.sample([1, 5], 60, temperature, seed=11) == expected
    assert len(set(expected)) > 3


def test_one_seed_gives_one_sample_and_a_longer_one_goes_on() -> None:
    model = BigramLM(5)
    first = model.sample([0], 20, 1.0, seed=1)
    assert model.sample([0], 20, 1.0, seed=1) == first
    assert model.sample([0], 30, 1.0, seed=1)[:20] == first
    assert model.sample([0], 20, 1.0, seed=2) != first
    assert all(type(token) is int for token in first) and model.sample([0], 0, 1.0, seed=1) == []


def test_greedy_takes_the_lowest_of_equals() -> None:
    assert BigramLM(4).sample([3], 3, 0, seed=1) == [0, 0, 0]
    assert BigramLM(3).fit([0, 1, 0, 2]).sample([0], 1, 0, seed=1) == [1]


def test_a_low_temperature_is_nearly_greedy_and_a_lone_token_is_certain() -> None:
    assert BigramLM(3).fit([0, 1, 0, 1, 0, 2]).sample([1], 4, 1e-4, seed=1) == [0, 1, 0, 1]
    assert set(BigramLM(4).sample([3], 50, 1e-4, seed=1)) == {0, 1, 2, 3}, "equal ones stay equal"
    assert BigramLM(1).sample([0], 2, 1.0, seed=1) == [0, 0]


def test_frequencies_follow_the_probabilities() -> None:
    model = BigramLM(3).fit(ABA)
    draws = [model.sample([0], 1, 1.0, seed)[0] for seed in range(3000)]
    np.testing.assert_allclose(np.bincount(draws) / 3000, [1 / 6, 3 / 6, 2 / 6], atol=0.03)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda m: BigramLM(0),
        lambda m: BigramLM(3, alpha=0),
        lambda m: BigramLM(3, alpha=math.nan),
        lambda m: m.fit([0, 3]),
        lambda m: m.fit([0, -1]),
        lambda m: m.fit([0.5]),
        lambda m: m.nll([[0, 1]]),
        lambda m: m.perplexity([0]),
        lambda m: m.logprobs(3),
        lambda m: m.sample([], 1, 1.0, 0),
        lambda m: m.sample([0], -1, 1.0, 0),
        lambda m: m.sample([0], 1, -1.0, 0),
    ],
)
def test_misuse_is_an_error(misuse: Any) -> None:
    with pytest.raises(ValueError):
        misuse(BigramLM(3))


def test_the_table_gives_the_logits_of_the_token_before() -> None:
    model = BigramLogits(5, rng=PCG32(1))
    assert list(model.state_dict()) == ["table.weight"] and model.table.weight.shape == (5, 5)
    np.testing.assert_array_equal(model([4, 0]).data, model.table.weight.data[[4, 0]])


def test_training_the_table_finds_what_counting_finds() -> None:
    ids = np.random.default_rng(4).choice(4, size=400, p=[0.5, 0.25, 0.15, 0.1])
    counted = BigramLM(4, alpha=1e-9).fit(ids)
    model = BigramLogits(4)
    opt = SGD(model.parameters(), 2.0)
    loader = DataLoader({"x": ids[:-1], "y": ids[1:]}, len(ids) - 1, shuffle=True, rng=PCG32(0))
    for _ in range(400):
        report = train_step(model, next(iter(loader)), lambda m, b: cross_entropy(m(b["x"]), b["y"]), opt)
    assert report["loss"] == pytest.approx(counted.nll(ids).mean(), abs=1e-4)
