"""Snapshots of an entry of three tests, each of which does one of six things, and runs of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

from ol.domain.code.identity import code_hash, identify
from ol.domain.course import ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import Entry, FileRecord, FunctionRecord, Link, Phase, UnitRecord
from ol.domain.journal.snapshot import Snapshot
from ol.domain.suite import Outcome, SuiteRun
from tests.made import case, completed, failed, frames

A1 = ModuleId("A1")
AT = datetime(2026, 1, 2, 3, 4, tzinfo=timezone.utc)
UNIT = "tiny.a1"
CODE = "def a():\n    raise NotImplementedError\n"
NAMES = ("test_a", "test_b", "test_c")
TESTS = File("test_x.py", "".join(f"def {name}():\n    pass\n" for name in NAMES).encode())
FOLDER = identify([TESTS])

# What a test can do, as the journal writes it and as a run tells it.
DOES = {
    "passes": (FunctionRecord("", Outcome.PASSED), lambda id: case(id)),
    "stub": (
        FunctionRecord("", Outcome.FAILED, "stub"),
        lambda id: failed(id, "a", "NotImplementedError", frames=frames((f"<{UNIT}>", 2, "a"))),
    ),
    "assertion": (FunctionRecord("", Outcome.FAILED, "assertion"), lambda id: failed(id)),
    "unit": (
        FunctionRecord("", Outcome.FAILED, "unit"),
        lambda id: failed(id, "no", "ValueError", frames=frames((f"<{UNIT}>", 2, "a"))),
    ),
    "test": (FunctionRecord("", Outcome.FAILED, "test"), lambda id: failed(id, "no", "KeyError")),
    "skips": (FunctionRecord("", Outcome.SKIPPED), lambda id: case(id, Outcome.SKIPPED)),
}
ALL_PASS = dict.fromkeys(NAMES, "passes")


def snapshot(phase: Phase, done: dict[str, str], **more) -> Snapshot:
    functions = {
        f"test_x.py::{name}": replace(DOES[what][0], hash=FOLDER.functions[f"test_x.py::{name}"])
        for name, what in done.items()
    }
    entry = Entry(
        at=AT,
        module=A1,
        seq=3,
        phase=phase,
        functions=functions,
        files={TESTS.name: FileRecord(TESTS.sha256, FOLDER.rests[TESTS.name])},
        units={UNIT: UnitRecord(File("", CODE.encode()).sha256, code_hash(CODE))},
    )
    return Snapshot(Link("a", "line", entry, {"a": 3}), (TESTS,), {UNIT: CODE}, own=frozenset({UNIT}), **more)


def run(done: dict[str, str]) -> SuiteRun:
    return completed(*(DOES[what][1](name) for name, what in done.items()))
