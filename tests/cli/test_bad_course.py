"""A course that is wrong in one place: exit code 5, the file and the cure named, and no mark lost over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.refused import refused
from tests.cli.student import MEASURED, Student, begun, course_in, edited, slugs, tree

MANIFEST, MUTANTS = "course/modules/A1.toml", "course/mutants/A1.toml"
REFERENCE = "course/reference/tinycalc/calc.py"


def swap(path: str, old: str, new: str) -> Callable[[Path], object]:
    return lambda root: edited(root / path, old, new)


def holds(path: str, content: bytes) -> Callable[[Path], object]:
    return lambda root: (root / path).write_bytes(content)


WRONG = {
    "a manifest with an unknown key": (
        swap(MANIFEST, "hours =", "houres ="), "status", "unknown-key", f"{MANIFEST}: the key houres is unknown",
    ),
    "a table of a manifest with an unknown key": (
        swap(MANIFEST, 'kinds = ["unit", "smoke"]', 'kind = ["unit", "smoke"]'), "tests", "unknown-key",
        "the key tests.1.kind is unknown",
    ),
    "a manifest that is no TOML": (
        swap(MANIFEST, 'rung = "R3"', 'rung = "R3'), "status", "toml-unreadable", f"{MANIFEST} is not TOML",
    ),
    "a value of the wrong type": (
        swap(MANIFEST, "hours = [0, 1]", 'hours = "an hour"'), "status", "wrong-value", MANIFEST,
    ),
    "a need that is not there": (
        swap(MANIFEST, 'needs = ["A0"]', 'needs = ["A00"]'), "start", "unknown-name", "A00",
    ),
    "a rung that is not there": (
        swap(MANIFEST, 'rung = "R3"', 'rung = "R4"'), "check", "unknown-name", "R4",
    ),
    "an unknown key of the course": (
        swap("course/course.toml", "unmeasured_cpu_s", "unmeasured_cpu"), "status", "unknown-key",
        "unmeasured_cpu",
    ),
    "a newer course format": (
        swap("course/course.toml", "format = 1", "format = 2"), "status", "course-format", "format 1, not 2",
    ),
    "a mutant whose find is absent": (
        swap(MUTANTS, 'find = "if low > high:"', 'find = "if low >= high:"'), "mutate", "mutant-find", "s04",
    ),
    "a mutant whose find stands twice": (
        swap(MUTANTS, 'find = "if low > high:"', "find = 'raise ValueError(\"a mean needs a value\")'"), "mutate",
        "mutant-find", "s04",
    ),
    "a mutant that does not parse": (
        swap(MUTANTS, 'replace = "if low > high + LIMIT:"', 'replace = "if low > high"'), "mutate",
        "mutant-unreadable", "s04",
    ),
    "a mutant with an unknown key": (
        swap(MUTANTS, "required = true", "requires = true"), "mutate", "unknown-key",
        "the key mutant.1.requires is unknown",
    ),
    "a killer that is no course test": (
        swap(MUTANTS, '"test_mean_of_a_few", ', '"test_mean_of_a_lot", '), "mutate", "unknown-name",
        "test_mean_of_a_lot",
    ),
    "no mutants where the rung asks for a grade": (
        lambda root: (root / MUTANTS).unlink(), "mutate", "no-mutants", "A1",
    ),
    "a wheat of no unit": (
        lambda root: (root / "course/wheats/A1/w09").mkdir() or holds("course/wheats/A1/w09/clac.py", b"")(root),
        "mutate", "wheat-unit", "w09/clac.py",
    ),
    "a reference that does not parse": (
        swap(REFERENCE, "class Running:", "class Running"), "mutate", "course-unreadable", REFERENCE,
    ),
    "a contract in another encoding": (
        holds("course/contracts/py/tinycalc/calc.pyi", "def café(): ...\n".encode("latin-1")), "tests",
        "not-utf8", "calc.pyi",
    ),
    "a contract that is gone": (
        lambda root: (root / "course/contracts/py/tinycalc/calc.pyi").unlink(), "check",
        "course-file-missing", "calc.pyi",
    ),
}  # fmt: skip


@pytest.mark.parametrize("told", WRONG)
def test_a_wrong_course_is_named_and_nothing_is_written(told: str, calc: Student) -> None:
    broken, command, slug, says = WRONG[told]
    reference = (calc.root / REFERENCE).read_text(encoding="utf-8")
    broken(calc.writes(reference).root)
    refused(calc, command, *(["A1"] if command == "start" else []), code=5, slug=slug, says=says)


@pytest.mark.parametrize(
    ("told", "nearest"),
    [
        ("a manifest with an unknown key", "Did you mean hours?"),
        ("a table of a manifest with an unknown key", "Did you mean kinds?"),
        ("an unknown key of the course", "Did you mean unmeasured_cpu_s?"),
        ("a mutant with an unknown key", "Did you mean required?"),
        ("a killer that is no course test", "Did you mean test_mean_of_a_few?"),
    ],
)
def test_the_nearest_known_name_is_told(told: str, nearest: str, calc: Student) -> None:
    broken, command, slug, _ = WRONG[told]
    broken(calc.root)
    refused(calc, command, code=5, slug=slug, says=nearest)


@pytest.mark.parametrize("told", ["a mutant whose find is absent", "a mutant whose find stands twice"])
def test_verify_finds_the_same_and_how_often(told: str, calc: Student) -> None:
    broken, _, slug, _ = WRONG[told]
    broken(calc.root)
    before = tree(calc.root)
    report = calc.json("verify", exits=5)
    files = next(gate for gate in report["gates"] if gate["gate"] == "files")
    assert slugs(files) == [slug]
    assert MUTANTS in files["reasons"][0]["text"]
    assert (" 0 times" if "absent" in told else " 2 times") in files["reasons"][0]["text"]
    assert tree(calc.root) == before


def test_what_a_command_does_not_use_does_not_stop_it(calc: Student) -> None:
    calc.writes((calc.root / REFERENCE).read_text(encoding="utf-8"))
    (calc.root / "course/wheats/A1/w01.py").write_text("def mean(", encoding="utf-8")
    calc.does("tests")
    assert calc.ol("mutate").code == 5
    edited(calc.root / "course/modules/A0.toml", "hours", "houres")
    assert calc.ol("tests").code == 5  # A0 is a need of it


@pytest.mark.parametrize(
    ("broken", "slug"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\0"), "golden-changed"),
        (lambda path: path.unlink(), "golden-missing"),
        (lambda path: path.write_bytes(b"no safetensors"), "golden-changed"),
    ],
    ids=["changed", "gone", "no golden"],
)
def test_a_golden_that_is_not_as_its_manifest_says_is_found_by_verify(
    broken: Callable[[Path], object], slug: str, tmp_path: Path
) -> None:
    author = begun(tmp_path)
    course_in(author.root, MEASURED)
    broken(author.root / "oracle/B1/line.safetensors")
    before = tree(author.root)
    report = author.json("verify", "B1", exits=5)
    goldens = next(gate for gate in report["gates"] if gate["gate"] == "goldens")
    assert goldens["verdict"] == "failed"
    assert slug in slugs(goldens)
    assert "oracle/B1/line.safetensors" in goldens["reasons"][0]["text"]
    assert tree(author.root) == before
