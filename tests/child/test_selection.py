"""Which cases are run, and in which order."""

from __future__ import annotations

import pytest

from ol.domain.errors import WrongRequest
from ol.domain.suite import Outcome
from tests.child.plays import Stage

SELECTED = """
    import pytest
    def test_one(): pass
    @pytest.mark.parametrize("x", [1, 2])
    def test_two(x): pass
    def test_onetwo(): pass
"""


def test_exactly_the_selected_cases_run_in_the_selected_order(stage: Stage) -> None:
    select = ("test_it.py::test_onetwo", "test_it.py::test_two", "test_it.py::test_gone")
    run = stage.completed(SELECTED, select=select)
    assert [result.name for result in run.results] == ["test_onetwo", "test_two", "test_two"]
    assert run.deselected == 1
    run = stage.completed(SELECTED, select=("test_it.py::test_two[2]", "test_it.py::test_two[1]"))
    assert [result.case_id for result in run.results] == [
        "test_it.py::test_two[2]",
        "test_it.py::test_two[1]",
    ]


def test_a_file_may_have_a_bracket_in_its_name(stage: Stage) -> None:
    tests = {"test_[a].py": SELECTED, "test_[b].py": SELECTED}
    run = stage.completed(tests, select=("test_[b].py::test_two", "test_[a].py::test_two[1]"))
    assert [(result.case_id, result.function_id, result.name) for result in run.results] == [
        ("test_[b].py::test_two[1]", "test_[b].py::test_two", "test_two"),
        ("test_[b].py::test_two[2]", "test_[b].py::test_two", "test_two"),
        ("test_[a].py::test_two[1]", "test_[a].py::test_two", "test_two"),
    ]


def test_a_keyword_selects_as_in_pytest(stage: Stage) -> None:
    assert list(stage.outcomes(SELECTED, keyword="one and not two")) == ["test_one"]
    run = stage.completed(SELECTED, keyword="work")  # a folder of the run is called so
    assert (run.results, run.deselected) == ((), 4)


def test_a_keyword_that_pytest_does_not_understand_is_a_wrong_request(stage: Stage) -> None:
    with pytest.raises(WrongRequest, match="one and"):
        stage.play(SELECTED, keyword="one and")


def test_a_seed_shuffles_the_order_and_keeps_the_cases(stage: Stage) -> None:
    tests = "\n".join(f"def test_{i}(): pass" for i in range(12))
    plain, shuffled, again = (list(stage.outcomes(tests, shuffle_seed=seed)) for seed in (None, 1, 1))
    assert sorted(plain) == sorted(shuffled) and plain != shuffled
    assert shuffled == again
    assert shuffled != list(stage.outcomes(tests, shuffle_seed=2))


def test_shuffling_leaves_the_draws_of_the_tests_alone(stage: Stage) -> None:
    tests = (
        "import random\ndef test_it():\n    random.seed(1)\n    assert round(random.random(), 6) == 0.134364"
    )
    assert stage.only(tests, shuffle_seed=5).outcome is Outcome.PASSED


def test_a_run_asked_to_stop_at_the_first_failure_tells_what_it_did_not_run(stage: Stage) -> None:
    tests = """
        import pytest
        @pytest.mark.xfail
        def test_a(): assert False
        def test_b(): assert False
        def test_c(): pass
    """
    expected = {"test_a": "xfailed", "test_b": "failed", "test_c": "not run"}
    assert stage.outcomes(tests, stop_at_first=True) == expected
