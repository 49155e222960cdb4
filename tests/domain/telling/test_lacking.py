from __future__ import annotations

import pytest

from ol.domain.suite import CollectionError, Facts
from ol.domain.telling.cause import Cause, Why, why_not_collected
from ol.domain.telling.listing import Listing, Text
from tests.made import frames

UNIT = """from math import fsum

LIMIT = 9


def crossentropy(x):
    return x


def AdamW(x):
    return x
"""
TEST = """from tiny.losses import (
    AdamW,
    cross_entropy,
)
"""
LISTING = Listing(
    units={"tiny.losses": Text("python/tiny/losses.py", UNIT)},
    tests={"test_x.py": Text("course/tests/A.1/test_x.py", TEST)},
    modules={"tiny.losses": "A.1"},
)


def told(message: str, listing: Listing = LISTING) -> Cause:
    at = frames(("tests/test_x.py", 1, "<module>"))
    return why_not_collected(CollectionError("test_x.py", Facts("ImportError", (), message, at)), listing)


def lacks(name: str, unit: str = "tiny.losses") -> str:
    return f"cannot import name '{name}' from '{unit}' (unknown location)"


def test_a_name_that_a_unit_lacks_is_told_of_the_unit_with_the_way_to_its_stub() -> None:
    cause = told(lacks("mse"))
    assert (cause.why, cause.text) == (Why.IMPORT, "python/tiny/losses.py does not define mse")
    assert cause.next_step == "`ol start A.1 --missing` appends its stub."


@pytest.mark.parametrize(
    ("name", "near"), [("cross_entropy", "crossentropy (line 6)"), ("limit", "LIMIT (line 3)")]
)
def test_what_the_unit_has_that_is_spelt_nearly_so_is_named(name: str, near: str) -> None:
    assert told(lacks(name)).next_step == (
        f"Did you mean {near}? Give it the contract's name, or `ol start A.1 --missing` appends its stub."
    )


@pytest.mark.parametrize("name", ["Adam", "fsums"])
def test_neither_what_is_wanted_beside_it_nor_what_the_unit_imports_is_the_name_misspelt(name: str) -> None:
    assert told(lacks(name)).next_step == "`ol start A.1 --missing` appends its stub."


def test_without_a_module_of_a_students_no_command_is_named() -> None:
    cause = told(lacks("mse"), Listing(LISTING.units, LISTING.tests))
    assert cause.next_step == "Define it there."


def test_a_name_that_is_there_was_asked_for_too_early() -> None:
    cause = told(lacks("crossentropy"))
    assert cause.text == "python/tiny/losses.py is asked for crossentropy while it is still being imported"
    assert "circle" in cause.next_step


@pytest.mark.parametrize("where", ["unknown location", "/usr/lib/python3/numpy/__init__.py"])
def test_of_another_module_the_advice_is_of_imports_and_no_path_is_told(where: str) -> None:
    cause = told(f"cannot import name 'nothing' from 'numpy' ({where})")
    assert cause.text == "cannot import name 'nothing' from 'numpy'"
    assert cause.next_step == "Import only what contracts and course allow."
