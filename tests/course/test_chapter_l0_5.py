"""The chapter of L0.5: what it repeats stands in the course's files, and its numbers are the reference's."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import pytest

from frozen import PCG32
from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, chapter, code_names, section, table, worked
from tinyllm.autograd.losses import cross_entropy
from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.bigram import BigramLM, BigramLogits
from tinyllm.nn.module import Module
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

TEXT = chapter("L0.5")
HEADER = {row[0]: row[1] for row in table(TEXT)}
MANIFEST = read_toml(COURSE / "modules" / "L0.5.toml")
MUTANTS = read_toml(COURSE / "mutants" / "L0.5.toml")["mutant"]
ABACAB = [0, 1, 0, 2, 0, 1]
ROWS = {"x": np.array([1.0, 2.0]), "y": np.array([3.0, 2.0])}


class Line(Module):
    """w x, which starts at w = 1."""

    def __init__(self) -> None:
        self.w = Tensor([1.0], requires_grad=True)

    def forward(self, x: Any) -> Tensor:
        return self.w * x


def squares(model: Module, batch: Any) -> Tensor:
    r = model(batch["x"]) - batch["y"]
    return (r @ r) / len(r)


def two_steps() -> dict[str, Any]:
    """Residuals, loss and gradient before each step, and the weight after it; then the two other weights."""
    model, found = Line(), {}
    opt = SGD(model.parameters(), 0.25)
    for again in ("", " again"):
        model.zero_grad()
        found[f"r{again}"] = (model(ROWS["x"]) - ROWS["y"]).data
        squares(model, ROWS).backward()
        found[f"grad{again}"] = model.w.grad
        found[f"loss{again}"] = train_step(model, ROWS, squares, opt)["loss"]
        found[f"w{again}"] = model.w.data.copy()
    stale = np.add(found["grad"], found["grad again"])
    clipped = Line()
    train_step(clipped, ROWS, squares, SGD(clipped.parameters(), 0.25), clip=1.0)
    return {**found, "w, stale": found["w"] - 0.25 * stale, "w, clip 1": clipped.w.data}


def batches() -> dict[str, Any]:
    def lengths(batch_size: int, drop_last: bool) -> list[int]:
        return [len(each["x"]) for each in DataLoader({"x": range(10)}, batch_size, False, None, drop_last)]

    return {"dropped": lengths(4, True), "kept": lengths(4, False), "kept by five": lengths(5, False)}


def evaluation() -> dict[str, Any]:
    rows = {"x": np.ones(5), "y": 1 + np.sqrt([0.0, 0.0, 1.0, 1.0, 25.0])}
    loader = DataLoader(rows, 4, False, None, drop_last=False)
    losses = [evaluate(Line(), [batch], squares)["loss"] for batch in loader]
    mean = evaluate(Line(), loader, squares)["loss"]
    return {"batch losses": losses, "mean over rows": mean, "mean of means": np.mean(losses)}


def counted() -> dict[str, Any]:
    model = BigramLM(3).fit(ABACAB)
    return {
        "n after a": model.counts[0],
        "P after a": np.exp(model.logprobs(0)),
        "P after b": np.exp(model.logprobs(1)),
        "costs of abb": model.nll([0, 1, 1]),
        "perplexity": model.perplexity([0, 1, 1]),
    }


def trained() -> dict[str, Any]:
    model = BigramLogits(3)
    model.table.weight.data = np.zeros((3, 3))
    cross_entropy(model(ABACAB[:-1]), ABACAB[1:]).backward()
    rows = {f"row {token}": row for token, row in zip("abc", model.table.weight.grad, strict=True)}
    return {**rows, "best": BigramLM(3, alpha=1e-12).fit(ABACAB).nll(ABACAB).mean()}


def drawn() -> dict[str, Any]:
    """One draw after a at temperature 1 with seed 3, by the rule of section 8."""
    z, u = BigramLM(3).fit(ABACAB).logprobs(0), PCG32(3).uniform()
    sums = np.exp(z - z.max()).cumsum()
    chosen = BigramLM(3).fit(ABACAB).sample([0], 1, 1.0, seed=3)
    assert chosen == [int(np.argmax(sums > u * sums[-1]))]
    return {
        "weights": np.exp(z - z.max()),
        "running sum": sums,
        "u": u,
        "u · total": u * sums[-1],
        "chosen": chosen,
    }


EXPECTED = {
    "two steps": two_steps(),
    "batches": batches(),
    "evaluation": evaluation(),
    "counted": counted(),
    "trained": trained(),
    "draw": drawn(),
}


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert set(told) == set(EXPECTED[title])
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name])
        assert [f"{value:.6f}" for value in values] == [f"{round(value, 6) + 0.0:.6f}" for value in want], (
            name
        )


def test_the_stories_have_the_perplexity_told() -> None:
    train, held_out = (
        np.fromfile(COURSE / f"corpora/ms-l2/{part}.txt", np.uint8) for part in ("train", "val")
    )
    (told,) = worked(TEXT, "stories")["perplexity"]
    assert f"{BigramLM(256).fit(train).perplexity(held_out):.2f}" == f"{told:.2f}"
    assert f"the {told:.2f} of section 6" in TEXT
    assert TEXT.count("```numbers ") == len(EXPECTED) + 1


def test_the_perplexity_is_the_root_of_eight() -> None:
    assert worked(TEXT, "counted")["perplexity"] == pytest.approx([math.sqrt(8)], abs=1e-6)


def test_the_header_is_the_manifests() -> None:
    title, (least, most) = MANIFEST["title"], MANIFEST["hours"]
    assert TEXT.startswith(f"# L0.5 {title}\n")
    assert HEADER["Module"] == f"L0.5 · {title} · {least} to {most} h · rung {MANIFEST['rung']}"
    needs = HEADER["Needs"].removesuffix("; or `--ref-deps`").split(" · ")
    assert [need.split()[0] for need in needs] == MANIFEST["needs"]
    assert [HEADER["Used by"].split(",")[0]] == MANIFEST["used_by"]
    assert f"`python/tests/{MANIFEST['slug']}/`" in HEADER["You build"]
    assert all(f"`python/tinyllm/{unit}`" in HEADER["You build"] for unit in MANIFEST["units"])


def test_the_course_tests_are_the_manifests_in_its_order() -> None:
    rows = table(section(TEXT, "What the course tests check"))
    told = [(row[0].strip("`"), row[1].split(", "), row[3]) for row in rows]
    assert told == [(test["name"], test["kinds"], test["why"]) for test in MANIFEST["tests"]]
    assert all(row[2] for row in rows)
    assert "twenty-three" in HEADER["Tests"] and len(rows) == 23


def test_the_pitfalls_are_the_mutants() -> None:
    told = [(*row[:4], code_names(row[4])) for row in table(section(TEXT, "Pitfalls"))]
    required = {True: ", required", False: ""}
    assert told == [
        (
            each["pitfall"],
            each["id"] + required[each.get("required", False)],
            each["title"],
            each["symptom"],
            each["killed_by"],
        )
        for each in MUTANTS
    ]


def test_the_interface_is_the_contracts() -> None:
    """Each call shown has the parameters and defaults of its signature."""
    signatures: dict[str, str] = {}
    for unit in MANIFEST["units"]:
        contract = COURSE / "contracts" / "py" / "tinyllm" / unit.replace(".py", ".pyi")
        for node in ast.walk(ast.parse(contract.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                signatures |= {
                    name: _plain(each) for each in node.body for name in _shown_as(each, node.name)
                }
            elif isinstance(node, ast.FunctionDef):
                signatures.setdefault(node.name, _plain(node))
    for shown, *_ in table(section(TEXT, "The interface")):
        name, parameters = shown.strip("`").rstrip(")").split("(")
        assert name == "model" or parameters == signatures[name]


def _shown_as(node: ast.stmt, of: str) -> list[str]:
    """How the chapter calls a method: by the class's name, or behind a dot."""
    if not isinstance(node, ast.FunctionDef):
        return []
    return [of if node.name == "__init__" else "." + node.name]


def _plain(function: Any) -> str:
    """The parameters without self and annotations."""
    arguments = function.args
    arguments.args = [each for each in arguments.args if each.arg != "self"]
    for each in arguments.args:
        each.annotation = None
    return ast.unparse(arguments)


def test_the_blanks_are_the_manifests_and_the_given_tests() -> None:
    told = [(row[0].strip("`"), row[1]) for row in table(section(TEXT, "Your tests"))]
    assert told == [(blank["name"], blank["why"]) for blank in MANIFEST["blanks"]]
    given, exemplar = (
        (COURSE / kind / "L0.5" / "test_training.py").read_text(encoding="utf-8")
        for kind in ("given", "exemplars")
    )
    blanks = [line.split(" = ")[0] for line in given.splitlines() if " = ...  # by hand: " in line]
    assert blanks == [name for name, _ in told]
    filled = {line.split(" = ")[0]: line for line in exemplar.splitlines() if " # by hand: " in line}
    assert list(filled) == blanks and not any(" = ... " in line for line in filled.values())


def test_the_rung_is_the_courses() -> None:
    rung = read_toml(COURSE / "course.toml")["rungs"][MANIFEST["rung"]]
    assert f"Rung R1: {rung['means'][0].lower()}{rung['means'][1:-1]}." in TEXT
