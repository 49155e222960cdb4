"""The n-gram model against KenLM, on the letters of names, and on the MS-L2 corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tinyllm.lm.ngram import NGramLM

DATA = Path(__file__).resolve().parents[1] / "data"
END, UNKNOWN = 26, 27  # KenLM's </s> and <unk> belong to its vocabulary; the 26 letters come before them


def letters(name: str) -> list[list[int]]:
    names = (DATA / name).read_text(encoding="utf-8").split()
    return [[ord(letter) - ord("a") for letter in one] + [END] for one in names]


@pytest.fixture(scope="module")
def names() -> tuple[list[list[int]], list[list[int]]]:
    return letters("eureka_names_train.txt"), letters("eureka_names_val.txt")


@pytest.mark.parametrize(("order", "kenlm"), [(2, 11.87893), (3, 9.36189), (4, 7.72166)])
def test_perplexity_is_that_of_kenlm(
    order: int, kenlm: float, names: tuple[list[list[int]], list[list[int]]]
) -> None:
    train, validation = names
    model = NGramLM(order, vocab_size=UNKNOWN + 1).fit(train)
    assert model.perplexity(validation) == pytest.approx(kenlm, rel=2e-5)
