"""The lock: what it covers, what counts as a difference, and its text."""

from __future__ import annotations

import pytest

from ol.domain.authoring.lock import Lock, covered, scope, sums
from tests.made import module


@pytest.mark.parametrize(
    ("path", "is_covered"),
    [
        ("course/course.toml", True),
        ("course/tests/frozen/close.py", True),
        ("oracle/L2.2/nplm.safetensors", True),
        ("course/course.lock", False),
        ("course/reference/tinyllm/__pycache__/x.cpython-311.pyc", False),
        ("course/x.pyc", False),
        ("course/.DS_Store", False),
        ("python/tinyllm/lm/nplm.py", False),
    ],
)
def test_the_lock_covers_course_and_oracle_but_not_itself_nor_what_tools_leave(
    path: str, is_covered: bool
) -> None:
    assert covered(path) is is_covered


def test_changed_added_and_removed_files_differ() -> None:
    lock = Lock("1", {"course/a": "1", "course/b": "2", "course/c": "3"})
    found = {"course/a": "1", "course/b": "other", "course/new": "4"}
    assert lock.differing(found, ("course/",)) == ("course/b", "course/c", "course/new")
    assert lock.differing(found, ("course/a", "course/n")) == ("course/new",)


def test_a_made_file_may_be_absent_but_not_different() -> None:
    lock = Lock("1", {}, made={"course/corpora/x/train.txt": "1"})
    assert lock.differing({}, ("course/",)) == ()
    assert lock.differing({"course/corpora/x/train.txt": "1"}, ("course/",)) == ()
    assert lock.differing({"course/corpora/x/train.txt": "2"}, ("course/",)) == (
        "course/corpora/x/train.txt",
    )


def test_sums_are_read_as_sha256sum_writes_them() -> None:
    text = "# made by generate.py\n" + "a" * 64 + "  train.txt\n" + "b" * 64 + " *val.bin\n"
    found = sums("course/corpora/x/SHA256SUMS", text)
    assert found == {"course/corpora/x/train.txt": "a" * 64, "course/corpora/x/val.bin": "b" * 64}


def test_the_scope_of_a_module_holds_what_its_verdict_hangs_on_and_nothing_of_another() -> None:
    places = scope("tiny", [module("A.1", "lm/a.py")])
    inside = (
        "course/course.toml",
        "course/tests/frozen/close.py",
        "course/tests/A.1/test_a.py",
        "course/contracts/py/tiny/lm/a.pyi",
        "course/reference/tiny/lm/a.py",
        "course/mutants/A.1.toml",
        "course/wheats/A.1/w01.py",
        "course/bars/A.1.toml",
        "oracle/A.1/a.safetensors",
        "oracle/manifest.toml",
    )
    outside = ("course/tests/A.2/test_b.py", "course/reference/tiny/lm/b.py", "course/mutants/A.10.toml")
    assert all(path.startswith(places) for path in inside)
    assert not any(path.startswith(places) for path in outside)


def test_the_text_is_sorted_toml_whatever_the_names_hold() -> None:
    lock = Lock('1 "a"', {"course/ü b": "2", "course/a\\b": "1"}, python=(3, 11))
    assert lock.text() == (
        'version = "1 \\"a\\""\npython = [3, 11]\n\n[files]\n"course/a\\\\b" = "1"\n"course/ü b" = "2"\n'
    )


@pytest.mark.parametrize(
    ("written", "here", "parses"),
    [((3, 11), (3, 11), True), ((3, 9), (3, 11), True), ((3, 12), (3, 11), False), ((), (3, 11), False)],
)
def test_sources_that_parsed_in_one_python_do_in_that_and_in_newer_ones(
    written: tuple[int, ...], here: tuple[int, ...], parses: bool
) -> None:
    assert Lock("1", {}, python=written).parses_in(here) is parses
