"""The time of day, from this machine."""

from __future__ import annotations

from datetime import datetime, timezone


class SystemClock:
    """`Clock` of the ports."""

    def now(self) -> datetime:
        return datetime.now(timezone.utc)
