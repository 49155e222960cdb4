"""Probes that tell nothing on the reference are the course's own fault, and cost no mark."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.errors import CourseWrong
from tests.commands.values_world import PROBED, RIGHT, Student, gate
from tests.fakes import FakeMemo


def broken_course(runner: SuiteRunner, root: Path, old: str, new: str) -> Student:
    shutil.copytree(PROBED, root)
    path = root / "course/probes/P1.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return Student(runner, root, FakeMemo())


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        (
            "values = drawn(seed, 7)",
            "values = drawn(seed, 7) if largest.__name__ != 'largest' else None",
            "unit",
        ),
        ("np.inf, high - low", "0.0, 0.0", "probe-unclear"),
    ],
)
def test_a_probe_that_tells_nothing_on_the_reference_is_the_courses_fault(
    probed_runner: SuiteRunner, tmp_path: Path, old: str, new: str, slug: str
) -> None:
    student = broken_course(probed_runner, tmp_path / "course", old, new)
    if slug == "unit":
        renamed = RIGHT + "\n\nlargest.__name__ = 'mine'\n"
        with pytest.raises(CourseWrong, match="gives nothing on the reference") as raised:
            gate(student, renamed)
        assert raised.value.slug == "probe-fails"
    else:
        with pytest.raises(CourseWrong, match="index may be chosen either way in 4 of 4 values") as raised:
            gate(student, RIGHT)
        assert raised.value.slug == slug
