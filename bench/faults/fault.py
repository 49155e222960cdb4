"""One fault made by rule, and where it is seen."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from faults.meaning import Places, meaning


@dataclass(frozen=True, slots=True)
class Fault:
    """A unit whose text differs in some lines. `before` and `after` are those lines, blanks at their ends apart."""

    unit: str
    line: int
    function: str  # "" for the module's own lines
    before: str
    after: str
    text: str

    @property
    def place(self) -> tuple[str, str, str, str]:
        """By what a reviewed survivor knows it: the line's number changes too easily."""
        return self.unit, self.function, self.before, self.after


def faults_of(unit: str, text: str, texts: Iterable[str], labels: Places) -> Iterator[Fault]:
    """Those of the faulty texts that mean something else than the unit, and each meaning once."""
    seen = {meaning(text, labels), None}
    for faulty in texts:
        code = meaning(faulty, labels)
        if code not in seen:
            seen.add(code)
            yield _fault(unit, text, faulty)


def _fault(unit: str, text: str, faulty: str) -> Fault:
    old, new = text.splitlines(), faulty.splitlines()
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    before, after = (_joined(lines[first : len(lines) - last]) for lines in (old, new))
    return Fault(unit, first + 1, _function(text, first + 1), before, after, faulty)


def _common(one: list[str], other: list[str]) -> int:
    pairs = enumerate(zip(one, other))  # noqa: B905
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def _function(text: str, line: int) -> str:
    """The innermost class and function around a line, as `NPLM.forward`."""
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return ".".join(node.name for node in sorted(around, key=lambda node: node.lineno))
