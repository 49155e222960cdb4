"""The comparison of two safetensors files, as the child does it and as the adapter tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ol.adapters.course import goldens
from ol.child.compare import DTYPES
from ol.domain.authoring.golden import Comparison, Difference
from ol.domain.errors import HarnessFault
from ol.domain.file import File
from tinyllm.io.safetensors import save_safetensors


def compared(
    tmp_path: Path, got: dict[str, Any], expected: dict[str, Any], rtol: float = 1e-5, atol: float = 1e-6
) -> Comparison:
    files = []
    for name, tensors in (("got", got), ("expected", expected)):
        save_safetensors(tmp_path / name, tensors)
        files.append(File(name, (tmp_path / name).read_bytes()))
    return goldens.compare(*files, rtol, atol)


def only(found: Comparison) -> Difference:
    (difference,) = found.differences
    return difference


def f32(*values: float) -> Any:
    return np.array(values, dtype=np.float32)


def test_equal_files_hold_no_difference(tmp_path: Path) -> None:
    tensors = {"a": f32(1, 2), "ids": np.array([[1, 2]]), "loss": np.float32(0.5).reshape(())}
    assert compared(tmp_path, tensors, tensors) == Comparison(3)


def test_missing_and_unexpected_tensors_are_named(tmp_path: Path) -> None:
    found = compared(tmp_path, {"a": f32(1), "more": f32(1)}, {"a": f32(1), "gone": f32(1)})
    assert [each.told for each in found.differences] == ["gone is missing", "more is unexpected"]


def test_shape_and_dtype_come_before_values(tmp_path: Path) -> None:
    shape = only(compared(tmp_path, {"a": f32(9, 9)}, {"a": f32(1)}))
    assert shape.told == "a has shape (2,), expected (1,)"
    dtype = only(compared(tmp_path, {"a": np.array([9.0])}, {"a": f32(1)}))
    assert dtype.told == "a has dtype float64, expected float32"


@pytest.mark.parametrize(("off", "differs"), [(0.9, False), (1.1, True)])
def test_the_tolerance_is_absolute_and_relative_together(tmp_path: Path, off: float, differs: bool) -> None:
    expected = np.array([0.0, 100.0])
    got = expected + off * (1e-6 + 1e-5 * expected)
    assert bool(compared(tmp_path, {"a": got}, {"a": expected}).differences) is differs


def test_the_value_furthest_out_is_told_with_its_place(tmp_path: Path) -> None:
    expected = np.ones((2, 3))
    got = expected.copy()
    got[0, 1], got[1, 2] = 1.5, 0.0
    found = only(compared(tmp_path, {"a": got}, {"a": expected}))
    assert found.told == "a[1, 2] is 0, expected 1: 1 apart, 1.1e-05 allowed (2 of 6 values too far)"


@pytest.mark.parametrize(
    ("got", "expected", "differs"),
    [
        (np.nan, np.nan, True),
        (np.inf, np.inf, False),
        (np.inf, -np.inf, True),
        (1.0, np.inf, True),
        (np.inf, 1.0, True),
        (np.nan, 1.0, True),
    ],
)
def test_nan_is_close_to_nothing_and_an_infinity_to_itself(
    tmp_path: Path, got: float, expected: float, differs: bool
) -> None:
    assert bool(compared(tmp_path, {"a": f32(got)}, {"a": f32(expected)}).differences) is differs


def test_integers_are_equal_or_differ_whatever_the_tolerance(tmp_path: Path) -> None:
    found = compared(tmp_path, {"a": np.array([2**60 + 1])}, {"a": np.array([2**60])}, rtol=1.0, atol=9.0)
    assert only(found).fault == "values"


@pytest.mark.parametrize("content", [b"", b"\x05\0\0\0\0\0\0\0{}", b"\xff" * 40, b"\x02\0\0\0\0\0\0\0[]"])
def test_another_file_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    save_safetensors(tmp_path / "right", {"a": f32(1)})
    right = File("right", (tmp_path / "right").read_bytes())
    assert "got is no safetensors file" in goldens.compare(File("x", content), right, 0.0, 0.0).unreadable
    cut = File("cut", right.content[:-1])
    assert "expected is no safetensors file" in goldens.compare(right, cut, 0.0, 0.0).unreadable


def test_every_dtype_that_a_golden_may_have_is_read(tmp_path: Path) -> None:
    for dtype in DTYPES.values():
        values = np.array([0, 1, 1], dtype=dtype)
        header = next(name for name, each in DTYPES.items() if each == dtype)
        head = (
            f'{{"a": {{"dtype": "{header}", "shape": [3], "data_offsets": [0, {values.nbytes}]}}}}'.encode()
        )
        file = File("a", len(head).to_bytes(8, "little") + head + values.tobytes())
        assert goldens.compare(file, file, 0.0, 0.0) == Comparison(1)


def test_without_a_closing_record_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (None, b"", b'{"tensor": "a", "fault": "missing"}\n', b"nonsense"):
        monkeypatch.setattr(goldens.process, "output_of", lambda *_, answer=answer, **__: answer)
        with pytest.raises(HarnessFault):
            goldens.compare(File("a", b""), File("b", b""), 0.0, 0.0)
