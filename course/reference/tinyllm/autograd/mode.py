"""Whether ops are recorded: a switch for each thread, on by default."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Mode(threading.local):
    recording = True


_mode = _Mode()


def is_grad_enabled() -> bool:
    """True when this thread records ops for backward."""
    return _mode.recording


@contextmanager
def no_grad() -> Iterator[None]:
    """Record nothing inside; `with no_grad():` or `@no_grad()`."""
    before = _mode.recording
    _mode.recording = False
    try:
        yield
    finally:
        _mode.recording = before
