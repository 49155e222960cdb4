"""Blanks read from a student's files: what counts as filled, what does not, and what is never said."""

from __future__ import annotations

import pytest

from ol.domain.course import Blank
from ol.domain.errors import WorkRefused
from ol.domain.file import File
from ol.domain.grading.blanks import Filling, fillings, why_unread, wrong
from ol.domain.grading.literal import Value, agree
from ol.domain.report import Reason
from tests.made import texts

DRAW = Blank("DRAW", "one step by hand")
FOLDER = "python/tests/a-1"


def filling(text: str, **others: str) -> Filling:
    (found,) = fillings(texts({"test_a.py": text, **others}), [DRAW])
    return found


def unread(text: str, **others: str) -> Reason:
    reason = why_unread(filling(text, **others), FOLDER)
    assert reason is not None
    assert reason.next_step
    return reason


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("0x15B0AF", 1421487),
        ("1e-3", 0.001),
        ("True", True),
        ("'ab' 'c'", "abc"),
        ("[1, 2.5, 'x']", [1, 2.5, "x"]),
        ("(1, 2)", [1, 2]),
        ("[[1, 2], (3, 4)]", [[1, 2], [3, 4]]),
        ("[]", []),
    ],
)
def test_a_plain_value_is_read_as_it_stands(written: str, value: Value) -> None:
    for line in (f"DRAW = {written}  # by hand", f"DRAW: object = {written}"):
        found = filling(line)
        assert why_unread(found, FOLDER) is None
        assert found.value == value and type(found.value) is type(value) and not found.open


@pytest.mark.parametrize(
    "written",
    [
        "1 / 3", "f()", "OTHER", "x.y", "None", "b'ab'", "{1}", "{'a': 1}", "1 + 2j", "f'{1}'", "[...]", "[None]",
        "lambda: 3", "[x for x in y]", "10 ** 9", "__import__('os').getpid()", "[[[[[1]]]]]",
        f"{'x' * 2000!r}", f"0x{'f' * 2000}", f"[{'1, ' * 2000}]", f"{'-' * 90}1",
    ],
)  # fmt: skip
def test_what_is_no_plain_value_is_not_run_and_shown_as_it_stands(written: str) -> None:
    reason = unread(f"DRAW = {written}")
    assert reason.slug == "blank-not-plain"
    assert reason.text == "DRAW is no plain value: python/tests/a-1/test_a.py:1."
    assert reason.detail[0].startswith(f"DRAW = {written[:40]}") and len(reason.detail[0]) <= 61


def test_a_blank_as_it_was_handed_out_is_told_with_its_file_its_line_and_its_comment() -> None:
    reason = unread("import x\n\nDRAW = ...  # by hand: the first draw of seed 7\n")
    assert (reason.slug, reason.text) == (
        "blank-open",
        "DRAW is not filled yet: python/tests/a-1/test_a.py:3.",
    )
    assert reason.detail == ("DRAW = ...  # by hand: the first draw of seed 7",)
    assert filling("DRAW = ...").open and filling("DRAW: int = ...").open


@pytest.mark.parametrize("between", ["\f", "\v", "\x1c", "\x85", "\u2028", "\r", "\r\n"])
def test_its_line_is_pythons_whatever_else_ends_one_elsewhere(between: str) -> None:
    reason = filling(f"# a{between}# b\nDRAW = ...  # this\n").told_open(FOLDER)
    assert reason.detail == ("DRAW = ...  # this",)


@pytest.mark.parametrize("text", ["", "draw = 3\n", "def test_a():\n    assert DRAW\n"])
def test_a_name_that_no_file_assigns_is_missing(text: str) -> None:
    reason = unread(text, **{"notes.txt": "DRAW = 3"})
    assert (reason.slug, reason.text) == ("blank-missing", "DRAW is assigned nowhere in python/tests/a-1/.")


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("DRAW = 3\nDRAW = 3\n", {}),
        ("DRAW = ...\nDRAW = 4\n", {}),
        ("DRAW = 3\n\ndef test_a():\n    global DRAW\n    DRAW = 4\n", {}),
        ("DRAW = 3\nif True:\n    DRAW = 4\n", {}),
        ("DRAW = 3\nDRAW += 1\n", {}),
        ("DRAW = 3\n(DRAW, _) = 4, 5\n", {}),
        ("DRAW = 3\nfor DRAW in [4]:\n    pass\n", {}),
        ("DRAW = 3\ndel DRAW\n", {}),
        ("DRAW = 3\n", {"test_b.py": "DRAW = 3\n"}),
    ],
)
def test_a_name_assigned_twice_anywhere_has_no_value(text: str, others: dict[str, str]) -> None:
    reason = unread(text, **others)
    assert reason.slug == "blank-twice" and reason.text.startswith(
        "DRAW is assigned 2 times: python/tests/a-1/"
    )
    assert filling(text, **others).value is None


def test_of_many_places_the_first_three_are_named() -> None:
    reason = unread("DRAW = 3\n" * 2_000)
    assert reason.text.startswith("DRAW is assigned 2000 times: ")
    assert reason.text.endswith("test_a.py:3 and 1997 more.")


@pytest.mark.parametrize(
    "text",
    ["if True:\n    DRAW = 3\n", "DRAW = OTHER = 3\n", "DRAW, B = 3, 4\n", "(DRAW := 3)\n", "DRAW: int\n"],
)
def test_a_value_counts_only_where_the_file_itself_assigns_it_plainly(text: str) -> None:
    assert unread(text).slug == "blank-not-plain"


def test_a_file_that_does_not_parse_is_refused_with_its_line() -> None:
    with pytest.raises(WorkRefused, match=r"test_a\.py:1"):
        fillings([File("test_a.py", b"DRAW = (\n")], [DRAW])


def test_a_wrong_value_is_told_as_it_is_read_and_the_right_one_never_is() -> None:
    reason = wrong(filling("\nDRAW = 3.0\n"), 1421487, FOLDER)
    assert reason.slug == "blank-wrong"
    assert reason.text == "DRAW is not right. It is read as 3.0: python/tests/a-1/test_a.py:2."
    assert "1421487" not in repr(reason) and "one step by hand" in reason.detail[0]


def test_a_value_of_another_kind_is_told_by_its_kind() -> None:
    reason = wrong(filling("DRAW = '1421487'"), 1421487, FOLDER)
    assert reason.text == "DRAW is read as a text, and a number is asked for: python/tests/a-1/test_a.py:1."


POINT = "A number is written with a point, as in 1.5: a comma makes a list of it."


@pytest.mark.parametrize("text", ["DRAW = 1,6740", "DRAW = -1,5  # by hand", "DRAW = (1,5)"])
def test_a_number_with_a_comma_is_told_of_the_point(text: str) -> None:
    assert wrong(filling(text), 1.674, FOLDER).next_step == POINT


@pytest.mark.parametrize(
    ("text", "asked"),
    [("DRAW = [1, 5]", 1.5), ("DRAW = 1, 2, 3", 1.5), ("DRAW = 1,5", [1.5]), ("DRAW = 'a'", 1.5)],
)
def test_what_is_no_number_with_a_comma_is_not(text: str, asked: Value) -> None:
    assert "point" not in wrong(filling(text), asked, FOLDER).next_step


def test_a_number_whose_comma_makes_it_no_python_is_told_of_the_point() -> None:
    with pytest.raises(WorkRefused) as caught:
        filling("DRAW = 1,05")
    assert caught.value.next_step.startswith("A number is written with a point")
    with pytest.raises(WorkRefused) as caught:
        filling("DRAW = 05")
    assert "point" not in caught.value.next_step


@pytest.mark.parametrize(
    ("got", "expected", "rtol", "atol", "same"),
    [
        (3, 3, 0, 0, True),
        (3.0, 3, 0, 0, True),
        (3, 4, 0, 0, False),
        (1.0000004, 1.0, 1e-6, 0, True),
        (1.000004, 1.0, 1e-6, 0, False),
        (-1.0, 1.0, 1e-6, 0, False),
        (1e-9, 0.0, 0, 1e-8, True),
        (True, 1, 0, 0, False),
        (1, True, 0, 0, False),
        (True, True, 0, 0, True),
        ("ab", "ab", 0, 0, True),
        ("ab", "aB", 0, 0, False),
        ("3", 3, 0, 0, False),
        ([1, 2.0000001], [1, 2], 1e-6, 0, True),
        ([1, 2], [1, 2, 3], 0, 0, False),
        ([1, 2], [2, 1], 0, 0, False),
        ([3], 3, 0, 0, False),
        (1e999, 1e999, 1e-6, 0, True),
        (5, 1e999, 1e-6, 0.5, False),
        (1e999, 5, 1e-6, 0.5, False),
        (float("nan"), 5, 1e-6, 0.5, False),
        (float("nan"), float("nan"), 1e-6, 0.5, False),
        (2**900, 1.5, 1e-6, 0, False),
        (2**900, 2**900, 1e-6, 0, True),
    ],
)
def test_two_values_agree_in_kind_and_within_tolerance(
    got: Value, expected: Value, rtol: float, atol: float, same: bool
) -> None:
    assert agree(got, expected, Blank("DRAW", "", rtol, atol)) is same
