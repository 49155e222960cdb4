"""The versions that can change a verdict: they are part of every cache key and of every journal entry."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ol import __version__


@lru_cache(maxsize=1)
def versions() -> Mapping[str, str]:
    """Of ol, Python, numpy and pytest, by those names."""
    return {
        "ol": __version__,
        "python": platform.python_version(),
        "numpy": _installed("numpy"),
        "pytest": _installed("pytest"),
    }


def _installed(name: str) -> str:
    """From the name of the folder that every installer leaves, `numpy-2.1.0.dist-info`; else from what it holds.

    Reading it there takes ten times as long, a tenth of a whole `ol status`.
    """
    for place in map(Path, sys.path):
        found = [path.stem.removeprefix(f"{name}-") for path in place.glob(f"{name}-*.dist-info")]
        if len(found) == 1:
            return found[0]
        if found:
            break
    from importlib.metadata import version

    return version(name)
