"""A student's files that cannot be taken as they are: a sentence, the right exit code, and no file touched."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.refused import refused
from tests.cli.student import Student, gates, slugs, tree, words_of

CALC = "course/reference/tinycalc/calc.py"
GOOD_TEST = "from tinycalc.calc import mean\n\n\ndef test_mean():\n    assert mean([1.0, 3.0]) == 2.0\n"


@pytest.fixture
def right(calc: Student) -> Student:
    """A1 with right code and the given test."""
    return calc.writes((calc.root / CALC).read_text(encoding="utf-8"))


def gate_of(report: dict[str, Any]) -> dict[str, Any]:
    (gate,) = report["gates"]
    return dict(gate)


# ---- the unit


def test_a_unit_that_does_not_parse_is_told_with_its_line(right: Student) -> None:
    text = right.unit.read_text(encoding="utf-8")
    right.writes(text.replace("class Running:", "class Running"))
    line = text[: text.index("class Running")].count("\n") + 1
    for words in (("tests",), ("tdd", "red"), ("tdd", "green")):
        before = tree(right.root)
        told = right.ol(*words)
        assert (told.code, told.err) == (1, "")
        assert f"python/tinycalc/calc.py:{line}" in told.out or f"calc.py, line {line}" in told.out
        assert "does-not-parse" in told.out
        assert "Traceback" not in told.out
        assert tree(right.root) == before
    found = gates(right.json("check", exits=1))
    assert slugs(found["contract"]) == ["does-not-parse"]
    assert slugs(found["course tests"]) == ["does-not-parse"]


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        ("# café\n".encode("latin-1"), "not-utf8"),
        ("def mean(): ...\n".encode("utf-16"), "not-utf8"),
        (b"x = 1\0\n", "does-not-parse"),
    ],
    ids=["latin-1", "utf-16", "a zero byte"],
)
def test_a_unit_in_another_encoding_is_told_how_to_save_it(content: bytes, slug: str, right: Student) -> None:
    right.unit.write_bytes(content)
    before = tree(right.root)
    for words in (("tests",), ("tdd", "red"), ("check",), ("status",)):
        told = right.ol(*words)
        assert told.code == (0 if words == ("status",) else 1), told.out + told.err
        if words != ("status",):
            assert f"[{slug}]" in told.out + told.err
            assert "calc.py" in told.out + told.err
    assert {name: content for name, content in tree(right.root).items() if "cache" not in name} == before


def test_a_unit_with_a_byte_order_mark_and_windows_line_ends_is_as_good_as_any(right: Student) -> None:
    text = right.unit.read_text(encoding="utf-8")
    right.unit.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    right.does("tests")
    right.does("tdd", "green")


def test_a_unit_that_is_missing_is_not_started(right: Student) -> None:
    right.unit.unlink()
    for words in (("tests",), ("tdd", "red"), ("tdd", "green")):
        refused(right, *words, code=3, slug="not-started", says="ol start A1")


def test_a_unit_that_is_empty_lacks_what_the_contract_promises(right: Student) -> None:
    found = gates(right.writes("").json("check", exits=1))
    assert set(slugs(found["contract"])) == {"name-missing"}
    assert found["course tests"]["verdict"] == "failed"
    gate = gate_of(right.json("tests", exits=1))
    assert slugs(gate) == ["import"]
    assert "mean" in words_of(gate)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("to", [CALC, "nowhere.py"], ids=["the reference", "nowhere"])
def test_a_unit_that_is_a_link_is_not_followed(to: str, right: Student) -> None:
    right.unit.unlink()
    right.unit.symlink_to(right.root / to)
    for words in (("tests",), ("tdd", "green")):
        refused(right, *words, code=1, slug="link", says="python/tinycalc/calc.py is a link")
    assert right.ol("check").code == 1
    assert right.unit.is_symlink()


def test_a_folder_where_the_unit_must_be(right: Student) -> None:
    right.unit.unlink()
    right.unit.mkdir()
    refused(right, "tests", code=1, slug="not-a-file", says="python/tinycalc/calc.py")


def test_a_file_named_like_a_library_is_not_imported_in_its_place(right: Student) -> None:
    (right.root / "python" / "numpy.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    refused(right, "tests", code=1, slug="shadow-name", says="python/numpy.py")


def test_an_endless_loop_at_import_comes_to_its_limit_and_says_where(right: Student) -> None:
    edit = right.root / "course/course.toml"
    edit.write_text(
        edit.read_text(encoding="utf-8").replace("unmeasured_cpu_s = 10.0", "unmeasured_cpu_s = 0.5"),
        encoding="utf-8",
    )
    right.writes(right.unit.read_text(encoding="utf-8") + "\nwhile True:\n    pass\n")
    gate = gate_of(right.json("tests", exits=1))
    assert slugs(gate) == ["time"]
    assert "python/tinycalc/calc.py" in words_of(gate)


# ---- the tests


def empty(student: Student) -> None:
    for path in student.tests.iterdir():
        path.unlink()


def gone(student: Student) -> None:
    empty(student)
    student.tests.rmdir()


@pytest.mark.parametrize("emptied", [empty, gone])
def test_an_empty_test_folder_proves_nothing(emptied: Callable[[Student], None], right: Student) -> None:
    emptied(right)
    for words in (("tdd", "red"), ("tdd", "green")):
        gate = gate_of(right.json(*words, exits=1))
        assert slugs(gate) == ["no-test-folder"]
    refused(right, "mutate", code=3, slug="no-tests", says="python/tests/a1-calc")
    found = gates(right.json("check", exits=3))
    assert slugs(found["mutation"]) == ["no-tests"]
    assert slugs(found["journal"]) == ["journal-empty"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("def check_mean():\n    assert True\n", "no-tests"),
        ("def test_mean(:\n", "does-not-parse"),
        ("from tinycalc.calc import median\n", "not-in-contract"),
        (f"import sys\n{GOOD_TEST}", "forbidden-import"),
        (f"{GOOD_TEST}\n\nraise RuntimeError('at import')\n", "tests-broken"),
    ],
    ids=["no test", "does not parse", "another name", "forbidden import", "raises at import"],
)
def test_tests_that_cannot_run_are_neither_red_nor_green(text: str, slug: str, right: Student) -> None:
    right.has_tests(text)
    before = tree(right.root)
    for phase in ("red", "green"):
        assert slug in slugs(gate_of(right.json("tdd", phase, exits=1)))
    gate = gate_of(right.json("mutate", exits=1))
    assert slugs(gate) == [{"no-tests": "suite-empty", "tests-broken": "suite-not-collected"}.get(slug, slug)]
    assert tree(right.root) == before


def test_a_test_file_in_another_encoding(right: Student) -> None:
    (right.tests / "test_more.py").write_bytes("def test_é():\n    assert True\n".encode("latin-1"))
    for words in (("tdd", "red"), ("mutate",)):
        told = right.ol(*words)
        assert told.code == 1
        assert "[not-utf8]" in told.out + told.err
        assert "test_more.py" in told.out + told.err


def test_a_file_of_tests_that_imports_another_is_told_of_conftest(right: Student) -> None:
    (right.tests / "shared.py").write_text("ONE = 1\n", encoding="utf-8")
    right.has_tests(f"from shared import ONE\n{GOOD_TEST}", "test_calc.py")
    gate = gate_of(right.json("tdd", "red", exits=1))
    assert slugs(gate) == ["sibling-import"]
    assert "conftest.py" in words_of(gate)


def test_a_conftest_that_steers_pytest_is_refused(right: Student) -> None:
    hook = "def pytest_collection_modifyitems(items):\n    items.clear()\n"
    right.has_tests(hook, "conftest.py")
    assert slugs(gate_of(right.json("tdd", "green", exits=1))) == ["conftest-hook"]
    assert slugs(gate_of(right.json("mutate", exits=1))) == ["conftest-hook"]


# ---- nothing of a student's is ever overwritten


def test_start_leaves_what_is_there_and_names_it(right: Student) -> None:
    before = tree(right.root / "python")
    told = right.does("start", "A1")
    assert tree(right.root / "python") == before
    assert "python/tinycalc/calc.py" in told.out
    assert "python/tests/a1-calc/test_calc.py" in told.out


def test_fresh_puts_the_old_unit_away_and_leaves_the_tests(right: Student) -> None:
    tests, unit = tree(right.tests), right.unit.read_bytes()
    told = right.does("start", "A1", "--fresh")
    (kept,) = (right.root / ".ol" / "kept").rglob("calc.py")
    assert kept.read_bytes() == unit
    assert kept.relative_to(right.root).as_posix() in told.out
    assert "NotImplementedError" in right.unit.read_text(encoding="utf-8")
    assert tree(right.tests) == tests


def test_missing_only_appends(right: Student) -> None:
    text = right.unit.read_text(encoding="utf-8")
    short = text[: text.index("class Running")]
    right.writes(short).does("start", "A1", "--missing")
    now = right.unit.read_text(encoding="utf-8")
    assert now.startswith(short)
    assert "class Running:" in now
    assert "NotImplementedError" in now[len(short) :]
