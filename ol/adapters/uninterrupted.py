"""Work that Ctrl-C does not cut in two: it is heard when the work is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """For short work on files, as a block or a decorator. Other threads never hear Ctrl-C in the first place."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if heard:
            signal.raise_signal(signal.SIGINT)  # to whoever listened before
