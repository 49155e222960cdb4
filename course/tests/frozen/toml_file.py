"""Reading a TOML file on every Python the course supports: the standard library has a reader since 3.11."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of one TOML file."""
    tables: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return tables
