"""`ol oracle` on the real course, with the real torch."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ol.adapters.course.goldens import has_torch
from ol.adapters.runner import SuiteRunner
from ol.commands.oracle import oracle
from ol.domain.course_report import CourseReport
from ol.domain.exit_code import ExitCode
from tests.commands.author_world import AuthorWorld, perturbed, reasons

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = "oracle/L2.2/nplm.safetensors"

pytestmark = pytest.mark.torch


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    for folder in ("course", "oracle"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    return AuthorWorld(tmp_path, tiny_runner)


def checked(world: AuthorWorld) -> CourseReport:
    report = oracle(world.ports, world.author, ["L2.2"], check_only=True)
    assert isinstance(report, CourseReport)
    return report


def test_torch_gives_the_goldens_of_the_tree_again(world: AuthorWorld) -> None:
    report = checked(world)
    assert report.exit_code is ExitCode.PASSED
    assert report.last_line == "L2.2 PROVED — 30/30 tensors within rtol 1e-05, atol 1e-06"


def test_a_value_changed_by_ten_times_its_tolerance_is_named_with_the_difference(world: AuthorWorld) -> None:
    before = perturbed(world.root / GOLDEN, "with_direct/logits", 13, tolerances=10)
    report = checked(world)
    told = reasons(report.gates[0])["golden-value"].text
    assert told.startswith(f"{GOLDEN}: with_direct/logits[1, 2] is ")
    assert f"{before:.5g}"[:6] in told
    assert " apart, " in told
    assert report.exit_code is ExitCode.COURSE_WRONG


def test_the_same_machine_makes_the_same_bytes(world: AuthorWorld) -> None:
    oracle(world.ports, world.author, ["L2.2"])
    first = (world.root / GOLDEN).read_bytes()
    oracle(world.ports, world.author, ["L2.2"])
    assert (world.root / GOLDEN).read_bytes() == first


def test_asking_for_torch_does_not_import_it() -> None:
    asked = "import sys; from ol.adapters.course.goldens import has_torch; print(has_torch(), 'torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "False"]
    assert has_torch()
