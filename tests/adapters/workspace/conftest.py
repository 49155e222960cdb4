"""A workspace of one module, in a folder whose name holds a space."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from tests.adapters.workspace.on_disk import A1
from tests.fakes import Desk


@pytest.fixture
def workspace(tmp_path: Path) -> WorkspaceFiles:
    root = tmp_path / "a workspace"
    root.mkdir()
    return WorkspaceFiles(root, Desk.of(A1).catalog.course, Settings(root / ".ol"))
