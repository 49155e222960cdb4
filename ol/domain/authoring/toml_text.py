"""Values as TOML writes them: the same text for the same value on every machine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Plain: TypeAlias = "str | int | float | Sequence[str] | Sequence[int] | Sequence[float]"


def table(name: str, values: Mapping[str, Plain]) -> str:
    """`[name]` and a line a key; `name` is as it stands between the brackets."""
    return "\n".join([f"[{name}]", *(f"{key} = {value(each)}" for key, each in values.items()), ""])


def value(plain: Plain) -> str:
    if isinstance(plain, str):
        return quoted(plain)
    if isinstance(plain, (int, float)):
        return repr(plain)
    return f"[{', '.join(value(each) for each in plain)}]"


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
