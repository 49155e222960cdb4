"""Course tests of L0.6, saves of safetensors files: what fails leaves the old file, what succeeds replaces it.

The ids s01 .. s25 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import assert_equal
from tinyllm.io.safetensors import load_safetensors, save_safetensors

HAND = {"n": np.array(3, np.uint8), "w": np.array([1.5, -2.0], np.float32)}


class Broken:
    """Something whose values cannot be had."""

    def __array__(self, *args: Any, **options: Any) -> NDArray[Any]:
        raise RuntimeError("these values cannot be had")


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    """What cannot be stored is refused, the old file stays, and nothing is left beside it. Catches s21.

    A run that is killed while it saves must not lose yesterday's weights.
    """
    save_safetensors(tmp_path / "a", HAND)
    old, one = (tmp_path / "a").read_bytes(), np.ones(1)
    cases: list[tuple[Any, Any]] = [
        ({"x": one, "y": np.array([1j])}, None),
        ({"x": np.array(["text"])}, None),
        ({"x": np.array([object()])}, None),
        ({"__metadata__": one}, None),
        ({1: one}, None),
        ({"x": one}, {"step": 3}),
        ({"x": one}, {3: "step"}),
    ]
    for tensors, metadata in cases:
        with pytest.raises(ValueError):
            save_safetensors(tmp_path / "a", tensors, metadata)
    with pytest.raises(RuntimeError):
        save_safetensors(tmp_path / "a", {"w": one, "x": Broken()})  # type: ignore[dict-item]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == old


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    """A save makes a new file and puts it in the old one's place: whoever has the old one open keeps it.

    A second name of the old file still leads to the old bytes. Catches s03, which writes over it.
    """
    save_safetensors(tmp_path / "a", HAND)
    old = (tmp_path / "a").read_bytes()
    os.link(tmp_path / "a", tmp_path / "second")
    save_safetensors(tmp_path / "a", {"w": np.zeros(5)})
    assert (tmp_path / "second").read_bytes() == old, "the old file was written over"
    loaded = load_safetensors(tmp_path / "a")
    assert list(loaded) == ["w"]
    assert_equal(loaded["w"], np.zeros(5), of="w")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "second"]
