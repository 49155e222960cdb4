from __future__ import annotations

from dataclasses import replace

import pytest

from ol.commands.steps.sources import reference_sources, resolve, survey
from ol.domain.errors import NotReady
from ol.domain.report import Source
from ol.domain.run import RunRequest
from ol.domain.suite import Exited, SuiteRun
from tests.fakes import Desk
from tests.made import completed, crashed, failed, module

STUB = 'def f():\n    raise NotImplementedError("A.1: f is not written yet")\n'
GOOD = "def f():\n    return 1\n"
BAD = "def f():\n    return 2\n"
REFERENCE = "def f():\n    return 1  # the reference\n"
CONTRACT = "def f() -> int: ...\n"


def passes_unless_bad(request: RunRequest) -> SuiteRun:
    return completed(failed("test_it")) if BAD in request.sources.values() else completed("test_it")


def desk(*needs: str, graded: bool = True) -> Desk:
    """A.1 <- A.2 <- A.3, the last one asked for; A.1 and A.2 have course tests when graded."""
    more = {} if graded else {"tests": ()}
    made = Desk.of(
        module("A.1", **more),
        module("A.2", needs=("A.1",), **more),
        module("A.3", needs=("A.2",)),
        answer=passes_unless_bad,
    )
    units = ("a1.py", "a2.py", "a3.py")
    made.catalog.references = dict.fromkeys(units, REFERENCE)
    made.catalog.contracts = dict.fromkeys(units, CONTRACT)
    made.workspace.units = dict(zip(units, [*needs, GOOD], strict=True))
    return made


def origins(made: Desk, ref_deps: str | None = None) -> str:
    """`SSR`: student, unverified or reference, in order of the closure."""
    found = survey(made.ports(), made.module("A.3"), ref_deps)
    letters = {Source.STUDENT: "S", Source.REFERENCE: "R", Source.UNVERIFIED: "U"}
    return "".join(letters[found.origin[each.id]] for each in made.catalog.course.closure("A.3"))


def test_a_need_is_the_students_when_its_own_course_tests_pass() -> None:
    made = desk(GOOD, GOOD)
    found = resolve(made.ports(), made.module("A.3"))
    assert origins(made) == "SSS"
    assert found.sources == {"tiny.a1": GOOD, "tiny.a2": GOOD, "tiny.a3": GOOD}
    assert found.own() == {"a3.py": GOOD}


def test_origins_are_in_the_order_of_the_manifests_whatever_needs_what() -> None:
    made = Desk.of(module("A.1", needs=("A.2",)), module("A.2"), module("A.3", needs=("A.1",)))
    made.catalog.references = dict.fromkeys(("a1.py", "a2.py"), REFERENCE)
    made.workspace.units = {"a3.py": GOOD}
    assert list(survey(made.ports(), made.module("A.3"), "all").origin) == ["A.1", "A.2", "A.3"]


def test_a_needs_tests_see_its_own_closure_and_the_course() -> None:
    made = desk(GOOD, GOOD)
    resolve(made.ports(), made.module("A.3"))
    first, second = made.runner.requests
    assert set(first.sources) == {"tiny.a1"}
    assert set(second.sources) == {"tiny.a1", "tiny.a2"}
    assert first.course_root == made.catalog.root


def test_a_need_without_course_tests_is_unverified() -> None:
    made = desk(GOOD, BAD, graded=False)
    assert origins(made) == "UUS"
    assert made.runner.requests == []


@pytest.mark.parametrize("left", [STUB, "def f(:\n", None], ids=["stub", "unreadable", "missing"])
@pytest.mark.parametrize("graded", [True, False])
def test_a_need_that_is_not_there_blocks_and_both_ways_on_are_named(left: str | None, graded: bool) -> None:
    made = desk(GOOD, left or "", graded=graded)
    if left is None:
        del made.workspace.units["a2.py"]
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert "A.2" in caught.value.message
    assert "A.2" in caught.value.next_step
    assert "`ol start A.3 --ref-deps`" in caught.value.next_step


def test_a_failing_need_blocks_and_so_does_what_waits_for_it() -> None:
    made = desk(BAD, GOOD)
    found = survey(made.ports(), made.module("A.3"))
    assert {id: reason.slug for id, reason in found.broken.items()} == {
        "A.1": "need-failing",
        "A.2": "need-blocked",
    }
    assert len(made.runner.requests) == 2  # at once: nothing is known of either


def test_ref_deps_takes_the_reference_where_a_need_does_not_pass_and_judges_the_next_on_it() -> None:
    made = desk(BAD, GOOD)
    assert origins(made, "failing") == "RSS"
    assert made.runner.requests[-1].sources["tiny.a1"] == REFERENCE


def test_ref_deps_all_takes_every_need_and_runs_nothing() -> None:
    made = desk(GOOD, GOOD)
    assert origins(made, "all") == "RRS"
    assert made.runner.requests == []


def test_ref_deps_with_ids_takes_exactly_those_and_the_others_still_block() -> None:
    assert origins(desk(BAD, GOOD), "A.1") == "RSS"
    made = desk(BAD, BAD)
    with pytest.raises(NotReady, match=r"A\.2"):
        resolve(made.ports(), made.module("A.3"), "A.1")


def test_what_start_was_given_is_applied_and_said() -> None:
    made = desk(BAD, GOOD)
    made.workspace.remember_start(made.module("A.3").id, "failing")
    found = resolve(made.ports(), made.module("A.3"))
    assert origins(made) == "RSS"
    assert "--ref-deps=failing" in found.notes[0]
    assert "ol start A.3" in found.notes[0]


def test_an_option_given_now_comes_before_what_start_was_given() -> None:
    made = desk(BAD, GOOD)
    made.workspace.remember_start(made.module("A.3").id, "failing")
    with pytest.raises(NotReady):
        resolve(made.ports(), made.module("A.3"), "none")


def test_the_module_asked_for_must_be_started() -> None:
    made = desk(GOOD, GOOD)
    del made.workspace.units["a3.py"]
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert caught.value.slug == "not-started"
    assert "python/tiny/a3.py" in caught.value.message


def test_a_stub_of_the_module_asked_for_is_taken_as_it_is() -> None:
    made = desk(GOOD, GOOD)
    made.workspace.units["a3.py"] = STUB
    assert resolve(made.ports(), made.module("A.3")).own() == {"a3.py": STUB}


def test_a_needs_verdict_is_remembered_by_content() -> None:
    made = desk(GOOD, BAD)
    assert survey(made.ports(), made.module("A.3")).broken == survey(made.ports(), made.module("A.3")).broken
    assert len(made.runner.requests) == 2
    made.workspace.units["a2.py"] = GOOD
    assert origins(made) == "SSS"
    assert len(made.runner.requests) == 3


def test_nothing_is_remembered_without_a_lock_or_with_a_changed_course() -> None:
    for changed in ({"lock_hash": ""}, {"changed": ("course/tests/frozen/close.py",)}):
        made = desk(GOOD, GOOD)
        made.catalog = replace(made.catalog, **changed)
        origins(made)
        assert made.memo.kept == {}


def test_a_run_that_did_not_end_is_not_remembered() -> None:
    made = desk(GOOD, GOOD)
    made.runner.answer = lambda request: crashed(Exited(0), "test_it")
    assert survey(made.ports(), made.module("A.3")).broken
    assert made.memo.kept == {}


def test_the_references_sources_are_the_whole_closure() -> None:
    made = desk(BAD, BAD)
    assert reference_sources(made.ports(), made.module("A.3")) == dict.fromkeys(
        ("tiny.a1", "tiny.a2", "tiny.a3"), REFERENCE
    )
