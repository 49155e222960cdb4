"""`ol oracle` on the real course: with torch it gives the goldens again, without it says what to install."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.student import ROOT, Student, begun, course_in, slugs, tree

GOLDEN = "oracle/L2.2/nplm.safetensors"


@pytest.fixture
def author(tmp_path: Path) -> Student:
    """In a copy of the tree."""
    student = begun(tmp_path)
    course_in(student.root, ROOT)
    return student


def moved(path: Path, tensor: str, place: int, tolerances: float) -> tuple[np.float32, np.float32]:
    """Change one float32 of a golden by that many times rtol 1e-5 and atol 1e-6: before and after."""
    raw = bytearray(path.read_bytes())
    start = 8 + int.from_bytes(raw[:8], "little")
    first, last = json.loads(raw[8:start])[tensor]["data_offsets"]
    values = np.frombuffer(raw[start + first : start + last], dtype="<f4").copy()
    before = values[place]
    values[place] += np.float32(tolerances * (1e-6 + 1e-5 * abs(before)))
    raw[start + first : start + last] = values.tobytes()
    path.write_bytes(raw)
    return before, values[place]


@pytest.mark.torch
def test_torch_makes_the_goldens_again_and_writes_nothing(author: Student) -> None:
    before = tree(author.root)
    report = author.json("oracle", "L2.2", "--check", exits=0)
    assert report["gates"][0]["verdict"] == "passed"
    assert "tensors within rtol 1e-05, atol 1e-06" in report["last_line"]
    assert tree(author.root) == before


@pytest.mark.torch
def test_a_value_off_by_ten_times_its_tolerance_is_named_with_the_difference(author: Student) -> None:
    made, kept = moved(author.root / GOLDEN, "with_direct/logits", 13, tolerances=10)
    gate = author.json("oracle", "L2.2", "--check", exits=5)["gates"][0]
    assert "golden-value" in slugs(gate)
    (told,) = (reason["text"] for reason in gate["reasons"] if reason["slug"] == "golden-value")
    assert told.startswith(f"{GOLDEN}: with_direct/logits[1, 2] is ")
    said = re.search(r"is (\S+), expected (\S+): (\S+) apart", told)
    assert said is not None
    near = [float(kept), float(made), abs(float(kept) - float(made))]  # another BLAS, another last digit
    assert [float(number) for number in said.groups()] == pytest.approx(near, rel=0.2)


@pytest.mark.torch
def test_a_value_within_its_tolerance_is_only_not_the_file_that_was_recorded(author: Student) -> None:
    moved(author.root / GOLDEN, "with_direct/logits", 13, tolerances=0.5)
    gate = author.json("oracle", "L2.2", "--check", exits=5)["gates"][0]
    assert slugs(gate) == ["golden-changed"]


def test_without_torch_it_names_the_extra_to_install(author: Student, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    absent = "import sys\nsys.modules['torch'] = None\n"
    (tmp_path / "bare" / "sitecustomize.py").write_text(absent, encoding="utf-8")
    before = tree(author.root)
    for words in (("oracle",), ("oracle", "L2.2", "--check")):
        told = author.typed(*words, PYTHONPATH=os.pathsep.join(map(str, (tmp_path / "bare", ROOT))))
        assert (told.code, told.out) == (2, "")
        assert "pip install -e '.[oracle]'" in told.err
        assert "[torch-missing]" in told.err
    assert tree(author.root) == before


def test_a_module_without_goldens_is_not_made(author: Student) -> None:
    told = author.ol("oracle", "M06.3")
    assert (told.code, told.out) == (2, "")
    assert "M06.3 declares no goldens" in told.err
    assert "[no-goldens]" in told.err
