"""Which course files a verdict on a student's units hangs on, beside those units: what it is remembered under.

Not mutants, wheats, chapters or what other modules own: a change of those costs nobody what was found out here.
"""

from __future__ import annotations

from ol.domain.course import Course, CourseModule

_WHOLE_COURSE = (
    "course/course.toml",
    "course/tests/frozen/",
    "course/corpora/",
    "course/bars/",
    "oracle/",
)
_OF_THE_MODULE = (
    "course/modules/{id}.toml",
    "course/tests/{id}/",
    "course/probes/{id}.py",
    "course/answers/{id}.py",
)


def scope(course: Course, module: CourseModule) -> tuple[str, ...]:
    """Paths, and folders with a slash. What probes and blanks are compared with is the reference's, needs included."""
    own = [each.format(id=module.id) for each in _OF_THE_MODULE]
    units = [unit for each in course.closure(module.id) for unit in each.units]
    return (*_WHOLE_COURSE, *own, *(f"course/reference/{course.package}/{unit}" for unit in units))
