"""What `ol verify` finds of blanks: wrong files by reading, wrong answers by running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.report import Verdict
from tests.commands.author_world import AuthorWorld, reasons
from tests.commands.wrong_course import Wrong, append, assert_caught, both, remove, swap

LADDER = "ladder"
MANIFEST, ANSWERS = "course/modules/F1.toml", "course/answers/F1.py"
GIVEN, EXEMPLARS = "course/given/F1/test_draws.py", "course/exemplars/F1/test_draws.py"
TESTS, CONTRACT = "course/tests/F1/test_draws.py", "course/contracts/py/tinystep/draws.pyi"
WHEAT, MUTANTS = "course/wheats/F1/w01.py", "course/mutants/F1.toml"
MEAN = '\n[[blanks]]\nname = "MEAN"\nwhy = "another"\n'


def wrong(
    told: str, broken: Callable[[AuthorWorld], object], slug: str, *words: str, proof: str = "blanks"
) -> Wrong:
    return Wrong(told, LADDER, broken, proof, slug, words, "F1")


def tells_in_a_chapter(world: AuthorWorld) -> None:
    (world.root / "course/chapters").mkdir()
    world.write("course/chapters/F1.md", "It is 113.666667.\n")


RUN = [
    wrong(
        "an answer that is no value",
        swap(ANSWERS, "draws(9, 3)", "{1: 2}"),
        "answer-fails",
        ANSWERS,
        "gives no number",
    ),
    wrong(
        "answers that import what is not there",
        append(ANSWERS, "import nothing_there\n"),
        "answer-fails",
        "cannot be imported",
    ),
    wrong(
        "a course test that tells a list",
        append(TESTS, "\nTOLD = [88, 195, 58, 1]\n"),
        "blank-given-away",
        TESTS,
        "FIRST_DRAWS",
    ),
    wrong(
        "a course test that tells a number in a comment",
        append(TESTS, "# about 113.66667\n"),
        "blank-given-away",
        TESTS,
        "MEAN_DRAW",
    ),
    wrong(
        "given tests that tell words",
        append(GIVEN, "# not fir, oak, yew\n"),
        "blank-given-away",
        GIVEN,
        "WORDS",
    ),
    wrong(
        "a hint whose witness asks the same",
        swap(MUTANTS, "out = draws(4, 2)", "out = draws(9, 3)"),
        "blank-given-away",
        f"{MUTANTS}: s01",
        "FIRST_DRAWS",
    ),
    wrong(
        "a contract that tells",
        swap(CONTRACT, "`count` of them", "such as 88, 195, 58"),
        "blank-given-away",
        CONTRACT,
        "FIRST_DRAWS",
    ),
    wrong(
        "a chapter that tells",
        tells_in_a_chapter,
        "blank-given-away",
        "course/chapters/F1.md",
        "MEAN_DRAW",
    ),
    wrong(
        "exemplars with a wrong value",
        swap(EXEMPLARS, "113.6666667", "113.7"),
        "blank-wrong",
        EXEMPLARS,
        "113.7",
    ),
    wrong(
        "blanks that no fault changes",
        both(
            swap(
                MUTANTS,
                "        found.append(state)\n        state = step(state)",
                "        state = step(state) if seed != 4 else 4\n        found.append(state)",
            ),
            swap(MUTANTS, "len(words) - 1", "len(words) - (seed == 4)"),
        ),
        "blanks-blind",
        ANSWERS,
    ),
    wrong(
        "no exemplars for blanks",
        remove(EXEMPLARS),
        "exemplars-missing",
        "course/exemplars/F1",
        "blanks",
        proof="exemplars",
    ),
    wrong(
        "exemplars that the reference fails",
        append(EXEMPLARS, "\ndef test_no():\n    assert mean(1, 1) == 0\n"),
        "reference-rejects",
        "test_no",
        proof="exemplars",
    ),
    wrong(
        "exemplars that a wheat fails",
        append(
            EXEMPLARS,
            "\ndef test_no():\n    assert mean(1, 0) is not None and mean.__doc__ != 'Of none, none.'\n",
        ),
        "wheat-rejects",
        "test_no",
        proof="exemplars",
    ),
]

READ = [
    ("no answers", remove(ANSWERS), "course-file-missing", ANSWERS),
    ("answers that do not parse", append(ANSWERS, "def f(\n"), "course-unreadable", ANSWERS),
    ("an answer too few", append(MANIFEST, MEAN), "answer-missing", "answer_mean"),
    (
        "an answer too many",
        append(ANSWERS, "\ndef answer_more():\n    return 1\n"),
        "answer-undeclared",
        "answer_more",
    ),
    (
        "a value in the given tests",
        swap(GIVEN, "MEAN_DRAW = ...", "MEAN_DRAW = 3"),
        "blank-given",
        "MEAN_DRAW",
    ),
    (
        "a blank twice",
        append(GIVEN, "MEAN_DRAW = ...\n"),
        "blank-given",
        "several lines of the blank MEAN_DRAW",
    ),
    (
        "a blank that is not declared",
        append(GIVEN, "MORE = ...\n"),
        "blank-undeclared",
        f"MORE is `...` in {GIVEN}",
    ),
    ("a blank left in the exemplars", swap(EXEMPLARS, "113.6666667", "..."), "blank-open", EXEMPLARS),
    ("a name that is not upper-case", swap(MANIFEST, '"WORDS"', '"Words"'), "bad-blank", "'Words'"),
    (
        "blanks without given tests",
        swap(MANIFEST, 'given = ["test_draws.py"]\n', ""),
        "bad-blank",
        "hands out no tests",
    ),
    ("a tolerance of a hundred", swap(MANIFEST, "rtol = 1e-6", "rtol = 100.0"), "bad-blank", "MEAN_DRAW"),
    (
        "a key that means nothing",
        swap(MANIFEST, "rtol = 1e-6", "tolerance = 1e-6"),
        "unknown-key",
        "blanks.2.tolerance",
    ),
]


@pytest.fixture
def world(tmp_path: Path, ladder_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of(LADDER, tmp_path / "course", ladder_runner)


def test_sound_blanks_are_proved_and_what_each_catches_is_told(world: AuthorWorld) -> None:
    gate = world.proved("blanks", "F1")
    assert (gate.verdict, gate.summary) == (Verdict.PASSED, "3 blanks catch 2/2 mutants")
    assert gate.notes == ("FIRST_DRAWS: s01", "MEAN_DRAW: s01", "WORDS: s02")
    assert gate.fields == {"F1": {"caught": {"FIRST_DRAWS": ["s01"], "MEAN_DRAW": ["s01"], "WORDS": ["s02"]}}}


def test_exemplars_of_a_module_with_blanks_are_run_on_correct_code_and_on_every_fault(
    world: AuthorWorld,
) -> None:
    gate = world.proved("exemplars", "F1")
    assert (gate.verdict, gate.summary) == (Verdict.PASSED, "exemplars pass on correct code, kill 2/2")


def test_a_module_without_blanks_has_nothing_to_prove(world: AuthorWorld) -> None:
    assert world.proved("blanks", "F2").summary == "no blank"
    assert world.proved("exemplars", "F0").summary == "no grade"


def test_given_tests_with_empty_bodies_reach_no_grade(world: AuthorWorld) -> None:
    assert world.proved("exemplars", "F2").summary == "exemplars kill 3/3"


@pytest.mark.parametrize("wrong", RUN, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, ladder_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", ladder_runner)


@pytest.mark.parametrize(("told", "broken", "slug", "word"), READ, ids=[each[0] for each in READ])
def test_it_is_caught_by_reading_alone(
    told: str, broken: Callable[[AuthorWorld], object], slug: str, word: str, world: AuthorWorld
) -> None:
    broken(world)
    report = world.verify("F1")
    assert [gate.gate for gate in report.gates] == ["files"]
    found = reasons(report.gates[0])
    assert slug in found and word in found[slug].text, found
