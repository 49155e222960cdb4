"""What the chapter of every module must agree with: its manifest, contract, mutants and given tests."""

from __future__ import annotations

import ast
from typing import Any

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, blocks, chapter, code_names, section, table


def assert_the_chapter_agrees(module: str) -> None:
    """Header, interface, tests, blanks and pitfalls of course/chapters/<module>.md."""
    text, manifest = chapter(module), read_toml(COURSE / "modules" / f"{module}.toml")
    _header(text, manifest)
    _interface(text, manifest)
    _tests(text, manifest)
    _blanks(text, manifest)
    _pitfalls(text, module)


def _header(text: str, manifest: dict[str, Any]) -> None:
    told = {row[0]: row[1] for row in table(text)}
    module, title, (least, most) = manifest["id"], manifest["title"], manifest["hours"]
    assert text.startswith(f"# {module} {title}\n")
    assert told["Module"] == f"{module} · {title} · {least} to {most} h · rung {manifest['rung']}"
    assert all(f"`python/tinyllm/{unit}`" in told["You build"] for unit in manifest["units"])
    contracts = [f"course/contracts/py/tinyllm/{unit}i" for unit in manifest["units"]]
    assert code_names(told["Contract"]) == contracts
    assert f": {len(manifest['tests'])} (" in told["Tests"]
    assert [each.split()[0] for each in told["Needs"].split(" · ")] == (manifest["needs"] or ["nothing"])
    assert [each.split()[0] for each in told["Used by"].split(" · ")] == manifest["used_by"]


def _interface(text: str, manifest: dict[str, Any]) -> None:
    """Each contract in a block of its own, without docstrings."""
    told = [ast.unparse(_surface(block)) for block in blocks(section(text, "The interface"), "python")]
    contracts = [COURSE / "contracts" / "py" / "tinyllm" / f"{unit}i" for unit in manifest["units"]]
    assert told == [ast.unparse(_surface(each.read_text(encoding="utf-8"))) for each in contracts]


def _tests(text: str, manifest: dict[str, Any]) -> None:
    rows = table(section(text, "What the course tests check"))
    told = [{"name": row[0].strip("`"), "kinds": row[1].split(", "), "why": row[3]} for row in rows]
    assert told == manifest["tests"]
    assert all(row[2] for row in rows)


def _blanks(text: str, manifest: dict[str, Any]) -> None:
    rows = table(section(text, "Your tests"))
    told = [(code_names(row[0])[0], row[1]) for row in rows]
    assert told == [(blank["name"], blank["why"]) for blank in manifest["blanks"]]
    means = read_toml(COURSE / "course.toml")["rungs"][manifest["rung"]]["means"]
    assert f"Rung {manifest['rung']}: {means[0].lower()}{means[1:]}" in section(text, "Your tests")


def _pitfalls(text: str, module: str) -> None:
    told = [(*row[:4], code_names(row[4])) for row in table(section(text, "Pitfalls"))]
    mutants = read_toml(COURSE / "mutants" / f"{module}.toml")["mutant"]
    assert told == [
        (
            mutant.get("pitfall", ""),
            mutant["id"] + (", required" if mutant.get("required") else ""),
            mutant["title"],
            mutant["symptom"],
            mutant["killed_by"],
        )
        for mutant in mutants
    ]
    headings = {line.split()[1].rstrip(".") for line in text.splitlines() if line.startswith("## ")}
    assert {mutant["section"] for mutant in mutants} <= headings


def _surface(source: str) -> ast.Module:
    """The functions and classes of a contract without their docstrings."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree
