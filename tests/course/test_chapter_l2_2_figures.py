"""The figures in the chapter of L2.2: sizes counted, models measured, and no number that nothing computes."""

from __future__ import annotations

import io
import math
import re
from contextlib import redirect_stdout
from functools import lru_cache

import numpy as np
import pytest

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, blocks, chapter, flat, number, prose, section, table
from tinyllm.lm.bigram import BigramLM
from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM, windows

TEXT = chapter("L2.2")
SIZES = section(TEXT, "How many parameters")
SCORING = section(TEXT, "Scoring, and what is reached")
BARS = read_toml(COURSE / "bars" / "L2.2.toml")
CALIBRATION = (COURSE / "calibration" / "L2.2.py").read_text(encoding="utf-8")
TRAIN, VALIDATION = (np.fromfile(COURSE / f"corpora/ms-l2/{part}.txt", np.uint8) for part in ("train", "val"))
MODELS = [(17_964, 4, 30, 100, True), (8, 4, 3, 8, False), (256, 8, 24, 128, True)]  # V, c, m, h, direct
PARTS = {
    "$C$": "emb.weight",
    "$H$": "hidden.weight",
    "$d$": "hidden.bias",
    "$U$": "out.weight",
    "$b$": "out.bias",
    "$W$": "direct.weight",
}


@lru_cache
def sizes(column: int) -> dict[str, int]:
    """The number of values of each parameter of one of the three models."""
    vocab, context, d_emb, d_hidden, direct = MODELS[column]
    model = NPLM(vocab, context, d_emb, d_hidden, direct=direct)
    return {name: tensor.data.size for name, tensor in model.named_parameters()}


@lru_cache
def figures() -> dict[str, float]:
    """Perplexities: the counts' measured here, the NPLM's and the generator's as calibration wrote them."""
    measured = {"counts of pairs, add-one": BigramLM(256).fit(TRAIN).perplexity(VALIDATION)}
    for n in (3, 4, 5, 6, 9):
        measured[f"Kneser–Ney, order {n}"] = NGramLM(n, vocab_size=256).fit(TRAIN).perplexity(VALIDATION)
    bar = BARS["milestone_perplexity"]
    assert len(bar["figures"]) == 5
    return measured | {"NPLM, mean of five seeds": bar["mean"], "the stories' own generator": bar["lower"]}


@pytest.mark.parametrize("column", range(3))
def test_the_parameters_counted_are_those_of_a_model_of_these_sizes(column: int) -> None:
    told = {row[0]: number(row[2 + column]) for row in table(SIZES)}
    assert told.pop("all") == sum(sizes(column).values()) == [4_521_064, 200, 113_024][column]
    assert told == {part: sizes(column).get(name, 0) for part, name in PARTS.items()}


def test_the_share_of_the_vocabulary_and_the_price_of_a_longer_window() -> None:
    large, small = sizes(0), sum(sizes(2).values())
    share = sum(large[name] for name in ("emb.weight", "out.weight", "direct.weight")) / sum(large.values())
    assert f"$C$, $U$ and $W$ hold {100 * share:.2f} %" in flat(SIZES)
    wider = sum(tensor.data.size for tensor in NPLM(256, 9, 24, 128).parameters())
    assert f"costs $m(h + V)$ parameters, {wider - small:,} for the last model" in flat(SIZES)
    assert wider - small == 24 * (128 + 256)


def test_the_figures_are_those_that_our_programs_print_the_best_last() -> None:
    told = {row[0]: row[3] for row in table(SCORING)}
    ordered = sorted(figures(), key=lambda name: -figures()[name])
    assert list(told) == ordered
    assert told == {name: f"{figures()[name]:.2f}" for name in ordered}


def test_each_figure_says_which_tokens_it_scored() -> None:
    left_out = {"`<s>`": 0, "all scored": 0, "skips 1": 1, "skips 8": 8}
    told = {row[0]: (row[1], number(row[2])) for row in table(SCORING)}
    assert all(len(VALIDATION) - left_out[first] == scored for first, scored in told.values())
    assert told["NPLM, mean of five seeds"] == ("skips 8", len(NPLM(256, 8, 1, 1).nll(VALIDATION)))
    assert told["Kneser–Ney, order 4"] == ("`<s>`", len(NGramLM(4).fit(TRAIN).nll(VALIDATION)))
    assert told["counts of pairs, add-one"] == ("skips 1", len(BigramLM(256).fit(TRAIN).nll(VALIDATION)))


def test_the_program_shown_prints_the_figures_of_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = blocks(SCORING, "python")
    monkeypatch.chdir(COURSE.parent)
    with redirect_stdout(io.StringIO()) as out:
        exec(program, {})
    printed = [line.split()[-1] for line in out.getvalue().splitlines()]
    assert printed == [f"{figure:.2f}" for figure in list(figures().values())[:-2]]


def test_what_is_said_around_the_table_is_so() -> None:
    costs, said = NGramLM(4, vocab_size=256).fit(TRAIN).nll(VALIDATION), flat(SCORING)
    assert f"the 4-gram still has {math.exp(costs[8:].mean()):.2f}," in said
    assert f"{math.log2(BARS['milestone_perplexity']['mean']):.2f} bits per byte" in said
    seen = {row.tobytes() for row in windows(TRAIN, 8)[0]}
    met = np.mean([row.tobytes() in seen for row in windows(VALIDATION, 8)[0]])
    assert f"{100 * met:.1f} % occur in the training text, which has only {len(seen):,} different" in said
    assert sum(sizes(2).values()) < len(TRAIN)
    assert f"training text of this module has {len(TRAIN):,} bytes" in flat(TEXT)
    assert f"{256**8 / 1e19:.1f} \\times 10^{{19}}" in TEXT


def test_the_recipes_are_those_that_calibration_runs() -> None:
    assert "2,400 steps on all of train: c 8, m 24, h 128, direct, B 128, lr 0.1, momentum 0.9" in CALIBRATION
    recipe = "$c$ 8, $m$ 24, $h$ 128 with the direct path, after 2,400 steps of $B$ 128 at a rate of 0.1"
    assert recipe in flat(SCORING)
    assert "300 steps on the first 50,000 bytes of train: c 8, m 16, h 64, direct, B 256" in CALIBRATION
    lower, mean, upper = (f"{BARS['corpus_perplexity'][key]:.2f}" for key in ("lower", "mean", "upper"))
    told = f"300 steps on the first 50,000 bytes ($m$ 16, $h$ 64, $B$ 256) end between {lower} and {upper}"
    assert told in flat(TEXT)
    assert f"what the reference reaches, {mean}, plus three standard deviations" in flat(TEXT)
    assert f"an epoch there has {(50_000 - 8) // 256} batches" in flat(TEXT)


def test_the_boat_is_as_far_away_as_the_chapter_says() -> None:
    text, opening = TRAIN.tobytes().decode("ascii"), "Daisy had a yellow boat"
    story = next(line for line in text.splitlines() if opening in line)
    assert story.endswith("Daisy skipped home with her boat.")
    assert f"{story.rindex('boat') - story.index('boat')} bytes later" in flat(TEXT)
    assert story[: story.rindex("boat")][-8:] == "ith her "
    assert "with her drum" in text


def test_no_number_stands_in_the_prose_that_nothing_computes() -> None:
    """Decimals and integers of three digits or more; ids such as L0.5, and the years of sources, are none."""
    found = re.findall(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)", prose(TEXT.partition("## 16.")[0]))
    told = {each for each in found if "." in each or number(each) >= 100}
    assert told - computed() == {"2003"}  # the paper's year
    assert not computed() - told  # nothing is looked for that is gone


def computed() -> set[str]:
    """The numbers of the prose, each compared with its source by a test above or beside this file."""
    counted = {number for column in range(3) for number in [*sizes(column).values(), *MODELS[column][:4]]}
    totals = {sum(sizes(column).values()) for column in range(3)}
    scored = {len(VALIDATION) - skipped for skipped in (0, 1, 8)}
    integers = {f"{size:,}" for size in counted | totals | scored if size >= 100}
    around = {"1.8", "280,127", "99.34", "9,216", "99.7", "11,088", "0.62", "168"}
    recipes = {"300", "50,000", "195", "2,400", "0.1", "0.9", "2.41", "2.48"}
    return integers | around | recipes | {f"{figure:.2f}" for figure in figures().values()} | {"0.5", "0.70"}
