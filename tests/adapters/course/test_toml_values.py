"""TOML to domain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from ol.adapters.course.toml_values import decode
from ol.domain.errors import CourseWrong


@dataclass(frozen=True)
class Inner:
    number: int = 0


@dataclass(frozen=True)
class Outer:
    name: str
    inner: Inner = Inner()
    several: tuple[Inner, ...] = ()
    named: Mapping[str, Inner] | None = None


def fault(text: str) -> CourseWrong:
    with pytest.raises(CourseWrong) as caught:
        decode(Outer, text.encode(), "course/x.toml")
    return caught.value


def test_tables_and_lists_of_tables_become_values() -> None:
    text = b'name = "a"\n[inner]\nnumber = 1\n[[several]]\nnumber = 2\n[named.x]\nnumber = 3'
    assert decode(Outer, text, "x.toml") == Outer("a", Inner(1), (Inner(2),), {"x": Inner(3)})


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('nam = "a"', "nam"),
        ('name = "a"\n[inner]\nnumbre = 1', "inner.numbre"),
        ('name = "a"\n[[several]]\n[[several]]\nnumbre = 1', "several.2.numbre"),
    ],
)
def test_an_unknown_key_is_named_with_its_place_and_the_nearest_known_one(text: str, key: str) -> None:
    error = fault(text)
    assert error.message == f"course/x.toml: the key {key} is unknown."
    assert error.next_step in ("Did you mean name?", "Did you mean number?")


def test_a_key_like_no_other_gets_the_list() -> None:
    assert fault('zzz = "a"').next_step == "Known keys: name, inner, several, named."


@pytest.mark.parametrize("text", ["", "name = 1", 'name = "a"\n[inner]\nnumber = "x"'])
def test_a_missing_or_wrong_value_is_named(text: str) -> None:
    error = fault(text)
    assert error.slug == "wrong-value" and ("`name`" in error.message or "`inner.number`" in error.message)


@pytest.mark.parametrize("content", [b"name = ", b"\xff", b'name = "a"\nname = "b"'])
def test_what_is_not_toml_is_named(content: bytes) -> None:
    with pytest.raises(CourseWrong, match=r"course/x\.toml is not TOML"):
        decode(Outer, content, "course/x.toml")
