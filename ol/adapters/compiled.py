"""Units compiled once per command rather than once per run. Each run is still sent nothing but its own.

Compiling executes nothing. A unit that does not compile travels as text: its child says why.
"""

from __future__ import annotations

import marshal
import threading
import warnings
from collections.abc import Mapping
from functools import lru_cache

_alone = threading.Lock()  # warnings are silenced for the whole process


def units(sources: Mapping[str, str]) -> dict[str, bytes | str]:
    """By dotted name: the code, marshalled, or the text."""
    return {name: _code(name, text) or text for name, text in sources.items()}


@lru_cache(maxsize=512)
def _code(name: str, text: str) -> bytes:
    """Empty where the text does not compile. Assertions are kept however `ol` itself was started."""
    try:
        with _alone, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, f"<{name}>", "exec", dont_inherit=True, optimize=0)
        return marshal.dumps(code)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return b""
