"""docs/report.schema.json, held against an answer: the few words of JSON Schema that it uses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
}
_KNOWN = frozenset(
    {"$ref", "$defs", "$schema", "additionalProperties", "anyOf", "default", "description", "discriminator"}
    | {"enum", "items", "properties", "required", "title", "type"}
)


def breaches(answer: object) -> list[str]:
    """Where an answer is not what the schema says, each as a path and a reason."""
    return list(_breaches(answer, _published(), "$"))


@cache
def _published() -> Any:
    path = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


def _breaches(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    if new := schema.keys() - _KNOWN:
        yield f"{at}: this check does not know {sorted(new)}"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from _breaches(value, _published()["$defs"][name], at)
    if "anyOf" in schema and all(list(_breaches(value, each, at)) for each in schema["anyOf"]):
        yield f"{at}: none of {len(schema['anyOf'])} kinds of answer"
    if "type" in schema and not _is(value, schema["type"]):
        yield f"{at}: {value!r} is not of type {schema['type']}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    elif isinstance(value, dict):
        yield from _of_object(value, schema, at)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _breaches(item, schema.get("items", {}), f"{at}[{number}]")


def _is(value: object, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and not (isinstance(value, bool) and kind == "integer")


def _of_object(value: Mapping[str, Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    yield from (f"{at} lacks {key}" for key in schema.get("required", ()) if key not in value)
    listed = schema.get("properties", {})
    for key, each in value.items():
        yield from _breaches(each, listed.get(key, schema.get("additionalProperties", {})), f"{at}.{key}")
        if listed and key not in listed:
            yield f"{at}.{key} is not in the schema"
