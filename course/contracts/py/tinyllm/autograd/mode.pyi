"""Whether ops are recorded for backward: one switch for each thread, on at first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

def is_grad_enabled() -> bool:
    """True when ops in this thread are recorded: always, but inside no_grad()."""
    ...

@contextmanager
def no_grad() -> Iterator[None]:
    """Inside, ops give constants: no graph is kept and nothing requires a gradient.

    A context manager (`with no_grad():`) and a decorator (`@no_grad()`). It nests, it holds for the calling
    thread only, and at the end, an exception included, it restores what was before: not always recording.
    Source: torch.no_grad.
    """
    ...
