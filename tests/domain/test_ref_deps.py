from __future__ import annotations

import pytest

from ol.domain.errors import WrongRequest
from ol.domain.ref_deps import RefDeps
from tests.fakes import Desk
from tests.made import module

DESK = Desk.of(module("A.1"), module("A.2", needs=("A.1",)), module("A.3", needs=("A.2",)), module("B.1"))


def parsed(text: str | None) -> RefDeps:
    return RefDeps.parse(DESK.catalog.course, DESK.module("A.3"), text)


def test_without_the_option_no_need_is_the_references() -> None:
    assert parsed(None) == parsed("none") == RefDeps()


def test_failing_waits_for_each_needs_own_tests() -> None:
    assert parsed("failing") == RefDeps(failing=True)


def test_all_takes_every_need_and_not_the_module_itself() -> None:
    assert parsed("all").always == {"A.1", "A.2"}


def test_ids_in_any_case_take_exactly_those() -> None:
    assert parsed("a.1") == RefDeps(always=frozenset({DESK.module("A.1").id}))


@pytest.mark.parametrize("text", ["B.1", "A.3", "A.1,B.1", "Z.9"])
def test_an_id_that_is_no_need_is_a_wrong_request(text: str) -> None:
    with pytest.raises(WrongRequest):
        parsed(text)
