"""Proof of the milestones: the reference's command line passes, and the wrong ones fail as they should."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from ol.commands.milestone import Play
from ol.commands.steps.side_by_side import side_by_side
from ol.commands.steps.sources import reference_closure
from ol.commands.steps.together import Silent, Together
from ol.commands.steps.versions import versions
from ol.domain.authoring import lock
from ol.domain.authoring.bar_record import bar_faults
from ol.domain.course_report import Ruling, counted
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone, Wrong, path
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Authoring, Ports, Stage


@dataclass(frozen=True, slots=True)
class Proving:
    """One milestone, played by the reference, by the skeleton, and by each wrong command line."""

    ports: Ports
    author: Authoring
    stage: Stage
    milestone: Milestone
    seed: int
    jobs: int
    told: Together
    cached: bool = True

    def ruling(self) -> Ruling:
        """Remembered, where it holds, by everything that can change it."""
        key = self._key()
        known = self.ports.memo.get(key) if self.cached else None
        if known is not None:
            return replace(msgspec.json.decode(known, type=Ruling), remembered=True)
        try:
            found = self._proved()
        except CourseWrong as error:
            return Ruling.of(error)
        if found.verdict is Verdict.PASSED and self._key() == key:
            self.ports.memo.put(key, msgspec.json.encode(found))
        return found

    def _proved(self) -> Ruling:
        material = self.ports.catalog.material(self.milestone)
        reasons = [*self._of_bars(material), *self._of_reference(material)]
        if not reasons:
            reasons += self._of_skeleton(material)
            tried = dict(
                side_by_side(
                    lambda each: list(self._of_wrong(material, each)), self.milestone.wrong, self.jobs
                )
            )
            reasons += [reason for wrong in self.milestone.wrong for reason in tried[wrong]]
        wrongs = counted(len(self.milestone.wrong), "wrong command line")
        return Ruling("" if reasons else f"passed by the reference, failed by {wrongs}", tuple(reasons))

    def _of_bars(self, material: Material) -> Iterator[Reason]:
        for bar in self.milestone.bars:
            yield from bar_faults(self.milestone.id, bar, material.bars[bar.name])

    def _of_reference(self, material: Material) -> Iterator[Reason]:
        for gate in self._gates(material, material.reference, smoke=False):
            for reason in gate.reasons:
                told = f"{self._file}: the reference does not pass: {reason.text} [{reason.slug}]."
                yield Reason("milestone-reference", told, "Mend the reference, the judge, or the bar.")

    def _of_skeleton(self, material: Material) -> Iterator[Reason]:
        if all(
            gate.verdict is Verdict.PASSED for gate in self._gates(material, material.skeleton, smoke=True)
        ):
            told = f"{self._file}: the skeleton that is handed out passes."
            yield Reason("milestone-skeleton", told, "Hand out less, or ask for more.")

    def _of_wrong(self, material: Material, wrong: Wrong) -> Iterator[Reason]:
        gates = self._gates(material, applied(wrong, material, self._file), wrong.smoke)
        slugs = dict.fromkeys(reason.slug for gate in gates for reason in gate.reasons)
        if wrong.fails not in slugs:
            came = ", ".join(slugs) or "it passes"
            told = f"{self._file}: {wrong.id}, {wrong.title}, must fail with {wrong.fails}: {came}."
            yield Reason(
                "milestone-wrong", told, "A check that no fault fails is none: mend it, or the fault."
            )

    def _gates(self, material: Material, entry: Sequence[File], smoke: bool) -> list[GateResult]:
        quiet = replace(self.ports, progress=Silent())
        units = reference_closure(self.ports, self.milestone.module)
        play = Play(quiet, self.stage, self.milestone, material, smoke, self.seed)
        gates, _ = play.gates(units, entry)
        self.told.step()
        return gates

    @property
    def _file(self) -> str:
        return path(self.milestone.id)

    def _key(self) -> str:
        course, milestone = self.ports.catalog.course, self.milestone
        places = lock.scope(course.package, (*course.below(milestone.needs), milestone.locked))
        hashes = {name: each for name, each in self.author.hashes().items() if name.startswith(places)}
        facts = ["milestone", self.author.harness(), sorted(versions().items()), sorted(hashes.items())]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def applied(wrong: Wrong, material: Material, file: str) -> tuple[File, ...]:
    """The reference's command line with one place replaced. CourseWrong unless `find` stands there once."""
    texts = {each.name: each.text() for each in material.reference}
    count = texts.get(wrong.file, "").count(wrong.find)
    if count != 1:
        told = f"{file}: {wrong.id}: its `find` stands {count} times in the reference's {wrong.file}; it must once."
        raise CourseWrong("mutant-find", told, "Lengthen or correct `find` until it names one place.")
    texts[wrong.file] = texts[wrong.file].replace(wrong.find, wrong.replace)
    return tuple(File(name, text.encode("utf-8")) for name, text in texts.items())


def runs(milestone: Milestone) -> int:
    return 2 + len(milestone.wrong)
