"""Where the course lies: tests run from a copy, so OL_COURSE_ROOT tells them and __file__ would not."""

from __future__ import annotations

import os
from pathlib import Path


def course_root() -> Path:
    """The folder that holds `course/` and `oracle/`; RuntimeError when OL_COURSE_ROOT does not name one."""
    told = os.environ.get("OL_COURSE_ROOT", "")
    if not told or not (Path(told) / "course" / "course.toml").is_file():
        raise RuntimeError(f"OL_COURSE_ROOT is '{told}': set it to the folder that holds course/course.toml")
    return Path(told)
