"""Where a command's runs take place: their scratch, and the server that warm ones are forked from.

Apart from the runner, for the server is to start before all that is imported to make runs and to read their answers.
"""

from __future__ import annotations

import os
from pathlib import Path

from ol.adapters import scratch, warm
from ol.adapters.warm import Warm
from ol.domain.errors import WrongRequest


class Site:
    """`shape` asks for "warm" or "cold", as OL_RUNNER does in the environment; warm is the default where it works."""

    def __init__(self, shape: str | None = None) -> None:
        wanted = asked(shape or os.environ.get("OL_RUNNER") or "warm")
        self._scratch = scratch.base()
        self.base = Path(self._scratch.name).resolve()
        self.server = Warm(self.base)
        self.is_warm = wanted == "warm" and warm.possible()

    def warm_up(self) -> None:
        """Have the server begin to start, so that the first run waits less; the caller does not wait at all."""
        if self.is_warm:
            self.server.start()

    def close(self) -> None:
        """Once its runs have ended: no process and no scratch is left."""
        scratch.wait_until_free(self.base)
        self.server.close()
        self._scratch.cleanup()


def asked(shape: str) -> str:
    """WrongRequest for a shape that there is not."""
    if shape not in ("warm", "cold"):
        raise WrongRequest(
            "wrong-runner", f"Runs are warm or cold, not {shape}.", "Set OL_RUNNER to one of them."
        )
    return shape
