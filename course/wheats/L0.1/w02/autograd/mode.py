"""One set of the threads that record nothing, guarded by a lock."""

from __future__ import annotations

import threading
from contextlib import contextmanager

_quiet: set[int] = set()
_guard = threading.Lock()


def is_grad_enabled():
    return threading.get_ident() not in _quiet


def _switch(on):
    with _guard:
        (_quiet.discard if on else _quiet.add)(threading.get_ident())


@contextmanager
def no_grad():
    was_on = is_grad_enabled()
    _switch(False)
    try:
        yield
    finally:
        _switch(was_on)
