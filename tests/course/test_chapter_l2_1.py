"""The chapter of L2.1: its worked numbers and figures are computed, its lists are the manifest's and the mutants'."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import types
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from frozen.toml_file import read_toml
from tests.course.chapter import (
    COURSE,
    blocks,
    chapter,
    code_names,
    flat,
    number,
    prose,
    section,
    table,
    worked,
)
from tinyllm.lm.ngram import NGramLM

TEXT = chapter("L2.1")
HEADER = {row[0]: row[1] for row in table(TEXT)}
MANIFEST = read_toml(COURSE / "modules" / "L2.1.toml")
MUTANTS = read_toml(COURSE / "mutants" / "L2.1.toml")["mutant"]
BAR = read_toml(COURSE / "bars" / "L2.1.toml")["corpus_perplexity"]
UNIT = (COURSE / "reference" / "tinyllm" / "lm" / "ngram.py").read_text(encoding="utf-8")
TRAIN, VALIDATION = (np.fromfile(COURSE / f"corpora/ms-l2/{part}.txt", np.uint8) for part in ("train", "val"))
REACHED = section(TEXT, "Scoring, and what is reached")
ByHand = runpy.run_path(str(COURSE / "tests" / "L2.1" / "test_ngram.py"))["ByHand"]
A, B, C = 0, 1, 2
HAND = [C, A, C, A, B, B]
START = -1


def order_1() -> dict[str, Any]:
    pair, alone = ByHand(2, [HAND], 3, 0.5), ByHand(1, [HAND], 3, 0.5)
    counts = [pair.counts[0][(token,)] for token in (A, B, C)]
    plain = [alone.counts[0][(token,)] for token in (A, B, C)]
    unigrams = [pair.prob((START,)[:0], token) for token in (A, B, C)]
    return {
        "plain": plain,
        "c": counts,
        "S": 1.5 / sum(counts),
        "P": unigrams,
        "P if plain": np.exp(NGramLM(1, 0.5).fit(HAND).logprobs([])),
    }


def order_2() -> dict[str, Any]:
    by_hand, model, found = ByHand(2, [HAND], 3, 0.5), NGramLM(2, 0.5).fit(HAND), {}
    contexts = {"after a": ([A], A), "after b": ([B], B), "after c": ([C], C), "at start": ([], START)}
    for name, (history, last) in contexts.items():
        counts = [by_hand.counts[1][(last, token)] for token in (A, B, C)]
        found[f"{name}: c"] = counts
        found[f"{name}: S"] = 0.5 * np.count_nonzero(counts) / sum(counts)
        found[f"{name}: P"] = np.exp(model.logprobs(history))
    return found


def costs() -> dict[str, Any]:
    model = NGramLM(2, 0.5).fit(HAND)
    nll = model.nll(HAND)
    return {"P": np.exp(-nll), "cost": nll, "mean": nll.mean(), "perplexity": model.perplexity(HAND)}


def order_3() -> dict[str, Any]:
    by_hand, model = ByHand(3, [HAND], 3, 0.5), NGramLM(3, 0.5).fit(HAND)
    pairs = [(START, C), (C, A), (A, C), (A, B), (B, B)]
    return {
        "c of <s>c, ca, ac, ab, bb": [by_hand.counts[1][pair] for pair in pairs],
        "P of b after a": by_hand.prob((A,), B),
        "P of b after c a": model.prob([C, A], B),
        "P of a after c": by_hand.prob((C,), A),
        "P of a after <s> c": model.prob([C], A),
        "P of c after <s>": model.prob([], C),
    }


def discounts() -> dict[str, Any]:
    counts = [1, 1, 1, 1, 2, 2, 3, 4, 9]
    n = [counts.count(j) for j in (1, 2, 3, 4)]
    ids = [token for token, count in enumerate(counts) for _ in range(count)]
    return {"n": n, "Y": n[0] / (n[0] + 2 * n[1]), "D": NGramLM(1).fit(ids).discounts(1)}


EXPECTED = {
    "discounts": discounts(),
    "order 1": order_1(),
    "order 2": order_2(),
    "costs": costs(),
    "order 3": order_3(),
}


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert set(told) == set(EXPECTED[title])
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name])
        assert [f"{value:.6f}" for value in values] == [f"{value:.6f}" for value in want], name


def test_no_worked_block_is_left_out() -> None:
    assert len(re.findall(r"^```numbers ", TEXT, re.MULTILINE)) == len(EXPECTED)


@lru_cache
def trained(order: int) -> NGramLM:
    return NGramLM(order, vocab_size=256).fit(TRAIN)


def test_the_figures_on_the_stories_are_those_reached() -> None:
    for order, grams, perplexity in table(REACHED):
        model = trained(int(order))
        assert f"{model.perplexity(VALIDATION):.2f}" == perplexity
        assert len(model._level(int(order)).keys) == number(grams)
    assert f"train: {len(TRAIN):,} bytes as one sequence; all {len(VALIDATION):,} validation bytes" in REACHED


def test_the_wrong_model_is_the_better_one_on_the_stories() -> None:
    """Section 7's warning: with plain counts in the lower orders the learning test's figure is lower."""
    train, val = (part.tobytes().splitlines(keepends=True) for part in (TRAIN[:20_000], VALIDATION))
    reached = [model(4, vocab_size=256).fit(train).perplexity(val) for model in (NGramLM, with_fault("s01"))]
    told = f"reaches {reached[0]:.2f}. With *plain* counts in the lower orders, the first pitfall below, it would reach"
    assert f"{told} {reached[1]:.2f}" in flat(TEXT)
    assert reached[1] < reached[0] == BAR["figures"][0]
    lower, mean, upper = (f"{BAR[key]:.2f}" for key in ("lower", "mean", "upper"))
    assert f"{mean}, plus three standard deviations: {upper}. Its lower bar, {lower}," in flat(TEXT)
    assert f"ends between {lower} and {upper} on the validation text" in TEXT


def with_fault(id: str) -> Any:
    """NGramLM of the reference with one mutant's edit."""
    (mutant,) = (each for each in MUTANTS if each["id"] == id)
    assert UNIT.count(mutant["find"]) == 1
    module = types.ModuleType("ngram_with_fault")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
        exec(UNIT.replace(mutant["find"], mutant["replace"]), module.__dict__)
    return module.NGramLM


def test_the_kenlm_figures_are_those_that_the_project_tests() -> None:
    kenlm = (COURSE.parent / "tests" / "course" / "test_ngram_kenlm.py").read_text(encoding="utf-8")
    told = re.search(r"orders 2, 3 and 4: ([\d.]+), ([\d.]+) and ([\d.]+)\.", flat(TEXT))
    assert told and [f"({order}, {told[order - 1]})" in kenlm for order in (2, 3, 4)] == [True] * 3


def test_the_header_is_the_manifests() -> None:
    title, (least, most) = MANIFEST["title"], MANIFEST["hours"]
    assert TEXT.startswith(f"# L2.1 {title}\n")
    told = f"L2.1 · {title} · {least} to {most} h, your graded tests included · rung {MANIFEST['rung']}"
    assert HEADER["Module"] == told
    needs = HEADER["Needs"].removesuffix("; or `--ref-deps`").split(" · ")
    assert [need.split()[0] for need in needs] == MANIFEST["needs"]
    assert HEADER["Used by"].startswith("no module's code") and MANIFEST["used_by"] == []
    assert f"`python/tests/{MANIFEST['slug']}/`" in HEADER["You build"]


def test_what_you_call_is_what_the_reference_imports() -> None:
    rows = [[code_names(cell)[0] for cell in row] for row in table(section(TEXT, "What you call"))]
    told = {f"from {unit} import {names}" for unit, names, _ in rows}
    nodes = [node for node in ast.walk(ast.parse(UNIT)) if isinstance(node, ast.ImportFrom)]
    assert told == {ast.unparse(node) for node in nodes if (node.module or "").startswith("tinyllm")}


def test_the_interface_is_the_contracts() -> None:
    contract = (COURSE / "contracts" / "py" / "tinyllm" / "lm" / "ngram.pyi").read_text(encoding="utf-8")
    (told,) = blocks(section(TEXT, "The interface"), "python")
    assert ast.unparse(_surface(told)) == ast.unparse(_surface(contract))


def _surface(source: str) -> ast.Module:
    """The classes of a contract without their docstrings."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


def test_the_given_test_is_the_one_that_start_hands_out() -> None:
    given = (COURSE / "given" / "L2.1" / "test_ngram.py").read_text(encoding="utf-8")
    assert blocks(section(TEXT, "Your graded tests"), "python") == [given]


def test_the_course_tests_are_the_manifests_in_its_order() -> None:
    rows = table(section(TEXT, "What the course tests check"))
    plain = [{**test, "why": test["why"]} for test in MANIFEST["tests"]]
    assert [{"name": r[0].strip("`"), "kinds": r[1].split(", "), "why": r[3]} for r in rows] == plain
    assert all(row[2] for row in rows)
    assert "fifteen" in HEADER["Tests"] and len(rows) == 15


def test_the_pitfalls_are_the_mutants() -> None:
    told = [(*row[:4], code_names(row[4])) for row in table(section(TEXT, "Pitfalls"))]
    assert told == [
        (
            mutant["pitfall"],
            mutant["id"] + (", required" if mutant.get("required") else ""),
            mutant["title"],
            mutant["symptom"],
            mutant["killed_by"],
        )
        for mutant in MUTANTS
    ]
    assert [mutant["id"] for mutant in MUTANTS if mutant.get("required")] == ["s01"]


def test_the_rung_and_its_threshold_are_the_courses() -> None:
    rung = read_toml(COURSE / "course.toml")["rungs"][MANIFEST["rung"]]
    graded = section(TEXT, "Your graded tests")
    needed = next(n for n in range(17) if n / 16 >= rung["threshold"])
    assert f"Rung R3: {rung['means'][0].lower()}{rung['means'][1:-1]}" in graded
    assert f"at least {rung['threshold']:.2f}**: {['eleven', 'twelve'][needed - 11]} of the sixteen" in graded
    assert rung["journal"] and len(MUTANTS) == 16


def test_no_number_stands_in_the_prose_that_nothing_computes() -> None:
    """Decimals and integers of three digits or more, outside tables; ids such as L0.6 are none."""
    text = re.sub(r"^\|.*$", "", prose(TEXT.partition("## 15.")[0]), flags=re.MULTILINE)
    found = re.findall(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)", text)
    told = {each for each in found if "." in each or number(each) >= 100}
    fallback, kenlm = {"0.5", "1.5"}, {"11.87893", "9.36189", "7.72166"}
    corpus = {"280,127", "14,675", "256", "20,000", "2.13", "2.12", "2.07", "2.18", "1.12"}
    assert told == fallback | kenlm | corpus | {"0.70"}
