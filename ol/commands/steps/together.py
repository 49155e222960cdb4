"""The progress of work that goes on side by side, told as one."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ol.ports import Progress


class Silent:
    """What goes on within one part is not told."""

    def begin(self, what: str, total: int, of: str = "run") -> None: ...
    def step(self, what: str = "") -> None: ...
    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Together:
    """Steps of several threads, one at a time."""

    progress: Progress
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, what: str = "") -> None:
        with self._lock:
            self.progress.step(what)
