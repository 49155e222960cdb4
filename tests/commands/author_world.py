"""An author at work: a copy of a small course, to be broken in one place and proved."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from ol.adapters.course.author_files import AuthorFiles
from ol.adapters.course.files import CourseFiles
from ol.adapters.foreground import TerminalForeground
from ol.adapters.values import TrustedValues
from ol.commands.proofs import READ, RUN, Evidence
from ol.commands.verify import Options, verify
from ol.domain.course_report import CourseReport, proof
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Ports, Runner
from tests.fake_files import FakeWorkspace
from tests.fakes import FakeClock, FakeJournal, FakeMemo, FakeProgress

COURSES = Path(__file__).resolve().parents[1] / "courses"
SEED = 11


class Author(AuthorFiles):
    """Whose machine has torch, or not: the small course's oracle is numpy."""

    torch = True

    def has_torch(self) -> bool:
        return self.torch


@dataclass
class AuthorWorld:
    """`root` holds the copy of the course `tiny` or `measured`."""

    root: Path
    runner: Runner

    @staticmethod
    def of(course: str, to: Path, runner: Runner) -> AuthorWorld:
        shutil.copytree(COURSES / course, to)
        return AuthorWorld(to, runner)

    def edit(self, path: str, old: str, new: str) -> AuthorWorld:
        text = self.read(path)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        return self.write(path, text.replace(old, new))

    def add(self, path: str, text: str) -> AuthorWorld:
        return self.write(path, self.read(path) + text)

    def write(self, path: str, text: str) -> AuthorWorld:
        (self.root / path).write_text(text, encoding="utf-8", newline="\n")
        return self

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def remove(self, path: str) -> AuthorWorld:
        (self.root / path).unlink()
        return self

    @property
    def author(self) -> Author:
        return Author(self.root)

    @property
    def ports(self) -> Ports:
        return Ports(
            catalog=CourseFiles(self.root),
            workspace=FakeWorkspace(),
            runner=self.runner,
            values=TrustedValues(),
            foreground=TerminalForeground(self.root, self.root),
            journal=FakeJournal(),
            memo=FakeMemo(),
            clock=FakeClock(),
            progress=FakeProgress(),
        )

    def verify(self, *ids: str, lock: bool = False) -> CourseReport:
        return verify(self.ports, self.author, ids, Options(lock=lock, jobs=2, seed=SEED))

    def proved(self, name: str, module: str) -> GateResult:
        """One proof alone."""
        chosen = next(each for each in (*READ, *RUN) if each.name == name)
        ports = self.ports
        evidence = Evidence(ports, self.author, ports.catalog.course.module(module), 2, SEED)
        return proof(name, {evidence.id: chosen.of(evidence)})


def reasons(gate: GateResult) -> dict[str, Reason]:
    """Of a proof that does not hold, the first of each kind: exit code 5, and every reason has its cure."""
    assert gate.verdict is Verdict.FAILED, gate
    assert gate.code == 5
    assert all(reason.text and reason.next_step for reason in gate.reasons)
    return {reason.slug: reason for reason in reversed(gate.reasons)}


def perturbed(path: Path, tensor: str, number: int, tolerances: float) -> float:
    """Move one float32 of a golden by that many times rtol 1e-5 and atol 1e-6; the value before."""
    raw = bytearray(path.read_bytes())
    start = 8 + int.from_bytes(raw[:8], "little")
    place = start + json.loads(raw[8:start])[tensor]["data_offsets"][0] + 4 * number
    value = memoryview(raw)[place : place + 4].cast("f")
    before: float = value[0]
    value[0] = before + tolerances * (1e-6 + 1e-5 * abs(before))
    value.release()
    path.write_bytes(raw)
    return before
