"""The switch as a depth: how many blocks are open in this thread."""

from __future__ import annotations

import functools
import threading
from typing import Any

_depth = threading.local()


def _open() -> int:
    return getattr(_depth, "blocks", 0)


def is_grad_enabled() -> bool:
    return _open() == 0


class no_grad:
    """A context manager that may also be put before a function."""

    def __enter__(self) -> None:
        _depth.blocks = _open() + 1

    def __exit__(self, *error: Any) -> None:
        _depth.blocks = _open() - 1

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def quiet(*args: Any, **kwargs: Any) -> Any:
            with no_grad():
                return function(*args, **kwargs)

        return quiet
