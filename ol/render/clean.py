"""Text that student code may have written, made harmless: no terminal commands, nothing unencodable."""

from __future__ import annotations

from typing import Any

_CONTROLS = {code: "�" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}


def for_terminal(text: str) -> str:
    """One line without control characters or lone surrogates."""
    return str(encodable(text)).translate(_CONTROLS)


def encodable(value: Any) -> Any:
    """Plain builtins whose strings, keys too, can all be written as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {encodable(key): encodable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(each) for each in value]
    return value
