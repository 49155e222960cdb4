"""ol's own sources as one hash: what a proof by this very ol is remembered under, whatever it calls its version."""

from __future__ import annotations

import hashlib
from pathlib import Path

_OL = Path(__file__).resolve().parents[1]


def own_sources(folder: Path = _OL) -> str:
    """The sha256 of every source file below `folder`, with its name."""
    seal = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        seal.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        seal.update(hashlib.sha256(path.read_bytes()).digest())
    return seal.hexdigest()
