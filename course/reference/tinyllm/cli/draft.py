"""A file that is written whole or not at all: into a draft, which takes its place in one step."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def draft_of(out: str) -> Iterator[Path]:
    """A path to write to, of the same name: by its ending a picture knows its kind. It becomes `out` at the end."""
    place = Path(out).absolute()
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as scratch:
        draft = Path(scratch, place.name)
        yield draft
        os.replace(draft, place)
