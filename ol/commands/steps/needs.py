"""The course tests of a student's own needs, tried before anything is built on them.

Smoke tests come first, of all needs at once, so that a need that is broken is told of soon; then all course tests,
which decide. What is remembered of the very same files is not run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ol.commands.steps.last_pass import changed_since_pass, note_pass
from ol.commands.steps.passing import SMOKE, Found, course_request, keep, recalled, remember, sources_of
from ol.commands.steps.smoke import function_ids, smoke_ids
from ol.commands.steps.watched import watched
from ol.domain.course import CourseModule
from ol.domain.grading.proof import judge_course_tests
from ol.domain.report import Reason
from ol.domain.run import RunRequest
from ol.domain.suite import Completed, SuiteRun
from ol.ports import Ports

_Key: TypeAlias = "tuple[str, tuple[tuple[str, str], ...]]"


@dataclass(frozen=True, slots=True)
class Need:
    """A need and the units to try it with: its own and all below it, by path below the package."""

    module: CourseModule
    units: Mapping[str, str]


@dataclass(slots=True)
class NeedsTried:
    """Each need is tried at most once with the same units."""

    ports: Ports
    jobs: int
    _found: dict[_Key, Found] = field(default_factory=dict)

    def ahead(self, needs: Sequence[Need], every: bool) -> None:
        """Find out about all of them side by side.

        Where one fails, or a smoke test of one, the others are run no further and count as passing for now, unless
        `every` one is to be known; even then not those that are built on what failed.
        """
        unknown = [need for need in needs if self._known(need) is None]
        failed = [need for need in needs if (found := self._known(need)) and not found.passes]
        failed += self._smoke(unknown) if every or not failed else []
        if failed and not every:
            self._found |= {self._key(need): Found() for need in unknown if need not in failed}
        else:
            rest = [need for need in unknown if self._known(need) is None]
            self._whole([need for need in rest if not self._hangs_on(need, failed)])

    def why_not(self, need: Need) -> Reason | None:
        """None when its course tests pass."""
        found = self._known(need)
        if found is None:
            self._whole([need])
            found = self._found[self._key(need)]
        return None if found.passes else _reason(self.ports, need, found)

    def _known(self, need: Need) -> Found | None:
        place = self._key(need)
        if place not in self._found and (found := recalled(self.ports, need.module, need.units)):
            self._found[place] = found
            if found.passes:
                note_pass(self.ports, need.module, need.units)
        return self._found.get(place)

    def _smoke(self, needs: Sequence[Need]) -> list[Need]:
        """Those that fail one, which is then all that is found out about them."""
        said = {index: found for index, need in enumerate(needs) if (found := self._recalled_smoke(need))}
        rest = {index: need for index, need in enumerate(needs) if index not in said}
        asked = {index: request for index, need in rest.items() if (request := self._quick(need))}
        for index, run in self._runs("smoke tests of your needs", asked):
            whole = asked[index].select is None
            said[index] = self._remembered(needs[index], run) if whole else self._of_smoke(needs[index], run)
        self._found |= {self._key(needs[index]): found for index, found in said.items() if not found.passes}
        return [needs[index] for index, found in said.items() if not found.passes]

    def _recalled_smoke(self, need: Need) -> Found | None:
        return recalled(self.ports, need.module, need.units, SMOKE)

    def _of_smoke(self, need: Need, run: SuiteRun) -> Found:
        found = _told_of_smoke(need.module, run)
        keep(self.ports, need.module, need.units, run, found, SMOKE)
        return found

    def _whole(self, needs: Sequence[Need]) -> None:
        asked = {index: course_request(self.ports, n.module, n.units) for index, n in enumerate(needs)}
        for index, run in self._runs("course tests of your needs", asked):
            self._remembered(needs[index], run)

    def _remembered(self, need: Need, run: SuiteRun) -> Found:
        found = self._found[self._key(need)] = remember(self.ports, need.module, need.units, run)
        return found

    def _quick(self, need: Need) -> RunRequest | None:
        """None where it has no smoke test; all of its tests, where they all are."""
        request = course_request(self.ports, need.module, need.units)
        quick = [test for test in need.module.tests if test.smoke]
        if len(quick) == len(need.module.tests):
            return request
        return replace(request, select=smoke_ids(need.module, function_ids(request.tests))) if quick else None

    def _runs(self, what: str, asked: Mapping[int, RunRequest]) -> Iterator[tuple[int, SuiteRun]]:
        places = list(asked)
        for number, run in watched(self.ports, what, list(asked.values()), self.jobs) if asked else ():
            yield places[number], run

    def _hangs_on(self, need: Need, failed: Sequence[Need]) -> bool:
        closure = {each.id for each in self.ports.catalog.course.closure(need.module.id)}
        return any(each.module.id in closure for each in failed)

    def _key(self, need: Need) -> _Key:
        return need.module.id, tuple(sorted(sources_of(self.ports, need.module, need.units).items()))


def _told_of_smoke(module: CourseModule, run: SuiteRun) -> Found:
    smoke = [test for test in module.tests if test.smoke]
    proof = judge_course_tests(replace(run, deselected=0) if isinstance(run, Completed) else run, smoke)
    if proof.whole:
        return Found()
    return Found(f"{len(proof.passed)}/{proof.asked} smoke tests pass", proof.first_short)


def _reason(ports: Ports, need: Need, found: Found) -> Reason:
    id, which = need.module.id, f": {found.first} fails" if found.first else ""
    step = f"`ol tests {id}` shows the first failure."
    if changed := changed_since_pass(ports, need.module, need.units):
        told = f"your change of {_listed(changed)} broke {id}, which passed before{which}"
        return Reason("need-regressed", told, step)
    return Reason("need-failing", f"{found.told}{which}", step)


def _listed(units: Sequence[str]) -> str:
    return units[0] if len(units) == 1 else f"{', '.join(units[:-1])} and {units[-1]}"
