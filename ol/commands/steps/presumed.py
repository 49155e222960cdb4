"""The units that a module would be run with now, as far as is remembered of its needs: nothing is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ol.commands.steps.passing import recalled
from ol.commands.steps.sources import reference_units
from ol.domain.course import CourseModule, ModuleId
from ol.domain.errors import WrongRequest
from ol.domain.ref_deps import RefDeps
from ol.ports import Ports


@dataclass(slots=True)
class Presumed:
    """`written`: the student's units of every module of which none is left to write."""

    ports: Ports
    written: dict[ModuleId, Mapping[str, str]] = field(default_factory=dict)
    _passes: dict[tuple[ModuleId, frozenset[ModuleId]], bool] = field(default_factory=dict)

    def below(self, module: CourseModule) -> tuple[dict[str, str], tuple[CourseModule, ...]]:
        """The units of a module's needs, and the needs that are lent it: the reference's stand in for them.

        A need that passes with the reference below it is the student's own, as in a run with `--ref-deps`.
        """
        units: dict[str, str] = {}
        lent: list[CourseModule] = []
        named = self._named(module)
        for need in self.ports.catalog.course.below(module.needs):
            own = self.written.get(need.id)
            if own is None or need.id in named or not self._stands(need, {**units, **own}, lent):
                units |= reference_units(self.ports, need)
                lent.append(need)
            else:
                units |= own
        return units, tuple(lent)

    def _stands(self, need: CourseModule, units: Mapping[str, str], lent: Sequence[CourseModule]) -> bool:
        """Known by which of its own needs are lent: all else of its closure is the student's."""
        below = {each.id for each in self.ports.catalog.course.below(need.needs)}
        place = need.id, frozenset(each.id for each in lent if each.id in below)
        if place not in self._passes:
            found = recalled(self.ports, need, units) if need.graded else None
            self._passes[place] = found.passes if found else not need.graded
        return self._passes[place]

    def _named(self, module: CourseModule) -> frozenset[ModuleId]:
        """The needs that `start` was told to take from the reference whatever they do."""
        with suppress(WrongRequest):
            remembered = self.ports.workspace.assisted(module.id)
            return RefDeps.parse(self.ports.catalog.course, module, remembered).always
        return frozenset()
