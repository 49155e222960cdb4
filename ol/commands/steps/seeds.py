"""Seeds of what is drawn afresh each time."""

from __future__ import annotations

from ol.ports import Ports

_MANY = 1 << 31


def seed_of(ports: Ports, given: int | None) -> int:
    """The one given, else one of the clock's, in microseconds: nothing can be prepared for it."""
    return int(ports.clock.now().timestamp() * 1e6) % _MANY if given is None else given
