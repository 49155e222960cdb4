"""What `ol verify` finds of tests that lean on how a need is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.report import Verdict
from tests.commands.author_world import AuthorWorld, reasons

PROOF = "needs' wheats"
WHEAT = '''"""Sums."""

from __future__ import annotations

import math
from collections.abc import Iterable


def total(values: Iterable[float]) -> float:
    """By another road: the sum, 0.0 of nothing."""
    return math.fsum(values)
'''
LEANS = "\n\ndef test_leans():\n    assert mean([0.1] * 10) == 0.09999999999999999\n"


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    """The tiny course, where the need A0 has a wheat."""
    world = AuthorWorld.of("tiny", tmp_path / "tiny", tiny_runner)
    (world.root / "course/wheats/A0").mkdir()
    return world.write("course/wheats/A0/w01.py", WHEAT)


def test_tests_that_count_on_the_contract_pass_with_the_wheats_of_the_needs(world: AuthorWorld) -> None:
    gate = world.proved(PROOF, "A1")
    assert gate.verdict is Verdict.PASSED
    assert gate.summary == "course tests and exemplars pass on 1 wheat of needs"


def test_without_wheats_of_needs_there_is_nothing_to_say(tmp_path: Path, tiny_runner: SuiteRunner) -> None:
    gate = AuthorWorld.of("tiny", tmp_path / "tiny", tiny_runner).proved(PROOF, "A1")
    assert (gate.verdict, gate.summary) == (Verdict.PASSED, "")


def test_a_course_test_that_leans_on_a_needs_code_is_told_with_the_wheat(world: AuthorWorld) -> None:
    world.add("course/tests/A1/test_calc.py", LEANS)
    world.add(
        "course/modules/A1.toml", '\n[[tests]]\nname = "test_leans"\nkinds = ["unit"]\nwhy = "it does"\n'
    )
    found = reasons(world.proved(PROOF, "A1"))["test-failed"]
    assert "test_leans on wheat w01 of A0" in found.text
    assert found.text.startswith("course/tests/A1/")


def test_so_is_an_exemplar_test(world: AuthorWorld) -> None:
    world.add("course/exemplars/A1/test_calc.py", LEANS)
    found = reasons(world.proved(PROOF, "A1"))["wheat-rejects"]
    assert "test_leans" in found.text
    assert "wheat w01 of A0" in found.text
    assert found.text.startswith("course/exemplars/A1: ")
