"""The judge in its own process: figures, claims, what breaks, and no answer that is half an answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ol.adapters import judge as judge_adapter
from ol.adapters.judge import judged
from ol.domain.errors import HarnessFault, WorkRefused
from ol.domain.file import File
from ol.domain.milestone.judged import Judgement, Work

PROGRAM = "course/milestones/MS/judge.py"
WORK = Work(
    files=(File("m/weights", b"12"),),
    said={"score": {"ppl": 3.5}},
    words={"seed": "7"},
    reference_files=(File("m/weights", b"34"),),
    reference_said={"score": {"ppl": 4.5}},
)


def course(at: Path, judge: str) -> Path:
    path = at / PROGRAM
    path.parent.mkdir(parents=True)
    path.write_text(judge, encoding="utf-8")
    (at / "course/tests/frozen").mkdir(parents=True)
    (at / "course/tests/frozen/__init__.py").write_text("WORD = 'frozen'\n", encoding="utf-8")
    return at


def test_a_judge_sees_what_was_left_said_and_drawn_and_the_frozen_kit(tmp_path: Path) -> None:
    root = course(
        tmp_path,
        "import os\nfrom frozen import WORD\n"
        "def figure_sum(work):\n"
        "    read = [int((place / 'm/weights').read_text()) for place in (work.files, work.reference)]\n"
        "    return sum(read) + work.said['score']['ppl'] + work.reference_said['score']['ppl']\n"
        "def claim_holds(work):\n    return None\n"
        "def claim_fails(work):\n    return f\"{WORD}: {work.words['seed']}, {'OL_COURSE_ROOT' in os.environ}\"\n",
    )
    found = judged(root, PROGRAM, WORK, ["figure_sum", "claim_holds", "claim_fails"])
    assert found == (Judgement(54.0), Judgement(), Judgement(wrong="frozen: 7, True"))
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_claim_may_name_what_no_utf8_can_say(tmp_path: Path) -> None:
    root = course(tmp_path, "def claim_x(work):\n    return 'a tensor ' + chr(0xD800)\n")
    assert judged(root, PROGRAM, WORK, ["claim_x"]) == (Judgement(wrong=r"a tensor \ud800"),)


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("return float('nan')", "the figure is nan"),
        ("return float('inf')", "the figure is inf"),
        ("raise KeyError('emb')", "KeyError: 'emb'"),
        pytest.param(
            "return len(bytearray(5 << 30))",
            "MemoryError: ",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="the bound is kept on Linux"),
        ),
        ("return [][0]", "IndexError: list index out of range"),
        ("return 10**400", "OverflowError: int too large to convert to float"),
        ("raise ValueError('a name: ' + chr(0xD800))", r"ValueError: a name: \ud800"),
    ],
)
def test_what_breaks_over_a_file_is_told_and_holds_nothing(tmp_path: Path, body: str, raised: str) -> None:
    root = course(tmp_path, f"def figure_x(work):\n    {body}\n")
    assert judged(root, PROGRAM, WORK, ["figure_x"]) == (Judgement(raised=raised),)


@pytest.mark.parametrize(
    "judge", ["import nothing_of_that_name", "def figure_x(work):\n    __import__('os')._exit(0)"]
)
def test_a_judge_that_gives_no_whole_answer_is_a_fault(tmp_path: Path, judge: str) -> None:
    with pytest.raises(HarnessFault) as stopped:
        judged(course(tmp_path, judge), PROGRAM, WORK, ["figure_x"])
    assert stopped.value.slug == "judge-failed"


def test_what_keeps_a_judge_busy_over_its_limit_is_the_fault_of_who_saved_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_adapter, "LIMIT_S", 1.0)
    root = course(tmp_path, "def figure_x(work):\n    while True:\n        pass\n")
    work = Work(files=(File("m/weights", bytes(3_000_000)),), said={}, words={})
    with pytest.raises(WorkRefused) as stopped:
        judged(root, PROGRAM, work, ["figure_x"])
    assert stopped.value.slug == "judge-late" and stopped.value.next_step
    assert stopped.value.message.startswith("What your commands saved, 3 MB, kept the judge busy for 1 s")
