"""How many children run at once."""

from __future__ import annotations

import os


def jobs_of(given: int | None) -> int:
    """The number given, else one more than there are cores: no core idles while the next run is being written."""
    return given or (os.cpu_count() or 1) + 1
