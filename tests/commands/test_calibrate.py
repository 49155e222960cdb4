"""`ol calibrate` on a small course: the figures, the bars, and what cannot be measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.calibrate import calibrate
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.report import Verdict
from tests.commands.author_world import AuthorWorld

BARS, CALIBRATION, B1 = "course/bars/B1.toml", "course/calibration/B1.py", ModuleId("B1")


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of("measured", tmp_path / "course", tiny_runner)


def test_each_seed_is_measured_on_the_reference_and_the_bar_follows(world: AuthorWorld) -> None:
    before = world.author.bar_records(B1)["error"]
    world.remove(BARS)
    page = calibrate(world.ports, world.author, jobs=2)
    bar = world.author.bar_records(B1)["error"]
    assert bar.recipe == "40 steps on 50 points with noise 0.1."
    assert bar.seeds == (0, 1, 2)
    assert bar.figures == pytest.approx(before.figures)
    assert bar.upper == pytest.approx(bar.mean + 3 * bar.sd)
    assert bar.lower == 0.005
    assert page.lines[:2] == (f"written   {BARS}", f"error: {bar.recipe}")
    assert page.lines[2].strip().startswith("0.0071 0.0077 0.0096; mean 0.0081")
    assert page.fields == {"B1": {"error": list(bar.figures)}}
    assert world.proved("bars", "B1").verdict is Verdict.PASSED


def test_other_seeds_are_declared_in_the_manifest(world: AuthorWorld) -> None:
    world.edit("course/modules/B1.toml", "seeds = [0, 1, 2]", "seeds = [5, 6]")
    calibrate(world.ports, world.author, ["b1"])
    bar = world.author.bar_records(B1)["error"]
    assert bar.seeds == (5, 6)
    assert len(set(bar.figures)) == 2


@pytest.mark.parametrize(
    ("old", "new", "slug", "words"),
    [
        ("def floor_error", "def floor_loss", "calibration-missing", ("floor_error", "the bar error")),
        ("def measure_error", "def measure_loss", "calibration-missing", ("measure_error",)),
        ("return fit(40, seed)", "return 1 / 0", "calibration-failed", ("measure_error(", "ZeroDivision")),
        ("return 0.005", 'return float("nan")', "calibration-failed", ("floor_error()", "nan")),
        ("return 0.005", 'return "low"', "calibration-failed", ("floor_error()", "ValueError")),
        ("import fit", "import fitted", "calibration-failed", ("ImportError",)),
        ("return 0.005", '__import__("os")._exit(0)', "calibration-failed", ("floor_error()", "exit code 0")),
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_named_and_nothing_is_written(
    world: AuthorWorld, old: str, new: str, slug: str, words: tuple[str, ...]
) -> None:
    before = world.read(BARS)
    world.edit(CALIBRATION, old, new)
    with pytest.raises(CourseWrong) as raised:
        calibrate(world.ports, world.author)
    assert raised.value.slug == slug
    assert all(word in raised.value.message for word in (CALIBRATION, *words)), raised.value.message
    assert raised.value.next_step
    assert world.read(BARS) == before


def test_a_measure_without_a_recipe_is_refused(world: AuthorWorld) -> None:
    text = world.read(CALIBRATION)
    docstring = text[text.index('    """40 steps') : text.index("    return fit")]
    world.edit(CALIBRATION, docstring, "")
    with pytest.raises(CourseWrong, match="measure_error has no docstring"):
        calibrate(world.ports, world.author)


def test_a_missing_calibration_is_named(world: AuthorWorld) -> None:
    world.remove(CALIBRATION)
    with pytest.raises(CourseWrong, match=CALIBRATION):
        calibrate(world.ports, world.author)


def test_a_module_without_bars_is_a_wrong_request_and_a_course_without_any_is_not(
    tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    tiny = AuthorWorld.of("tiny", tmp_path / "tiny", tiny_runner)
    with pytest.raises(WrongRequest, match="A1"):
        calibrate(tiny.ports, tiny.author, ["A1"])
    assert calibrate(tiny.ports, tiny.author).lines == ("No module declares a bar.",)


def test_a_bar_without_seeds_is_exact_and_both_its_bounds_are_the_figure(world: AuthorWorld) -> None:
    world.add("course/modules/B1.toml", '\n[[bars]]\nname = "slope"\nseeds = []\n')
    world.add(CALIBRATION, '\n\ndef exact_slope():\n    """As drawn."""\n    return 2.5\n')
    calibrate(world.ports, world.author)
    bar = world.author.bar_records(B1)["slope"]
    assert (bar.recipe, bar.seeds, bar.figures) == ("As drawn.", (), (2.5,))
    assert (bar.lower, bar.mean, bar.upper, bar.sd) == (2.5, 2.5, 2.5, 0.0)
    assert world.proved("bars", "B1").verdict is Verdict.PASSED
    world.edit(BARS, "mean = 2.5", "mean = 2.0")
    assert "exact" in world.proved("bars", "B1").reasons[0].text
