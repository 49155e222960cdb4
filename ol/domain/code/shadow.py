"""File names that would stand in for a library: `numpy.py` beside the code is imported in numpy's place."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from ol.domain.course import Course
from ol.domain.errors import WorkRefused

_BELOW_PYTEST = {
    "_pytest",
    "colorama",
    "exceptiongroup",
    "iniconfig",
    "packaging",
    "pluggy",
    "pygments",
    "tomli",
}
_READ_AT_START = {"sitecustomize", "usercustomize"}
_OURS = {"frozen", "ol"}


def library_names(course: Course) -> frozenset[str]:
    """Lower case: some file systems do not tell Numpy.py from numpy.py."""
    rules = course.imports
    fixed = sys.stdlib_module_names | _BELOW_PYTEST | _READ_AT_START | _OURS
    return frozenset(name.lower() for name in (*fixed, *rules.third_party, *rules.tests_only, course.package))


def refuse_shadow(path: str, name: str, libraries: Iterable[str]) -> None:
    """WorkRefused when `name`, the file at `path` as an import would name it, is a library's."""
    if name.lower() in libraries:
        raise WorkRefused(
            "shadow-name",
            f"{path} has the name of the module {name}, and would be imported in its place.",
            "Rename it.",
        )
