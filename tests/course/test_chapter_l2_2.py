"""The chapter of L2.2 says what the contract, the manifest, the mutants and the given test say."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, blocks, chapter, code_names, section, table

TEXT = chapter("L2.2")
HEADER = {row[0]: row[1] for row in table(TEXT)}
MANIFEST = read_toml(COURSE / "modules" / "L2.2.toml")
MUTANTS = read_toml(COURSE / "mutants" / "L2.2.toml")["mutant"]
REFERENCE = COURSE / "reference"
# What the chapter's list leaves to the student, in the exemplar tests.
NOT_LISTED = "perplexity or clips or (loop_across_epochs and 0.9)"


def test_the_header_is_the_manifests() -> None:
    title, (least, most) = MANIFEST["title"], MANIFEST["hours"]
    assert TEXT.startswith(f"# L2.2 {title}\n")
    assert HEADER["Module"].startswith(f"L2.2 · {title} · {least} to {most} h")
    assert HEADER["Module"].endswith(f"rung {MANIFEST['rung']}")
    needs = HEADER["Needs"].removesuffix("; or `--ref-deps`").split(" · ")
    assert [need.split()[0] for need in needs] == MANIFEST["needs"]
    assert [HEADER["Reading"].split(",")[0]] == MANIFEST["reading"]
    assert HEADER["Used by"].startswith("nothing") and MANIFEST["used_by"] == []
    assert f"`python/tests/{MANIFEST['slug']}/`" in HEADER["You build"]
    assert [f"`python/tinyllm/{unit}`" in HEADER["You build"] for unit in MANIFEST["units"]] == [True]


def test_the_header_names_what_the_reference_imports_and_where_it_comes_from() -> None:
    """Each name stands behind the module that owns its unit. (F.embedding is called by Embedding.)"""
    owners = {unit: name for name, units in _units().items() for unit in units}
    imported: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(_reference_unit())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tinyllm"):
            unit = str(node.module).removeprefix("tinyllm.").replace(".", "/")
            for alias in node.names:
                unit_of = f"{unit}/functional.py" if alias.asname == "F" else f"{unit}.py"
                names = {"F.reshape", "F.tanh"} if alias.asname == "F" else {alias.name}
                imported.setdefault(owners[unit_of], set()).update(names)
    told = {need.split()[0]: set(code_names(need)) for need in HEADER["Needs"].split(" · ")}
    told["L0.6"].discard("--ref-deps")
    assert told == imported


def test_what_you_call_is_what_the_reference_imports() -> None:
    rows = [[code_names(cell)[0] for cell in row] for row in table(section(TEXT, "What you call"))]
    told = "".join(f"from {unit} import {names}\n" for unit, names, _ in rows)
    assert _imports(told) == _imports(_reference_unit())


def test_the_interface_is_the_contracts() -> None:
    contract = (COURSE / "contracts" / "py" / "tinyllm" / "lm" / "nplm.pyi").read_text(encoding="utf-8")
    (told,) = blocks(section(TEXT, "The interface"), "python")
    assert ast.unparse(_surface(told)) == ast.unparse(_surface(contract))


def test_the_given_test_is_the_one_that_start_hands_out() -> None:
    given = (COURSE / "given" / "L2.2" / "test_nplm.py").read_text(encoding="utf-8")
    assert blocks(section(TEXT, "Your graded tests"), "python") == [given]


def test_the_course_tests_are_the_manifests_in_its_order() -> None:
    rows = table(section(TEXT, "What the course tests check"))
    told = [
        {"name": row[0].strip("`"), "kinds": row[1].split(", "), "why": row[3].replace("`", "")}
        for row in rows
    ]
    assert told == [{**test, "why": test["why"].replace("`", "")} for test in MANIFEST["tests"]]
    assert all(row[2] for row in rows)
    assert "seventeen" in HEADER["Tests"] and len(rows) == 17


def test_the_pitfalls_are_the_mutants() -> None:
    told = [(*row[:4], code_names(row[4])) for row in table(section(TEXT, "Pitfalls"))]
    assert told == [
        (
            mutant.get("pitfall", ""),
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
    needed = next(n for n in range(13) if n / 12 >= rung["threshold"])
    assert f"Rung R3: {rung['means'][0].lower()}{rung['means'][1:-1]}" in graded
    assert (
        f"at least {rung['threshold']:.2f}**: {['eight', 'nine', 'ten'][needed - 8]} of the twelve" in graded
    )
    assert rung["journal"] and len(MUTANTS) == 12


def test_the_config_shown_is_the_one_that_the_reference_writes(tmp_path: Path) -> None:
    from tinyllm.lm.nplm import NPLM, save_nplm

    save_nplm(NPLM(256, 8, 24, 128), str(tmp_path))
    (told,) = blocks(section(TEXT, "The model directory"), "json")
    assert told == (tmp_path / "config.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant["id"])
def test_the_list_of_tests_to_write_lets_three_faults_get_away(
    mutant: dict[str, Any], tmp_path: Path
) -> None:
    """The exemplar tests without what the list does not name kill all but s07, s11 and s12."""
    unit = _reference_unit()
    assert unit.count(mutant["find"]) == 1
    (tmp_path / "tinyllm" / "lm").mkdir(parents=True)
    faulty = unit.replace(mutant["find"], mutant["replace"])
    (tmp_path / "tinyllm" / "lm" / "nplm.py").write_text(faulty, encoding="utf-8")
    survives = _listed_exemplars_pass(tmp_path)
    assert survives == (mutant["id"] in {"s07", "s11", "s12"})
    assert "lets three get away" in section(TEXT, "Your graded tests")


def test_the_listed_exemplars_pass_on_the_reference(tmp_path: Path) -> None:
    assert _listed_exemplars_pass(tmp_path)


def _listed_exemplars_pass(first_on_the_path: Path) -> bool:
    """The exemplar tests that the chapter lists, on the unit in that folder, else on the reference."""
    exemplars = COURSE / "exemplars" / "L2.2" / "test_nplm.py"
    (first_on_the_path / "test_nplm.py").write_text(exemplars.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    chosen = ["-k", f"not ({NOT_LISTED})", "test_nplm.py"]
    path = os.pathsep.join([str(first_on_the_path), str(REFERENCE)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, *chosen], cwd=first_on_the_path, env=environment, capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout.decode()
    return done.returncode == 0


def _units() -> dict[str, list[str]]:
    manifests = (read_toml(path) for path in (COURSE / "modules").glob("*.toml"))
    return {manifest["id"]: manifest["units"] for manifest in manifests}


def _reference_unit() -> str:
    return (REFERENCE / "tinyllm" / "lm" / "nplm.py").read_text(encoding="utf-8")


def _imports(source: str) -> set[str]:
    """The imports from tinyllm, one string each."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {ast.unparse(node) for node in nodes if (node.module or "").startswith("tinyllm")}


def _surface(source: str) -> ast.Module:
    """The functions and classes of a contract without their docstrings."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree
