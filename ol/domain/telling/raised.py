"""What to do about an exception, by its kind and by what Python says of it; "" where that tells nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import TypeAlias

from ol.domain.code.stub import functions
from ol.domain.code.surface import Class, Def, last_name, surface
from ol.domain.code.syntax import tree_of
from ol.domain.suite import Frame
from ol.domain.telling.listing import Listing

_Step: TypeAlias = "Callable[[re.Match[str], Listing, Frame | None], str]"

_NONE = "Something there is None: does a function end without `return`, or was a value never set?"
_ATTRIBUTE = r"^(?:type object )?'([\w.]+)' (?:object )?has no attribute '(\w+)'"


def is_of_none(kinds: Collection[str], said: str) -> bool:
    """Whether it was raised because a value is None."""
    return "NoneType" in said and not {"AttributeError", "TypeError"}.isdisjoint(kinds)


def step_after(kinds: Collection[str], said: str, listing: Listing, frame: Frame | None) -> str:
    """The first row whose kind and words are those of the exception."""
    if is_of_none(kinds, said):
        return _NONE
    for kind, words, step in _STEPS:
        if kind in kinds and (found := re.search(words, said)):
            return step(found, listing, frame)
    return ""


def _unset(found: re.Match[str], *_: object) -> str:
    return f"Give {found[1]} its value before that line, whichever way the code comes there."


def _undefined(found: re.Match[str], listing: Listing, frame: Frame | None) -> str:
    name = found[1]
    here = listing.text(frame) if frame is not None else None
    if here is not None and any(_has_set(name, each, frame) for _, each in _classes_of(here.text)):
        return f"Is it self.{name}? What a method set on self is read from self."
    return f"Is {name} spelt otherwise where it is made, or is it not imported?"


def _has_set(name: str, where: Class, frame: Frame | None) -> bool:
    """Whether the line is one of a method whose object has the name."""
    return name in where.sets and frame is not None and frame.function in where.members


def _without_constructor(found: re.Match[str], *_: object) -> str:
    return f"Has class {found[1]} an __init__, with two underscores at each end?"


def _called_otherwise(found: re.Match[str], listing: Listing, _: object) -> str:
    name = found[1].split("<locals>.")[-1]
    function = dict(_functions(listing)).get(name)
    if function is None:
        return f"Compare the call with what {name} takes."
    if "." in name and _lacks_self(function):
        return f"Let self be the first parameter of {name} (line {function.lineno}): it is a method."
    return f"Compare the call, and the def of {name} (line {function.lineno}), with the contract."


def _of_attribute(found: re.Match[str], listing: Listing, _: object) -> str:
    owner, name = found[1], found[2]
    has = next((each for own, each in _classes(listing) if own == owner), None)
    if has is None:
        return f"Was another type than {owner} meant there, or is {name} spelt otherwise?"
    if name in has.sets:
        return f"Set self.{name} before it is read, best in __init__ of {owner}."
    near = get_close_matches(name, sorted({*has.sets, *has.members}), n=1)
    if near:
        return f"Did you mean {near[0]}? {owner} has that, and no {name}."
    return f"Set self.{name} in __init__ of {owner}, or define {name} in that class."


def _of_module(found: re.Match[str], *_: object) -> str:
    return f"Is {found[2]} spelt otherwise in {found[1]}?"


def _endless(*_: object) -> str:
    return "Look at what is to end the calls: a function there calls itself again and again."


_STEPS: tuple[tuple[str, str, _Step], ...] = (
    ("NameError", r"variable '(\w+)'", _unset),
    ("NameError", r"name '(\w+)' is not defined", _undefined),
    ("TypeError", r"^(\w+)\(\) takes no arguments", _without_constructor),
    ("TypeError", r"^(\S+)\(\) (?:takes|missing|got)\b", _called_otherwise),
    ("AttributeError", _ATTRIBUTE, _of_attribute),
    ("AttributeError", r"module '([\w.]+)' has no attribute '(\w+)'", _of_module),
    ("RecursionError", "", _endless),
)


def _classes(listing: Listing) -> Iterator[tuple[str, Class]]:
    for text in listing.units.values():
        yield from _classes_of(text.text)


@lru_cache(maxsize=64)  # many cases fail in one way
def _classes_of(text: str) -> tuple[tuple[str, Class], ...]:
    return tuple((name, each) for name, each in surface(tree_of(text)).items() if isinstance(each, Class))


def _functions(listing: Listing) -> Iterator[tuple[str, Def]]:
    for text in listing.units.values():
        yield from _functions_of(text.text)


@lru_cache(maxsize=64)
def _functions_of(text: str) -> tuple[tuple[str, Def], ...]:
    return tuple(functions(tree_of(text)))


def _lacks_self(method: Def) -> bool:
    parameters: list[ast.arg] = [*method.args.posonlyargs, *method.args.args]
    if "staticmethod" in map(last_name, method.decorator_list) or method.args.vararg:
        return False
    return not parameters or parameters[0].arg not in ("self", "cls")
