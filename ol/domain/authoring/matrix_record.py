"""`course/matrix/<ID>.toml`: which course tests fail on which mutant, and how, as `ol verify --lock` saw it.

It is what a student's failures are compared with. `ol verify` sees every mutant fail again, so that the record
cannot go stale unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ol.domain.authoring import toml_text
from ol.domain.course import ModuleId
from ol.domain.telling.likeness import Marks


def path(module: ModuleId) -> str:
    return f"course/matrix/{module}.toml"


def text(module: ModuleId, matrix: Mapping[str, Marks]) -> str:
    """The same for the same marks on every machine."""
    head = (
        f"# Written by `ol verify --lock`: the course tests of {module} that fail on each mutant, and where."
    )
    return "\n".join(
        [head, *(line for mutant, marks in matrix.items() for line in _table(mutant, marks)), ""]
    )


def differing(found: Mapping[str, Marks], recorded: Mapping[str, Marks]) -> tuple[str, ...]:
    """The mutants whose marks are not as recorded, and those that only the record has."""
    return tuple(id for id in {**found, **recorded} if found.get(id) != recorded.get(id))


def _table(mutant: str, marks: Marks) -> Iterator[str]:
    yield from ("", f"[{mutant}]")
    yield from (f"{toml_text.quoted(case)} = {toml_text.quoted(mark)}" for case, mark in marks.items())
