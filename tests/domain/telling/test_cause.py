from __future__ import annotations

import pytest

from ol.domain.suite import (
    CollectionError,
    Exit,
    Exited,
    Facts,
    Frame,
    Outcome,
    OutOfMemory,
    Signalled,
    TimedOut,
    TooMuchOutput,
)
from ol.domain.telling.cause import Why, why_crashed, why_failed, why_not_collected
from ol.domain.telling.listing import Listing, Text
from tests.made import case, crashed, failed, frames

LISTING = Listing(
    units={"tiny.a1": Text("python/tiny/a1.py", "def add(x, y):\n    return x - y\n")},
    tests={"test_x.py": Text("python/tests/a-1/test_x.py", "def test_a():\n    assert add(1, 2) == 3\n")},
)
IN_TEST = ("tests/test_x.py", 2, "test_a")
IN_UNIT = ("tiny.a1", 2, "add")
IN_NUMPY = ("numpy/_core/fromnumeric.py", 9, "sum")


def test_a_test_that_asserts_is_an_assertion() -> None:
    cause = why_failed(failed("test_a", "assert -1 == 3", frames=frames(IN_TEST)), LISTING)
    assert (cause.why, cause.text) == (Why.ASSERTION, "assert -1 == 3")
    assert cause.frame is not None
    assert LISTING.place(cause.frame) == "python/tests/a-1/test_x.py:2, in test_a"
    assert LISTING.line(cause.frame) == "assert add(1, 2) == 3"


def test_pytest_raises_that_saw_nothing_raised_is_an_assertion() -> None:
    wrong = failed("test_a", "DID NOT RAISE ValueError", "_pytest.outcomes.Failed", frames=frames(IN_TEST))
    assert why_failed(wrong, LISTING).why is Why.ASSERTION


def test_an_array_comparison_brings_its_numbers() -> None:
    message = "1 of 3 values differ (rtol 0, atol 0)\ngreatest difference: 0.5 absolute, 0.25 relative"
    cause = why_failed(
        failed("test_a", message, frames=frames(IN_TEST, ("frozen/close.py", 3, "assert_close"))), LISTING
    )
    assert cause.why is Why.NUMERIC
    assert cause.numbers is not None
    assert cause.numbers.absolute == "0.5"
    assert cause.frame == Frame(*IN_TEST)


def test_an_array_comparison_is_of_the_array_that_it_names() -> None:
    message = (
        "logits: 1 of 3 values differ (rtol 0, atol 0)\ngreatest difference: 0.5 absolute, 0.25 relative"
    )
    cause = why_failed(failed("test_a", message, frames=frames(IN_TEST)), LISTING)
    assert cause.text == "the values of logits differ by up to 0.5"


def test_a_sentence_on_known_wrong_values_is_told_with_them() -> None:
    wrong = failed(
        "test_a", "1 of 2 values differ", frames=frames(IN_TEST), known_wrong="y is x turned round"
    )
    cause = why_failed(wrong, LISTING)
    assert (cause.why, cause.known_wrong) == (Why.NUMERIC, "y is x turned round")
    assert "that" in cause.next_step


def test_a_unit_says_no_such_sentence_of_itself() -> None:
    own = failed("test_a", "", "KnownMistake", frames=frames(IN_TEST, IN_UNIT), known_wrong="all is well")
    assert why_failed(own, LISTING).known_wrong == ""


def test_not_implemented_from_a_unit_is_a_stub() -> None:
    cause = why_failed(
        failed(
            "test_a", "A.1: add is not written yet", "NotImplementedError", frames=frames(IN_TEST, IN_UNIT)
        ),
        LISTING,
    )
    assert (cause.why, cause.text) == (Why.STUB, "add is not written yet")


def test_not_implemented_from_a_test_is_the_tests_own() -> None:
    cause = why_failed(failed("test_a", "", "NotImplementedError", frames=frames(IN_TEST)), LISTING)
    assert (cause.why, cause.text) == (Why.TEST, "the test itself raised NotImplementedError")


def test_an_exception_below_a_unit_is_the_units() -> None:
    wrong = failed(
        "test_a", "bad shape\nmore", "builtins.ValueError", frames=frames(IN_TEST, IN_UNIT, IN_NUMPY)
    )
    cause = why_failed(wrong, LISTING)
    assert (cause.why, cause.text) == (Why.UNIT, "ValueError: bad shape (in add)")
    assert cause.frame == Frame(*IN_UNIT)


def test_an_assertion_inside_a_unit_is_the_units() -> None:
    wrong = failed("test_a", "sizes", frames=frames(IN_TEST, IN_UNIT))
    assert why_failed(wrong, LISTING).why is Why.UNIT


def test_an_exception_below_a_test_is_the_tests() -> None:
    wrong = failed("test_a", "'x'", "KeyError", frames=frames(IN_TEST, IN_NUMPY))
    assert why_failed(wrong, LISTING).why is Why.TEST


@pytest.mark.parametrize(
    ("exception", "bases", "why"),
    [
        ("ModuleNotFoundError", ("ImportError",), Why.IMPORT),
        ("MemoryError", (), Why.MEMORY),
        ("numpy._core._exceptions._ArrayMemoryError", ("MemoryError",), Why.MEMORY),
        ("RecursionError", ("RuntimeError",), Why.UNIT),
    ],
)
def test_the_type_decides_where_it_says_more(exception: str, bases: tuple[str, ...], why: Why) -> None:
    wrong = failed("test_a", "text", exception, frames=frames(IN_TEST, IN_UNIT), bases=bases)
    assert why_failed(wrong, LISTING).why is why


def test_a_file_that_grows_beyond_the_limit_is_output() -> None:
    wrong = failed("test_a", "[Errno 27] File too large", "OSError", frames=frames(IN_TEST, IN_UNIT))
    assert why_failed(wrong, LISTING).why is Why.OUTPUT


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED, Outcome.NOT_RUN])
def test_a_case_that_did_not_run_to_its_end_proves_nothing(outcome: Outcome) -> None:
    cause = why_failed(case("test_a", outcome, message="later"), LISTING)
    assert (cause.why, cause.text) == (Why.NOT_PROVED, f"{outcome.value}: later")


def test_a_file_that_does_not_parse_says_so() -> None:
    error = CollectionError("test_x.py", Facts("SyntaxError", message="invalid syntax (test_x.py, line 3)"))
    assert why_not_collected(error, LISTING).why is Why.SYNTAX


@pytest.mark.parametrize(
    ("exit", "why", "text"),
    [
        (
            TimedOut(20.0, "case", frames(IN_TEST, IN_UNIT)),
            Why.TIME,
            "time-out after 20 s (case limit) in t::a",
        ),
        (OutOfMemory(1 << 30), Why.MEMORY, "out of memory at 1024 MB in t::a"),
        (TooMuchOutput(8 << 20), Why.OUTPUT, "over 8 MB of output in t::a"),
        (Exited(0), Why.EXIT, "left early with exit code 0 in t::a"),
        (Signalled(11), Why.EXIT, "ended by signal 11 in t::a"),
    ],
)
def test_a_run_without_a_closing_record_says_which_bound_was_hit(exit: Exit, why: Why, text: str) -> None:
    cause = why_crashed(crashed(exit, running="t::a"), LISTING)
    assert (cause.why, cause.text) == (why, text)


def test_a_time_out_shows_the_line_where_it_stood() -> None:
    cause = why_crashed(crashed(TimedOut(20.0, "cpu", frames(IN_TEST, IN_UNIT, IN_NUMPY))), LISTING)
    assert cause.frame == Frame(*IN_UNIT)
    assert LISTING.line(Frame(*IN_UNIT)) == "return x - y"
