"""TOML to domain values, whose dataclasses are the schema. Unknown keys are refused, the nearest named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from ol.domain.errors import CourseWrong

T = TypeVar("T")


def decode(type_: type[T], content: bytes, path: str) -> T:
    """The value that a TOML file holds. CourseWrong names the file, the key and the cure."""
    try:
        table = msgspec.toml.decode(content)
    except msgspec.DecodeError as error:
        raise CourseWrong("toml-unreadable", f"{path} is not TOML: {error}.", "Mend that line.") from error
    return convert(type_, table, path)


def convert(type_: type[T], table: dict[str, Any], path: str) -> T:
    """As `decode`, from a table that is read already."""
    for unknown, known in _unknown_keys(type_, table, ""):
        near = get_close_matches(unknown.rsplit(".", 1)[-1], known, n=1)
        cure = f"Did you mean {near[0]}?" if near else f"Known keys: {', '.join(known)}."
        raise CourseWrong("unknown-key", f"{path}: the key {unknown} is unknown.", cure)
    try:
        return msgspec.convert(table, type_)
    except msgspec.ValidationError as error:
        told = str(error).replace("Object missing required field", "missing key").replace("$.", "")
        raise CourseWrong("wrong-value", f"{path}: {told}.", "The author's guide lists the keys.") from error


@cache
def _hints(type_: type) -> dict[str, Any]:
    """Worked out once a type: a course has many tables of few types."""
    return get_type_hints(type_)


def _unknown_keys(type_: Any, value: Any, where: str) -> Iterator[tuple[str, list[str]]]:
    """Keys that no field of the schema has, with the fields that stand there."""
    if dataclasses.is_dataclass(type_) and isinstance(value, dict):
        hints = _hints(cast("type", type_))
        known = [each.name for each in dataclasses.fields(type_)]
        for key, inner in value.items():
            if key in known:
                yield from _unknown_keys(hints[key], inner, f"{where}{key}.")
            else:
                yield where + key, known
    elif get_origin(type_) is tuple and isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _unknown_keys(get_args(type_)[0], inner, f"{where}{number}.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _unknown_keys(get_args(type_)[-1] if get_args(type_) else Any, inner, f"{where}{key}.")
