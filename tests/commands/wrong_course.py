"""Small courses, each wrong in one way, and the one proof that catches it: more than tests/courses/wrong has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ol.ports import Runner
from tests.commands.author_world import AuthorWorld, reasons

TINY, MEASURED = "tiny", "measured"
A0, A1, B1 = (f"course/modules/{id}.toml" for id in ("A0", "A1", "B1"))
CALC, NUM = (f"course/reference/tinycalc/{name}.py" for name in ("calc", "num"))
PROMISE = "course/contracts/py/tinycalc/calc.pyi"
CALC_TESTS, LINE_TESTS = "course/tests/A1/test_calc.py", "course/tests/B1/test_line.py"
CALC_MUTANTS, LINE_MUTANTS = "course/mutants/A1.toml", "course/mutants/B1.toml"
BARS, GOLDENS = "course/bars/B1.toml", "oracle/manifest.toml"
ANOTHER = '\n[[tests]]\nname = "{}"\nkinds = ["{}"]\nwhy = "it is another"\n'


@dataclass
class Wrong:
    """An edit of a sound course, the proof that it breaks, the reason, and words that name file and fault."""

    told: str
    course: str
    broken: Callable[[AuthorWorld], object]
    proof: str
    slug: str
    words: tuple[str, ...]
    module: str = ""

    def __post_init__(self) -> None:
        self.module = self.module or {TINY: "A1", MEASURED: "B1"}[self.course]


def swap(path: str, old: str, new: str) -> Callable[[AuthorWorld], object]:
    return lambda world: world.edit(path, old, new)


def append(path: str, text: str) -> Callable[[AuthorWorld], object]:
    return lambda world: world.add(path, text)


def remove(path: str) -> Callable[[AuthorWorld], object]:
    return lambda world: world.remove(path)


def both(*edits: Callable[[AuthorWorld], object]) -> Callable[[AuthorWorld], object]:
    return lambda world: [edit(world) for edit in edits]


def another_test(name: str, text: str, kind: str = "unit") -> Callable[[AuthorWorld], object]:
    """A course test of A1, listed."""
    return both(append(A1, ANOTHER.format(name, kind)), append(CALC_TESTS, text))


def assert_caught(wrong: Wrong, to: Path, runner: Runner) -> None:
    """By its proof, with exit code 5, in words that name the file, and with a cure."""
    world = AuthorWorld.of(wrong.course, to, runner)
    wrong.broken(world)
    found = reasons(world.proved(wrong.proof, wrong.module))
    assert wrong.slug in found, found
    assert all(word in found[wrong.slug].text for word in wrong.words), found[wrong.slug].text
