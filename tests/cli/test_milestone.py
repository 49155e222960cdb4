"""`ol milestone MS-L2` typed by somebody whose command line is the reference's, and who broke it on purpose.

The course here asks for fewer steps, and its bar is where the reference comes by then: the same in a few seconds.
That the whole milestone is passed by the reference and by no wrong command line is proved by `ol verify`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.student import ROOT, Student, begun, course_in, edited, gates, lock, slugs, words_of

STEPS = 100
LAST = (
    "14/14 steps, kneser_ney 1.8657, nplm {}, 4/4 claims, 3/3 probes [assisted: {} needs from the reference]"
)


@pytest.fixture(scope="module")
def _course(tmp_path_factory: pytest.TempPathFactory) -> Student:
    student = begun(tmp_path_factory.mktemp("milestone"))
    course_in(student.root, ROOT)
    milestone, bars = (student.root / f"course/{name}/MS-L2.toml" for name in ("milestones", "bars"))
    for old, new in (('steps = "2400"', f'steps = "{STEPS}"'), ('tokens = "200"', 'tokens = "30"')):
        edited(milestone, old, new)
    text = bars.read_text(encoding="utf-8")
    bars.write_text(re.sub(r"(?m)^upper = 1\.55.*$", "upper = 5.0", text), encoding="utf-8")
    lock(student.root)
    return student


@pytest.fixture
def student(_course: Student, tmp_path: Path) -> Student:
    """With the reference's command line as their own."""
    copy = _course.copied(tmp_path)
    for name in ("__main__.py", "cli"):
        source, place = ROOT / "course/reference/tinyllm" / name, copy.root / "python/tinyllm" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place)
    return copy


def breaks(student: Student, file: str, old: str, new: str) -> Student:
    edited(student.root / "python/tinyllm" / file, old, new)
    return student


def test_a_right_command_line_passes_and_its_logs_are_kept(student: Student) -> None:
    told = student.does("milestone", "ms-l2", "--ref-deps", "--seed", "5")
    found = re.fullmatch(r"MS-L2 PASSED — " + re.escape(LAST).replace(r"\{\}", r"([\d.]+)"), told.last)
    assert found and 1.2 < float(found[1]) < 5.0, told.out
    assert "note: fresh seed 5: `--seed 5` takes it again" in told.lines
    (run,) = (student.root / ".ol/milestones/MS-L2").iterdir()
    logs = sorted(path.name for path in run.iterdir())
    assert len(logs) == 14 and logs[4] == "05-train-the-neural-model.log"
    assert "$ python -m tinyllm lm train nplm --train train.bin" in (run / logs[4]).read_text(
        encoding="utf-8"
    )


def test_too_little_training_a_false_figure_and_a_copied_checkpoint_are_all_told(student: Student) -> None:
    breaks(student, "cli/recipe.py", "left = recipe.steps", "left = min(recipe.steps, 60)")
    breaks(student, "cli/scoring.py", '"ppl": found["ppl"],', '"ppl": min(2.5, found["ppl"]),')
    copied = 'save_nplm(directory.load("nplm") if __import__("os").path.isdir("nplm") else model, folder)'
    breaks(student, "cli/train.py", "save_nplm(model, folder, tokenizer=_tokenizer(vocab))", copied)
    report = student.json("milestone", "MS-L2", "--ref-deps=all", exits=1)
    found = gates(report)
    assert found["steps"]["verdict"] == "passed"
    assert slugs(found["figures"]) == ["figure-false", "bar-missed"]
    assert re.search(
        r"score the neural model: it printed ppl 2\.5, and the saved model has \d", words_of(found["figures"])
    )
    assert re.search(r"nplm is \d+\.\d+, expected at most 5\.0000", words_of(found["figures"]))
    assert slugs(found["claims"]) == ["claim-fails"]
    assert re.search(
        r"fresh_run: after 60 steps from seed \d+ \S+ is up to \S+ away from where the reference's run ends",
        words_of(found["claims"]),
    )


def test_a_generator_that_ignores_its_seed_is_told(student: Student) -> None:
    breaks(student, "cli/generate.py", "n, temperature, seed)", "n, temperature, 0)")
    report = student.json("milestone", "MS-L2", "--ref-deps=all", "--smoke", exits=1)
    told = "tell another: the same ids as `tell a story`, expected others"
    assert told in words_of(gates(report)["steps"])


def test_a_last_line_that_is_no_json_is_shown_and_where_all_of_it_lies(student: Student) -> None:
    breaks(student, "__main__.py", "print(json.dumps(told), flush=True)", "print(json.dumps(told), '# done')")
    told = student.ol("milestone", "MS-L2", "--ref-deps=all", "--smoke")
    assert told.code == 1
    shown = next(line for line in told.lines if "[step-last-line]" in line)
    assert "encode the training text: the last line of standard output is `{" in shown and "# done`" in shown
    log = next(line.split()[-1] for line in told.lines if line.strip().startswith("log "))
    assert "# done" in (student.root / log).read_text(encoding="utf-8")
    assert told.last == "MS-L2 FAILED — 0/14 steps [assisted: 13 needs from the reference]"


def test_a_hang_is_ended_and_named_with_its_step_and_limit(student: Student) -> None:
    milestone = student.root / "course/milestones/MS-L2.toml"
    text = milestone.read_text(encoding="utf-8")
    milestone.write_text(text.replace("limit_s = 30", "limit_s = 0.5", 1), encoding="utf-8")
    lock(student.root)
    breaks(student, "__main__.py", "told = options.run(options)", "__import__('time').sleep(600)")
    report = student.json("milestone", "MS-L2", "--ref-deps=all", "--smoke", exits=1)
    found = gates(report)["steps"]
    assert slugs(found) == ["step-late"]
    told = "encode the training text: it was ended, still running at its limit of 1.5 s, in __main__.py, line"
    assert told in words_of(found)


def test_a_newcomer_is_given_a_skeleton_and_told_what_is_to_be_written(
    _course: Student, tmp_path: Path
) -> None:
    newcomer = _course.copied(tmp_path)
    told = newcomer.does("start", "MS-L2", "--ref-deps")
    assert "written   python/tinyllm/__main__.py" in told.lines
    again = newcomer.ol("milestone")
    assert again.code == 3 and "[entry-stub]" in again.err
    main = newcomer.root / "python/tinyllm/__main__.py"
    main.write_text(main.read_text(encoding="utf-8") + "# begun\n", encoding="utf-8")
    begun_with = newcomer.ol("milestone", "--smoke")
    assert begun_with.code == 1
    assert "NotImplementedError: MS-L2: tokens encode" in begun_with.out
    assert "left      python/tinyllm/__main__.py, which was there" in newcomer.does("start", "MS-L2").lines


def test_an_edited_milestone_is_seen(student: Student) -> None:
    edited(
        student.root / "course/milestones/MS-L2/judge.py", "WEIGHTS_APART, LOSSES_APART = 1e-4", "A, B = 9"
    )
    assert student.ol("milestone", "MS-L2", "--ref-deps=all").code == 4


def test_a_command_for_modules_names_the_one_for_milestones(newcomer: Student) -> None:
    newcomer.does("start", "MS-L2")
    told = newcomer.ol("check", "ms-l2")
    assert told.code == 2 and "`ol milestone MS-L2` runs it." in told.err
    told = newcomer.ol("milestone", "L2.2")
    assert told.code == 2 and "[is-a-module]" in told.err
