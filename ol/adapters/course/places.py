"""Where a course lies."""

from __future__ import annotations

from pathlib import Path

from ol.domain.errors import WrongRequest

MARK = "course/course.toml"


def find_course(start: Path, explicit: str | None = None) -> Path:
    """The folder that holds `course/course.toml`: the one named, or above its `course`; else the nearest upward."""
    if explicit:
        named = Path(explicit).expanduser().resolve()
        for folder in (named, named.parent):
            if (folder / MARK).is_file() and named in (folder, folder / "course"):
                return folder
        step = f"Name the folder that holds {MARK}."
        raise WrongRequest("no-course", f"There is no course in {named}.", step)
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / MARK).is_file():
            return folder
    step = "Go to a folder of the course, or name one: `ol --course PATH …`."
    raise WrongRequest("no-course", f"There is no {MARK} in {start} or above it.", step)
