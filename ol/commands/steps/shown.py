"""A path as the student knows it."""

from __future__ import annotations

from pathlib import Path

from ol.ports import Ports


def shown(ports: Ports, path: Path) -> str:
    """`python/tinyllm/lm/nplm.py`: below the workspace, where it lies there."""
    root = ports.workspace.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
