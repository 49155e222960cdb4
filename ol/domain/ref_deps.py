"""`--ref-deps`: for which needs the reference stands in for the student's units."""

from __future__ import annotations

from dataclasses import dataclass

from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.errors import WrongRequest


@dataclass(frozen=True, slots=True)
class RefDeps:
    """`failing`: every need that does not pass; `always`: these needs whatever they do."""

    failing: bool = False
    always: frozenset[ModuleId] = frozenset()

    @staticmethod
    def parse(course: Course, module: CourseModule, text: str | None) -> RefDeps:
        """The option's value: None or "none", "failing", "all", or ids with commas; else WrongRequest."""
        needs = frozenset(need.id for need in course.below(module.needs))
        if text is None or text == "none":
            return RefDeps()
        if text == "failing":
            return RefDeps(failing=True)
        if text == "all":
            return RefDeps(always=needs)
        named = frozenset(course.module(name.strip()).id for name in text.split(",") if name.strip())
        if strangers := sorted(named - needs):
            raise WrongRequest(
                "not-a-need",
                f"--ref-deps names {', '.join(strangers)}, which {module.id} does not need.",
                f"Name some of {', '.join(sorted(needs))}, or give --ref-deps alone." if needs else "",
            )
        return RefDeps(always=named)
