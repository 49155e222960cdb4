"""What the reference lends a student: asked for when a module or a milestone is started, and remembered of it."""

from __future__ import annotations

from collections.abc import Iterator

from ol.domain.course import ModuleId
from ol.ports import Ports


def remember(ports: Ports, id: ModuleId, ref_deps: str | None) -> str | None:
    """Note what was started. `ref_deps` None keeps what was asked for before, "none" forgets it."""
    asked = ports.workspace.assisted(id) if ref_deps is None else ref_deps
    lent = None if asked == "none" else asked
    ports.workspace.remember_start(id, lent)
    return lent


def told(id: ModuleId, lent: str | None, wanting: bool) -> Iterator[str]:
    """What is lent and how to end it; how to begin, where needs are `wanting`."""
    if lent:
        yield f"          --ref-deps={lent} is remembered, and every report says so; --ref-deps=none forgets it"
    elif wanting:
        yield f"          `ol start {id} --ref-deps` takes the reference's"
