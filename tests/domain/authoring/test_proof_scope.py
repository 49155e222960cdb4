from __future__ import annotations

import pytest

from ol.domain.authoring.proof_scope import scope
from ol.domain.course import Course
from tests.commands.milestone_world import MS
from tests.made import RUNGS, module

COURSE = Course(
    "A course",
    "1",
    "tiny",
    RUNGS,
    {each.id: each for each in (module("A.1"), module("A.2", needs=("A.1",)), module("A.3"))},
    milestones={MS.id: MS},
)


def counts(path: str) -> bool:
    return bool(scope(COURSE, COURSE.module("A.2"), {path: "sha"}))


@pytest.mark.parametrize(
    "path",
    [
        "course/modules/A.2.toml",
        "course/tests/A.2/test_it.py",
        "course/chapters/A.2.md",
        "course/answers/A.2.py",
        "course/wheats/A.2/w01/a2.py",
        "oracle/A.2/it.safetensors",
        "course/reference/tiny/a2.py",
        "course/reference/tiny/a1.py",
        "course/wheats/A.1/w01.py",
        "course/bars/A.1.toml",
        "oracle/A.1/it.safetensors",
        "course/contracts/py/tiny/a3.pyi",
        "course/tests/frozen/close.py",
        "course/corpora/c/train.bin",
    ],
)
def test_a_modules_own_files_the_code_below_it_and_the_common_ones_count(path: str) -> None:
    assert counts(path)


@pytest.mark.parametrize(
    "path",
    [
        "course/tests/A.1/test_it.py",
        "course/modules/A.1.toml",
        "course/wheats/A.3/w01.py",
        "course/reference/tiny/a3.py",
        "course/tests/A.3/test_it.py",
        "oracle/A.3/it.safetensors",
        "oracle/manifest.toml",
        "course/course.toml",
        "course/milestones/MS-1.toml",
        "course/milestones/MS-1/judge.py",
        "course/bars/MS-1.toml",
    ],
)
def test_those_of_other_modules_do_not(path: str) -> None:
    assert not counts(path)
