"""How a training run is getting on, on standard error: in place on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

_EVERY_S = {True: 0.1, False: 5.0}  # on a terminal, and elsewhere


@dataclass
class Progress:
    """Told of every step; says steps, the mean loss since the last word, tokens per second, time left."""

    steps: int
    tokens_per_step: int
    done: int = 0
    _began: float = field(default_factory=time.monotonic)
    _said: float = field(default_factory=time.monotonic)
    _losses: list[float] = field(default_factory=list)

    def step(self, loss: float) -> None:
        self.done += 1
        self._losses.append(loss)
        if self.done == self.steps or time.monotonic() - self._said >= _EVERY_S[sys.stderr.isatty()]:
            self._say()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def _say(self) -> None:
        self._said = time.monotonic()
        rate = self.done / max(self.seconds, 1e-9)
        loss = sum(self._losses) / len(self._losses)
        self._losses.clear()
        line = (
            f"step {self.done:,}/{self.steps:,}  loss {loss:.4f}  "
            f"{rate * self.tokens_per_step:,.0f} tokens/s  {(self.steps - self.done) / rate:.0f} s left"
        )
        redrawn = sys.stderr.isatty()
        end = "\n" if not redrawn or self.done == self.steps else ""
        print(f"\r\x1b[K{line}" if redrawn else line, end=end, file=sys.stderr, flush=True)
