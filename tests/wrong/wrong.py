"""A wrong course, as a file of `tests/courses/wrong/` tells it: the edit of a sound one, and what is to be told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from ol.commands.proofs import READ, RUN

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

COURSES = Path(__file__).resolve().parents[1] / "courses"
FOLDER = COURSES / "wrong"


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In `file`: `replace` in the place of `find`, which stands there once; else `add` at its end, a new file's too;
    else it is gone."""

    file: str
    find: str = ""
    replace: str = ""
    add: str = ""

    def apply(self, root: Path) -> None:
        path = root / self.file
        if not (self.find or self.add):
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if self.find:
            assert text.count(self.find) == 1, f"{self.find!r} stands {text.count(self.find)} times in {path}"
            text = text.replace(self.find, self.replace)
        path.write_text(text + self.add, encoding="utf-8", newline="\n")


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`course`: the sound one, a folder beside. `locked`: it has its lock and its matrix before the edits.

    `fails`: every proof of the module `prove` that does not hold, first the one that tells the fault, by `slug`.
    Its message names `file`, holds the words `says`, and its next step the words `cure`.
    """

    what: str
    course: str
    prove: str
    edit: tuple[Edit, ...]
    fails: tuple[str, ...]
    slug: str
    file: str
    says: str
    cure: str
    locked: bool = False


def read(name: str) -> Wrong:
    """The course `wheat_fails`, from its file."""
    found: dict[str, Any] = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return msgspec.convert(found, Wrong)


def names() -> list[str]:
    """Of every wrong course, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def proofs() -> list[str]:
    """The names that `fails` may hold, in the order in which they are tried."""
    return ["files", *(proof.name for proof in (*READ, *RUN))]
