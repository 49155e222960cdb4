"""A copy of the tiny course, in a folder whose name holds a space."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.tiny_course import copied


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copied(tmp_path / "course root")
