"""The student's own needs, tried before a module's tests: smoke tests first, and what a change has broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ol.commands import tests as command
from ol.commands.steps.sources import resolve, survey
from ol.domain.course import CourseTest
from ol.domain.errors import NotReady
from ol.domain.report import Source, Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fakes import Desk
from tests.made import completed, failed, module, texts

GOOD = "def f():\n    return 1\n"
SLOW = "def f():\n    return 1  # wrong where only a slow test looks\n"
BAD = "def f():\n    return 2\n"
REFERENCE = "def f():\n    return 1  # the reference\n"
SUITE = "def test_quick(): ...\ndef test_slow(): ...\n"
TESTS = (CourseTest("test_quick", ("unit", "smoke"), "first"), CourseTest("test_slow", ("unit",), "then"))


def answer(request: RunRequest) -> SuiteRun:
    """BAD fails every test, wherever it lies below, and SLOW the slow one."""
    asked = [id.split("::")[1] for id in request.select] if request.select else [t.name for t in TESTS]
    texts_below = set(request.sources.values())
    wrong = {BAD: {"test_quick", "test_slow"}, SLOW: {"test_slow"}}
    bad = {name for text in texts_below for name in wrong.get(text, ())}
    return completed(*(failed(name) if name in bad else name for name in asked), deselected=2 - len(asked))


def desk(one: str = GOOD, two: str = GOOD) -> Desk:
    """A.1 <- A.2 <- A.3, the last one asked for, and B.1 that it needs too."""
    made = Desk.of(
        module("A.1", tests=TESTS),
        module("B.1", tests=TESTS),
        module("A.2", needs=("A.1",), tests=TESTS),
        module("A.3", needs=("A.2", "B.1"), tests=TESTS),
        answer=answer,
    )
    units = ("a1.py", "b1.py", "a2.py", "a3.py")
    made.catalog.references = dict.fromkeys(units, REFERENCE)
    made.catalog.contracts = dict.fromkeys(units, "def f() -> int: ...\n")
    made.catalog.tests = {id: texts({"test_x.py": SUITE}) for id in made.catalog.course.modules}
    made.workspace.units = {"a1.py": one, "b1.py": GOOD, "a2.py": two, "a3.py": GOOD}
    return made


def runs(made: Desk) -> list[tuple[int, bool]]:
    """Of each run: how many units it saw, and whether it was of the smoke tests alone."""
    return [(len(each.sources), each.select is not None) for each in made.runner.requests]


def told(made: Desk) -> list[str]:
    return [line for line in made.progress.told if ": " in line]


def test_smoke_tests_of_all_needs_come_first_then_all_their_tests() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    assert sorted(runs(made)[:3]) == [(1, True), (1, True), (2, True)]
    assert sorted(runs(made)[3:]) == [(1, False), (1, False), (2, False)]
    assert told(made) == ["smoke tests of your needs: 3", "course tests of your needs: 3"]


def test_what_is_remembered_of_these_files_is_not_run_nor_told() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    made.runner.requests.clear()
    made.progress.told.clear()
    resolve(made.ports(), made.module("A.3"))
    assert (runs(made), made.progress.told) == ([], [])
    made.workspace.units["a2.py"] = GOOD + "\n"
    resolve(made.ports(), made.module("A.3"))
    assert runs(made) == [(2, True), (2, False)]


def test_where_a_smoke_test_fails_nothing_more_is_run() -> None:
    made = desk(one=BAD)
    with pytest.raises(NotReady) as stopped:
        resolve(made.ports(), made.module("A.3"))
    assert all(smoke for _, smoke in runs(made))
    assert "A.1 failing" in stopped.value.message
    broken = survey(made.ports(), made.module("A.3")).broken
    assert broken[made.module("A.1").id].text == "0/1 smoke tests pass: test_quick fails"
    assert broken[made.module("A.2").id].slug == "need-blocked"


def test_what_smoke_tests_said_is_remembered_too() -> None:
    made = desk(one=BAD)
    first = survey(made.ports(), made.module("A.3")).broken
    made.runner.requests.clear()
    assert survey(made.ports(), made.module("A.3")).broken == first
    assert runs(made) == []


def test_where_a_need_is_remembered_to_fail_the_others_are_not_run() -> None:
    made = desk(one=SLOW)
    survey(made.ports(), made.module("A.3"))
    made.runner.requests.clear()
    made.workspace.units["b1.py"] += "# edited\n"
    assert list(survey(made.ports(), made.module("A.3")).broken) == ["A.1", "A.2"]
    assert runs(made) == []


def test_all_of_a_needs_tests_decide() -> None:
    made = desk(one=SLOW)
    broken = survey(made.ports(), made.module("A.3")).broken
    assert broken[made.module("A.1").id].text == "1/2 course tests pass: test_slow fails"


def test_with_ref_deps_every_need_is_judged_on_what_it_will_stand_on() -> None:
    made = desk(one=BAD)
    origin = survey(made.ports(), made.module("A.3"), "failing").origin
    assert origin[made.module("A.1").id] is Source.REFERENCE
    assert origin[made.module("A.2").id] is Source.STUDENT
    assert origin[made.module("B.1").id] is Source.STUDENT
    last = made.runner.requests[-1]
    assert (last.select, last.sources["tiny.a1"]) == (None, REFERENCE)
    assert (1, False) in runs(made)  # B.1, which hangs on nothing


def test_a_need_that_the_reference_stands_in_for_by_name_is_not_even_read() -> None:
    made = desk(one="def f(:\n")
    found = survey(made.ports(), made.module("A.3"), "A.1")
    assert found.broken == {}
    assert found.units["a1.py"] == REFERENCE


def test_a_need_that_passed_and_fails_now_is_a_regression_that_names_the_change() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    made.workspace.units["a1.py"] = BAD
    with pytest.raises(NotReady) as stopped:
        resolve(made.ports(), made.module("A.3"))
    told = "your change of a1.py broke A.1, which passed before: test_quick fails"
    assert told in stopped.value.message
    assert "`ol tests A.1`" in stopped.value.next_step
    assert survey(made.ports(), made.module("A.3")).broken[made.module("A.1").id].slug == "need-regressed"


def test_a_change_made_for_one_module_that_breaks_another_is_told_by_its_file() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    made.workspace.units |= {"a1.py": GOOD + "# for A.2\n", "a2.py": SLOW}
    broken = survey(made.ports(), made.module("A.3")).broken
    assert list(broken) == [made.module("A.2").id]
    assert "your change of a1.py and a2.py broke A.2" in broken[made.module("A.2").id].text


def test_a_pass_of_ol_tests_counts_as_one() -> None:
    made = desk()
    assert command.tests(made.ports(), made.module("A.1")).gates[0].verdict is Verdict.PASSED
    made.workspace.units["a1.py"] = BAD
    assert survey(made.ports(), made.module("A.3")).broken[made.module("A.1").id].slug == "need-regressed"


def test_what_never_passed_is_no_regression() -> None:
    made = desk(one=BAD)
    survey(made.ports(), made.module("A.3"))
    made.workspace.units["a1.py"] = SLOW
    assert survey(made.ports(), made.module("A.3")).broken[made.module("A.1").id].slug == "need-failing"


def test_nor_is_what_fails_since_the_course_changed() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    made.catalog = replace(made.catalog, lock_hash="another")
    made.workspace.units["a1.py"] = BAD
    assert survey(made.ports(), made.module("A.3")).broken[made.module("A.1").id].slug == "need-failing"


def test_a_damaged_memory_of_the_last_pass_is_none() -> None:
    made = desk()
    resolve(made.ports(), made.module("A.3"))
    made.memo.kept = {name: b"{" for name in made.memo.kept if name.startswith("last pass")}
    made.workspace.units["a1.py"] = BAD
    assert survey(made.ports(), made.module("A.3")).broken[made.module("A.1").id].slug == "need-failing"
