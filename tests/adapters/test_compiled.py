"""Units travel compiled, and mean the same."""

from __future__ import annotations

import warnings

import pytest

from ol.adapters import compiled
from ol.child.overlay import code


def test_a_unit_means_compiled_what_it_means_as_text() -> None:
    told = compiled.units({"tinyllm.unit": "def f(x):\n    assert x\n    return x + 1"})["tinyllm.unit"]
    assert isinstance(told, bytes)
    names: dict[str, object] = {}
    unit = code("tinyllm.unit", told)
    exec(unit, names)
    f = names["f"]
    assert callable(f) and f(1) == 2 and unit.co_filename == "<tinyllm.unit>"
    with pytest.raises(AssertionError):
        f(0)


def test_future_statements_of_ol_are_not_the_units() -> None:
    told = compiled.units({"u": "class C:\n    x: int = 1"})["u"]
    names: dict[str, object] = {}
    exec(code("u", told), names)
    assert names["C"].__annotations__ == {"x": int}


@pytest.mark.parametrize(
    "text, error",
    [
        ("def f(x:\n    pass", SyntaxError),
        ("x = '\0'", (SyntaxError, ValueError)),
        ("return 1", SyntaxError),
        ("-" * 100_000 + "1", (SyntaxError, RecursionError, MemoryError)),
    ],
)
def test_what_does_not_compile_travels_as_text_and_fails_in_its_child(
    text: str, error: type[Exception] | tuple[type[Exception], ...]
) -> None:
    told = compiled.units({"u": text})["u"]
    assert told == text
    with pytest.raises(error):
        code("u", told)


def test_a_units_warnings_are_not_those_of_ol() -> None:
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        assert isinstance(compiled.units({"u": "x = '\\d'\ny = (x is 1)"})["u"], bytes)
    assert raised == []


def test_equal_texts_of_different_units_keep_their_own_names() -> None:
    told = compiled.units({"a": "x = 1", "b": "x = 1"})
    assert [code(name, unit).co_filename for name, unit in told.items()] == ["<a>", "<b>"]
