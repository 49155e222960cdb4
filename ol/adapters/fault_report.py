"""A file with what a maintainer needs of a fault of `ol` itself."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from ol import __version__


def written(arguments: Sequence[str]) -> Path | None:
    """Of the exception now handled; None where no file can be written."""
    told = (
        f"ol {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"arguments: {list(arguments)}",
        traceback.format_exc(),
    )
    try:
        handle, name = tempfile.mkstemp(prefix="ol-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("\n".join(told))
    except OSError:
        return None
    return Path(name)
