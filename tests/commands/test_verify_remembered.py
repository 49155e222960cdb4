"""What `ol verify` need not prove anew: modules whose every file, and all that they hang on, is as it was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.proofs import RUN, Evidence
from ol.commands.proofs.remembered import Remembered, remember, state
from ol.commands.verify import Options, verify
from ol.domain.course_report import CourseReport, Ruling
from ol.domain.report import Reason, Verdict
from tests.commands.author_world import SEED, Author, AuthorWorld
from tests.fakes import FakeMemo, FakeProgress

HOLDS = Ruling("it holds")
MATRIX = "course/matrix/A1.toml"


@dataclass
class Memory:
    """A course that is proved again and again by one author, with one memo."""

    world: AuthorWorld
    memo: FakeMemo = field(default_factory=FakeMemo)
    progress: FakeProgress = field(default_factory=FakeProgress)
    harness: str = "this very ol"

    @property
    def author(self) -> Author:
        author = Author(self.world.root)
        author.harness = lambda: self.harness  # type: ignore[method-assign]
        return author

    def verify(self, *ids: str, **options: Any) -> CourseReport:
        ports = replace(self.world.ports, memo=self.memo, progress=self.progress)
        return verify(ports, self.author, ids, Options(**{"jobs": 2, **options}))

    def evidence(self, seed: int = SEED, written: dict[str, str] | None = None) -> Evidence:
        ports = replace(self.world.ports, memo=self.memo)
        return Evidence(ports, self.author, ports.catalog.course.module("A1"), 2, seed, written)

    def holds(self, verdict: Ruling = HOLDS, **options: Any) -> Memory:
        """A1 is proved, so to say."""
        evidence = self.evidence(**options)
        remember(evidence, state(evidence), {"reference": verdict})
        return self

    def remembers(self, seed: int | None = None, fresh: bool = False, **options: Any) -> bool:
        return Remembered(seed, fresh).recall(self.evidence(**options)) is not None


@pytest.fixture
def memory(tmp_path: Path, tiny_runner: SuiteRunner) -> Memory:
    return Memory(AuthorWorld.of("tiny", tmp_path / "tiny", tiny_runner))


def test_an_unchanged_module_is_not_proved_anew_and_the_report_says_so(memory: Memory) -> None:
    first, again = memory.verify("A1"), memory.verify("A1")
    assert first.notes == ()
    assert again.last_line == first.last_line
    cached = {gate.gate for gate in again.gates if gate.cached}
    assert cached == {each.name for each in RUN}  # the others only read: they cost nothing
    (note,) = again.notes
    assert "A1" in note
    assert "--no-cache" in note


def test_what_does_not_hold_is_found_out_again(memory: Memory) -> None:
    for verdict in (Ruling("wrong", (Reason("it-is", "It is.", "Mend it."),)), Ruling("", tried=False)):
        assert not memory.holds(verdict).remembers()


def test_what_is_remembered_is_what_was_found_and_says_so(memory: Memory) -> None:
    found = Ruling("all of them", notes=("a note",), fields={"kills": {"s01": ["test_a"]}})
    memory.holds(found)
    assert Remembered().recall(memory.evidence()) == {"reference": replace(found, remembered=True)}


def test_nothing_is_recalled_where_that_was_not_wanted(memory: Memory) -> None:
    assert memory.holds().remembers()
    assert not memory.remembers(fresh=True)


def test_a_seed_that_is_asked_for_is_tried(memory: Memory) -> None:
    assert memory.holds().remembers(seed=SEED)
    assert not memory.remembers(seed=SEED + 1)


@pytest.mark.parametrize(
    "path",
    [
        "course/reference/tinycalc/calc.py",
        "course/reference/tinycalc/num.py",  # of a need
        "course/contracts/py/tinycalc/num.pyi",
        "course/tests/A1/test_calc.py",
        "course/tests/frozen/__init__.py",
        "course/modules/A1.toml",
        "course/mutants/A1.toml",
        "course/wheats/A1/w01.py",
        "course/given/A1/test_calc.py",
        "course/exemplars/A1/test_calc.py",
    ],
)
def test_a_file_that_a_proof_hangs_on_has_the_module_proved_anew(memory: Memory, path: str) -> None:
    memory.holds().world.add(path, "\n# longer\n")
    assert not memory.remembers()
    assert memory.holds().remembers()


@pytest.mark.parametrize("path", ["course/wheats/A0/w01.py", "course/answers/A1.py", "course/chapters/A1.md"])
def test_so_has_a_file_that_is_new(memory: Memory, path: str) -> None:
    memory.holds()
    (memory.world.root / path).parent.mkdir(exist_ok=True)
    memory.world.write(path, memory.world.read("course/reference/tinycalc/num.py"))
    assert not memory.remembers()


def test_a_threshold_counts_and_the_version_of_the_course_does_not(memory: Memory) -> None:
    memory.holds().world.edit("course/course.toml", 'version = "1"', 'version = "2"')
    assert memory.remembers()
    memory.world.edit("course/course.toml", "threshold = 0.70", "threshold = 0.71")
    assert not memory.remembers()


def test_the_manifest_of_another_module_may_change(memory: Memory) -> None:
    memory.holds().world.add("course/modules/A0.toml", "\n# longer\n")
    assert memory.remembers()


def test_another_ol_proves_anew_whatever_its_version(memory: Memory) -> None:
    memory.holds().harness = "an edited ol"
    assert not memory.remembers()


def test_a_module_that_changed_while_it_was_proved_is_not_remembered(memory: Memory) -> None:
    evidence = memory.evidence()
    began = state(evidence)
    memory.world.add("course/tests/A1/test_calc.py", "\n# longer\n")
    remember(evidence, began, {"reference": HOLDS})
    assert memory.memo.kept == {}


def test_a_matrix_that_is_still_to_be_written_is_never_recalled(memory: Memory) -> None:
    assert memory.holds().remembers()
    assert not memory.remembers(written={})


def test_one_that_is_about_to_be_written_is_remembered_as_if_it_stood_there(memory: Memory) -> None:
    memory.holds(written={MATRIX: "[s01]\n"})
    assert not memory.remembers()
    (memory.world.root / MATRIX).parent.mkdir(exist_ok=True)
    memory.world.write(MATRIX, "[s01]\n")
    assert memory.remembers()
    assert memory.remembers(written={})
    memory.world.write(MATRIX, "[s02]\n")
    assert not memory.remembers()


def test_a_damaged_memory_is_none(memory: Memory) -> None:
    memory.holds().memo.kept = dict.fromkeys(memory.memo.kept, b"{}")
    assert not memory.remembers()


def test_several_modules_are_told_of_as_one_and_each_by_name(memory: Memory) -> None:
    assert memory.verify().gates[1].verdict is Verdict.PASSED
    (begun,) = [line for line in memory.progress.told if ": " in line]
    name, total = begun.split(": ")
    assert name == "2 modules"
    assert memory.progress.told[-1] == "end"
    steps = memory.progress.told[1:-1]
    assert len(steps) == int(total)
    assert sorted(filter(None, steps)) == ["A0 holds", "A1 holds"]
