"""A value that somebody wrote down by hand: a number, a text, a truth value, or a list of those."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import isfinite
from typing import TypeAlias, TypeGuard

from ol.domain.course import Blank

Value: TypeAlias = "bool | int | float | str | list[Value]"
_DEEPEST = 4  # lists in lists
_MOST = 1_000  # elements of a list, characters of a text, binary digits of a number


def plain(found: object, deep: int = 0) -> TypeGuard[Value]:
    """Whether something is such a value, and of a size that a hand can write."""
    match found:
        case list():
            return deep < _DEEPEST and len(found) <= _MOST and all(plain(each, deep + 1) for each in found)
        case str():
            return len(found) <= _MOST
        case int():
            return found.bit_length() <= _MOST
        case _:
            return isinstance(found, float)


def read(node: ast.expr) -> Value | None:
    """What an expression says, without running it; None for anything but a plain value. A tuple is a list."""
    try:
        found = _listed(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if plain(found) else None


def agree(got: Value, expected: Value, blank: Blank) -> bool:
    """Of one kind, and each number within the blank's tolerance."""
    if isinstance(got, list) and isinstance(expected, list):
        return len(got) == len(expected) and all(
            agree(one, other, blank) for one, other in zip(got, expected, strict=True)
        )
    if kind(got) != kind(expected):
        return False
    if isinstance(got, (list, str)) or isinstance(expected, (list, str)) or not isfinite(expected):
        return got == expected
    return abs(got - expected) <= blank.atol + blank.rtol * abs(expected)


def kind(value: Value) -> str:
    """In a word, for a message: two numbers are of one kind, whole or not."""
    match value:
        case bool():
            return "a truth value"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "a number"


def leaves(value: Value) -> Iterator[bool | int | float | str]:
    """The value itself, or what stands in its lists, in order."""
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def _listed(found: object) -> object:
    return [_listed(each) for each in found] if isinstance(found, (list, tuple)) else found
