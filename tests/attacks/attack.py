"""An attack, as one file under `tests/courses/attacks/` tells it: what is done, and the verdict that it must get."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).resolve().parents[1] / "courses" / "attacks"


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`on`: the honest work that it starts from, `arrays` (with a wrong unit) or `calc` (all done).

    `held_by` says in a clause what stops it; for one that is not held, why. `unit` is put after the wrong
    unit, with `found.py` before it where `finds`; `suite` and `conftest` replace the tests. Then `write`,
    `append`, `link` and `remove` by path, and `deed`, a function of deeds.py. `elsewhere`: the course is a trusted
    one that the work does not hold, as in CI. `cpu_s`: the course's bound. `environment`: the command has a
    process of its own.

    `exit`, `verdicts` by gate and `slugs` are what must come of it. `confined`: what the kernel must have
    means for; the attack is not held where the report names it.
    """

    what: str
    held_by: str
    on: str
    exit: int
    ol: tuple[str, ...] = ("check",)
    verdicts: Mapping[str, str] = msgspec.field(default_factory=dict)
    slugs: tuple[str, ...] = ()
    says: str = ""
    unit: str = ""
    finds: bool = False
    suite: str = ""
    conftest: str = ""
    write: Mapping[str, str] = msgspec.field(default_factory=dict)
    append: Mapping[str, str] = msgspec.field(default_factory=dict)
    link: Mapping[str, str] = msgspec.field(default_factory=dict)
    remove: tuple[str, ...] = ()
    deed: str = ""
    elsewhere: bool = False
    cpu_s: float | None = None
    environment: Mapping[str, str] = msgspec.field(default_factory=dict)
    confined: str = ""


def read(name: str) -> Attack:
    """The attack `suite/counts`, from its file."""
    found: dict[str, Any] = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return msgspec.convert(found, Attack)


def names() -> list[str]:
    """Of every attack, sorted."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.toml"))
