"""What a workspace's own pyproject.toml declares to `ol`: `[tool.ol.entry]`, the files of a command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ol.adapters.workspace import student_files
from ol.domain.course import ModuleId
from ol.domain.errors import WrongRequest
from ol.domain.file import leads_out

FILE = "pyproject.toml"


def entry(root: Path, milestone: ModuleId) -> tuple[str, ...]:
    """The files and folders (`cli/`) named for a milestone, by path below the package; none where nothing is said.

    WrongRequest where what is said cannot be meant.
    """
    table = _table(root)
    for key in ("tool", "ol", "entry"):
        table = table.get(key, {}) if isinstance(table, dict) else table
    if not isinstance(table, dict):
        raise _wrong(f"{FILE}: [tool.ol.entry] is no table.", milestone)
    names = table.get(milestone, [])
    if not isinstance(names, list) or not all(map(_is_below, names)):
        told = f"{FILE}: [tool.ol.entry] {milestone} is no list of paths below the package: {names!r}."
        raise _wrong(told, milestone)
    return tuple(names)


def _table(root: Path) -> Any:
    file = student_files.read(root, root / FILE)
    try:
        return msgspec.toml.decode(file.content) if file else {}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WrongRequest("wrong-entry", f"{FILE} is not TOML: {error}.", "Mend that line.") from error


def _is_below(name: object) -> bool:
    """A path of something below the package."""
    return isinstance(name, str) and name.strip("./") != "" and not leads_out(name)


def _wrong(told: str, milestone: ModuleId) -> WrongRequest:
    return WrongRequest(
        "wrong-entry", told, f'Write {milestone} = ["__main__.py", "cli/"] below [tool.ol.entry].'
    )
