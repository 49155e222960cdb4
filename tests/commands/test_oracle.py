"""`ol oracle` on a small course, whose oracle is numpy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.oracle import oracle
from ol.domain.authoring.golden import MANIFEST
from ol.domain.course_report import CourseReport
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Page
from tests.commands.author_world import Author, AuthorWorld, perturbed, reasons

GOLDEN, PROGRAM = "oracle/B1/line.safetensors", "course/oracle/B1/line_made.py"


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of("measured", tmp_path / "course", tiny_runner)


def checked(world: AuthorWorld) -> CourseReport:
    report = oracle(world.ports, world.author, check_only=True)
    assert isinstance(report, CourseReport)
    return report


def test_goldens_are_made_by_their_program_and_recorded(world: AuthorWorld) -> None:
    before = world.root / GOLDEN
    made = before.read_bytes()
    before.unlink()
    (world.root / MANIFEST).unlink()
    page = oracle(world.ports, world.author, ["B1"])
    assert isinstance(page, Page)
    assert page.lines[-1] == f"written   {MANIFEST}"
    assert page.lines[0].startswith(f"written   {GOLDEN}: torch none, numpy ")
    assert before.stat().st_size == len(made)
    record = world.author.golden_records()["B1/line.safetensors"]
    assert (record.seed, record.rtol, record.atol) == (7, 1e-5, 1e-6)
    assert record.program_sha256 == world.author.file(PROGRAM).sha256  # type: ignore[union-attr]
    assert checked(world).passed


def test_what_other_modules_recorded_is_kept(world: AuthorWorld) -> None:
    text = world.read(MANIFEST)
    world.add(MANIFEST, text.partition("\n\n")[2].replace("B1/line", "C1/other"))
    oracle(world.ports, world.author, ["B1"])
    assert set(world.author.golden_records()) == {"B1/line.safetensors", "C1/other.safetensors"}


def test_a_check_writes_nothing_and_passes_on_the_files_as_they_were_made(world: AuthorWorld) -> None:
    before = {path: path.read_bytes() for path in world.root.rglob("*") if path.is_file()}
    report = checked(world)
    assert report.exit_code is ExitCode.PASSED
    assert report.last_line == "B1 PROVED — 2/2 tensors within rtol 1e-05, atol 1e-06"
    assert {path: path.read_bytes() for path in world.root.rglob("*") if path.is_file()} == before


def test_a_value_changed_by_ten_times_its_tolerance_is_named_with_the_difference(world: AuthorWorld) -> None:
    before = perturbed(world.root / GOLDEN, "y", 3, tolerances=10)
    report = checked(world)
    found = reasons(report.gates[0])
    assert set(found) == {"golden-changed", "golden-value"}
    told = found["golden-value"].text
    assert told.startswith(f"{GOLDEN}: y[3] is ")
    expected, apart, allowed = (
        float(word) for word in re.findall(r"[-+.e\d]+", told.split("expected ")[1])[:3]
    )
    assert expected == pytest.approx(before)
    assert allowed == pytest.approx(1e-6 + 1e-5 * abs(before), rel=0.01)
    assert apart == pytest.approx(10 * allowed, rel=0.05)  # float32 rounds the moved value
    assert told.endswith("(1 of 8 values too far).")
    assert report.exit_code is ExitCode.COURSE_WRONG
    assert report.last_line.startswith("B1 WRONG — ")


def test_a_value_within_its_tolerance_is_told_by_the_hash_alone(world: AuthorWorld) -> None:
    perturbed(world.root / GOLDEN, "y", 3, tolerances=0.3)
    gate = checked(world).gates[0]
    assert set(reasons(gate)) == {"golden-changed"}
    assert gate.summary == "2/2 tensors within rtol 1e-05, atol 1e-06, but not as recorded"


def test_a_program_changed_since_is_named(world: AuthorWorld) -> None:
    world.add(PROGRAM, "# later\n")
    assert PROGRAM in reasons(checked(world).gates[0])["golden-program-changed"].text


def test_a_program_that_gives_other_values_is_named_by_its_tensors(world: AuthorWorld) -> None:
    world.edit(PROGRAM, "np.float32(2) * x", "np.float32(3) * x")
    found = reasons(checked(world).gates[0])
    assert set(found) == {"golden-program-changed", "golden-value"}
    assert f"{GOLDEN}: y[" in found["golden-value"].text


def test_a_golden_that_is_cut_or_gone_is_named(world: AuthorWorld) -> None:
    path = world.root / GOLDEN
    path.write_bytes(path.read_bytes()[:-9])
    assert GOLDEN in reasons(checked(world).gates[0])["golden-unreadable"].text
    path.unlink()
    assert GOLDEN in reasons(checked(world).gates[0])["golden-missing"].text


def test_without_torch_the_extra_is_named_and_nothing_is_run(
    world: AuthorWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Author, "torch", False)
    for check_only in (False, True):
        with pytest.raises(WrongRequest) as raised:
            oracle(world.ports, world.author, check_only=check_only)
        assert raised.value.exit_code == 2
        assert "pip install -e '.[oracle]'" in raised.value.next_step


@pytest.mark.parametrize(
    ("old", "new", "slug", "words"),
    [
        ("def main(", "1 / 0\n\n\ndef main(", "oracle-failed", (PROGRAM, "exit code 1", "division by zero")),
        ('"line.safetensors"', '"lines.safetensors"', "oracle-wrote-nothing", (PROGRAM, "line.safetensors")),
        (', "blas": "none"}', "}", "golden-versions", (PROGRAM, "which blas made it")),
    ],
)
def test_a_program_that_does_not_do_its_part_is_a_wrong_course_and_writes_nothing(
    world: AuthorWorld, old: str, new: str, slug: str, words: tuple[str, ...]
) -> None:
    before = (world.root / GOLDEN).read_bytes(), world.read(MANIFEST)
    world.edit(PROGRAM, old, new)
    with pytest.raises(CourseWrong) as raised:
        oracle(world.ports, world.author)
    assert raised.value.slug == slug
    assert all(word in raised.value.message for word in words), raised.value.message
    assert ((world.root / GOLDEN).read_bytes(), world.read(MANIFEST)) == before


def test_a_module_without_goldens_is_a_wrong_request_and_a_course_without_any_is_not(
    tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    tiny = AuthorWorld.of("tiny", tmp_path / "tiny", tiny_runner)
    with pytest.raises(WrongRequest, match="A1"):
        oracle(tiny.ports, tiny.author, ["A1"])
    assert oracle(tiny.ports, tiny.author) == Page("oracle", ("No module declares a golden.",))
