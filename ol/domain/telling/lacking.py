"""An import that fails because a unit lacks the name: which unit, and what it has that is spelt nearly so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from ol.domain.code.surface import Surface, Value, surface
from ol.domain.code.syntax import tree_of
from ol.domain.suite import Frame
from ol.domain.telling.listing import Listing

_LACKS = re.compile(r"^cannot import name '([^']+)' from (?:partially initialized module )?'([^']+)'")
_NEAR = 0.75
_CIRCLE = (
    "Units import each other in a circle: let the one that comes first in the course do without the other."
)


def lacking(said: str, frame: Frame | None, listing: Listing) -> tuple[str, str] | None:
    """What is wrong and what to do, of Python's `cannot import name …`; None where no unit is to blame."""
    found = _LACKS.match(said)
    if found is None or found[2] not in listing.units:
        return None
    name, unit = found[1], found[2]
    path, defined = listing.units[unit].path, surface(tree_of(listing.units[unit].text))
    if name in defined:
        return f"{path} is asked for {name} while it is still being imported", _CIRCLE
    others = {each: line for each, line in _own(defined) if each not in _wanted(unit, frame, listing)}
    return f"{path} does not define {name}", _step(name, listing.modules.get(unit, ""), others)


def _step(name: str, module: str, others: Mapping[str, int]) -> str:
    append = f"`ol start {module} --missing` appends its stub" if module else "define it there"
    near = _near(name, others)
    return f"Did you mean {near}? Give it the contract's name, or {append}." if near else f"{_upper(append)}."


def _near(name: str, others: Mapping[str, int]) -> str:
    """`crossentropy (line 20)`: whatever letters are capital."""
    by_lower = {each.lower(): f"{each} (line {line})" for each, line in others.items()}
    close = get_close_matches(name.lower(), by_lower, n=1, cutoff=_NEAR)
    return by_lower[close[0]] if close else ""


def _own(defined: Surface) -> Iterator[tuple[str, int]]:
    """The names that the unit does not import itself, and the line of each."""
    for name, each in defined.items():
        if not (isinstance(each, Value) and each.how == "an import"):
            yield name, each.line


def _wanted(unit: str, frame: Frame | None, listing: Listing) -> set[str]:
    """All that the importing file asks of the unit: of `Adam` and `AdamW`, neither is the other misspelt."""
    text = listing.text(frame) if frame is not None else None
    nodes = ast.walk(tree_of(text.text)) if text is not None else ()
    found = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == unit]
    return {alias.name for node in found for alias in node.names}


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
