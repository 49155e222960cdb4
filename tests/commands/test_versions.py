"""The versions that verdicts hang on."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import ol
from ol.commands.steps.versions import versions


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    """Before, and after: a process remembers them, and what stood here for a moment is nobody else's version."""
    versions.cache_clear()
    yield
    versions.cache_clear()


def test_they_are_what_is_installed() -> None:
    assert versions() == {
        "ol": ol.__version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "pytest": version("pytest"),
    }


def test_two_installed_in_one_place_are_told_apart_by_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in ("1.0", "2.0"):
        held = tmp_path / f"numpy-{number}.dist-info" / "METADATA"
        held.parent.mkdir()
        held.write_text(f"Metadata-Version: 2.1\nName: numpy\nVersion: {number}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert versions()["numpy"] == version("numpy") in ("1.0", "2.0")
