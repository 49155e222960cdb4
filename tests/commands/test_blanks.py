"""The blanks gate of `ol check`: what a student filled in, compared with what the reference gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.errors import CourseWrong
from ol.domain.exit_code import ExitCode
from ol.domain.file import File
from ol.domain.report import GateResult, Verdict
from ol.render.text import plain
from tests.commands.ladder_world import FILLED, OWN, Climber, before_blanks, gates, slugs
from tests.commands.values_world import Watched

SECRETS = ("88", "195", "113.6", "'oak', 'yew'")  # of the right values


@pytest.fixture
def climber(tmp_path: Path, ladder_runner: SuiteRunner) -> Climber:
    return before_blanks(tmp_path / "home", Watched(ladder_runner))


def blanks(climber: Climber, **options: object) -> GateResult:
    return gates(climber.check("F1", **options))["blanks"]


def filled(climber: Climber, old: str, new: str) -> GateResult:
    assert FILLED.count(old) == 1
    return blanks(climber.put(OWN, FILLED.replace(old, new)))


def test_right_values_pass_and_stand_in_the_last_line(climber: Climber) -> None:
    report = climber.put(OWN, FILLED).check("F1")
    assert list(gates(report)) == ["contract", "needs", "course tests", "blanks"]
    assert report.passed
    assert report.last_line == "F1 PASSED — 4/4 course tests, 3/3 blanks"


def test_open_blanks_are_told_each_with_its_line_and_what_is_asked_for(climber: Climber) -> None:
    gate = blanks(climber)
    assert (gate.verdict, gate.summary, gate.code) == (Verdict.FAILED, "0/3 blanks", ExitCode.FAILED)
    assert slugs(gate) == ["blank-open"] * 3
    assert gate.reasons[1].text == f"MEAN_DRAW is not filled yet: {OWN}:8."
    assert gate.reasons[1].detail == ("MEAN_DRAW = ...  # by hand: their mean",)
    assert [bool(reason.next_step) for reason in gate.reasons] == [True, False, False]


def test_while_all_are_open_the_answers_are_not_even_computed(climber: Climber) -> None:
    blanks(climber)
    assert all(file.name != "test_answers.py" for file in asked(climber))


def test_wrong_values_are_named_as_they_were_read_and_no_report_holds_the_right_ones(
    climber: Climber,
) -> None:
    text = FILLED.replace("[88, 195, 58]", "[9, 88, 1]").replace("113.6666667", "14.5").replace('"fir", ', "")
    report = climber.put(OWN, text).check("F1")
    gate = gates(report)["blanks"]
    assert (gate.summary, slugs(gate)) == ("0/3 blanks", ["blank-wrong"] * 3)
    assert gate.reasons[0].text == f"FIRST_DRAWS is not right. It is read as [9, 88, 1]: {OWN}:7."
    assert gate.fields["blanks"][2] == {"name": "WORDS", "state": "blank-wrong"}
    told = plain(report)
    assert not [secret for secret in ("195", "113.6", "'fir'") if secret in told]


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ("113.6666667", "113.67", "blank-wrong"),
        ("113.6666667", "341 / 3", "blank-not-plain"),
        ("113.6666667", "sum([88, 195, 58]) / 3", "blank-not-plain"),
        ("113.6666667", "'113.6666667'", "blank-wrong"),
        ("113.6666667", "...", "blank-open"),
        ("MEAN_DRAW = 113.6666667", "MEAN = 113.6666667", "blank-missing"),
        ("MEAN_DRAW = 113.6666667", "MEAN_DRAW = 113.6666667\nMEAN_DRAW = 3", "blank-twice"),
        ("MEAN_DRAW = 113.6666667", "if draws(1, 1):\n    MEAN_DRAW = 113.6666667", "blank-not-plain"),
        ("MEAN_DRAW = 113.6666667", "MEAN_DRAW, _ = 113.6666667, 1", "blank-not-plain"),
    ],
)
def test_what_is_not_that_value_written_down_once_does_not_count(
    old: str, new: str, slug: str, climber: Climber
) -> None:
    gate = filled(climber, old, new)
    assert (gate.summary, slugs(gate)) == ("2/3 blanks", [slug])
    assert OWN.rsplit("/", 1)[0] in gate.reasons[0].text


@pytest.mark.parametrize(
    "new", ["113.66666666", "1.1366666667e2", "113.666_667  # 341 thirds", "(113.6666667)"]
)
def test_a_value_counts_within_its_tolerance_however_it_is_written(new: str, climber: Climber) -> None:
    assert filled(climber, "113.6666667", new).verdict is Verdict.PASSED


def test_a_tuple_stands_for_a_list_and_a_whole_fraction_for_an_integer(climber: Climber) -> None:
    assert filled(climber, "[88, 195, 58]", "(88, 195.0, 58)").verdict is Verdict.PASSED


def test_the_value_may_stand_in_another_test_file_of_the_folder(climber: Climber) -> None:
    text = FILLED.replace("MEAN_DRAW = 113.6666667\n", "")
    climber.put(OWN, text).put(OWN.replace("test_draws", "test_mean"), "MEAN_DRAW = 113.6666667\n")
    assert blanks(climber).verdict is Verdict.PASSED


def test_nothing_of_the_student_is_run_and_neither_units_nor_tests_reach_the_answers(
    climber: Climber,
) -> None:
    trap = "from pathlib import Path\nPath('/tmp/should-not-be').touch()\n"
    climber.put(OWN, FILLED + trap).put(
        "python/tinystep/draws.py", "def draws(seed, count):\n    return [1]\n"
    )
    assert blanks(climber).verdict is Verdict.PASSED
    answers = [
        request for _, request, _ in watched(climber).seen if request.tests[0].name == "test_answers.py"
    ]
    assert answers and all("should-not-be" not in file.text() for each in answers for file in each.tests)
    assert all("return [1]" not in text for each in answers for text in each.sources.values())


def test_a_unit_that_is_a_stub_does_not_keep_the_blanks_from_being_compared(
    tmp_path: Path, ladder_runner: SuiteRunner
) -> None:
    climber = Climber.at(tmp_path / "home", ladder_runner)
    climber.starts("F1")
    assert blanks(climber.put(OWN, FILLED)).verdict is Verdict.PASSED


def test_without_a_test_folder_the_gate_is_blocked_and_names_the_way(climber: Climber) -> None:
    (climber.root / OWN).unlink()
    gate = blanks(climber)
    assert (gate.verdict, slugs(gate)) == (Verdict.BLOCKED, ["no-tests"])
    assert gate.reasons[0].next_step == "Run `ol start F1`."


def test_a_test_file_that_does_not_parse_is_named(climber: Climber) -> None:
    gate = blanks(climber.put(OWN, "FIRST_DRAWS = [\n"))
    assert (gate.verdict, slugs(gate)) == (Verdict.FAILED, ["does-not-parse"])


def test_a_pass_is_remembered_for_these_values_only_and_asked_for_by_cached(climber: Climber) -> None:
    climber.put(OWN, FILLED)
    assert not blanks(climber).cached
    assert not blanks(climber).cached  # only where that is asked for
    assert blanks(climber, cached=True).cached
    gate = blanks(climber.put(OWN, FILLED.replace("88", "89")), cached=True)
    assert not gate.cached and gate.verdict is Verdict.FAILED
    kept = [re.sub(rb"[0-9a-f]{64}", b"", value) for value in climber.memo.kept.values()]  # but for hashes
    assert not any(secret.encode() in value for value in kept for secret in SECRETS)


def test_an_answer_that_fails_makes_the_course_wrong(climber: Climber) -> None:
    path = climber.root / "course/answers/F1.py"
    path.write_text(path.read_text().replace("return mean(9, 3)", "return mean(9, '3')"))
    (climber.root / "course/course.lock").unlink()
    with pytest.raises(
        CourseWrong, match=r"course/answers/F1\.py: answer_mean_draw on the reference raises TypeError"
    ):
        blanks(climber.put(OWN, FILLED))


def test_a_check_that_asks_for_blanks_and_a_grade_tells_no_value_by_the_grade(climber: Climber) -> None:
    manifest = "course/modules/F1.toml"
    graded = (climber.root / manifest).read_text(encoding="utf-8").replace('rung = "R1"', 'rung = "R2"')
    climber.put(manifest, graded).locks()
    wrong = FILLED.replace("[88, 195, 58]", "[9]").replace("113.6666667", "1.5").replace('"fir", "oak", ', "")
    report = climber.put(OWN, wrong).check("F1")
    assert slugs(gates(report)["mutation"]) == ["blanks-first"]
    assert report.last_line == "F1 FAILED — 0/3 blanks, mutation not tried"
    assert not [secret for secret in SECRETS if secret in plain(report)]
    assert climber.put(OWN, FILLED).check("F1").passed


def watched(climber: Climber) -> Watched:
    assert isinstance(climber.runner, Watched)
    return climber.runner


def asked(climber: Climber) -> list[File]:
    return [file for _, request, _ in watched(climber).seen for file in request.tests]
