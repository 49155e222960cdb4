"""The raw facts of a failure, bounded in size: what was raised, where, and what it said. No conclusions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from traceback import walk_tb
from typing import Any, TypeAlias

import pytest
from _pytest.config import ConftestImportFailure  # it has no public name

Facts: TypeAlias = dict[str, Any]

MESSAGE_CHARS = 8_000
FRAMES = 30
_OUTER_FRAMES = 10
_BASES = 20
_PROPERTIES = 50
_BYTES = 2 << 20  # of one property that is bytes: what a probe may hand out is less
_SENTENCE_CHARS = 500
_UNTOLD = ("<frozen importlib", str(Path(__file__).parent))  # an import's way through Python and the overlay


def of(error: BaseException, tests: Path) -> Facts:
    """The facts of an exception; what pytest wraps around a failed import is taken off."""
    while isinstance(error, (pytest.Collector.CollectError, ConftestImportFailure)) and error.__cause__:
        error = error.__cause__
    return {
        "exception": qualified(type(error)),
        "bases": [qualified(base) for base in type(error).__mro__[1:-1]][:_BASES],
        "message": message(error)[:MESSAGE_CHARS],
        "frames": bounded(from_own_code(frames(error, tests))),
        "known_wrong": known_wrong(error)[:_SENTENCE_CHARS],
    }


def qualified(kind: type) -> str:
    """`ValueError`, `numpy.exceptions.AxisError`, `tests.test_nplm.Odd`."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def message(error: BaseException) -> str:
    if isinstance(error, pytest.FixtureLookupError):
        return error.msg or f"fixture {error.argname!r} not found"
    return said(error)


def known_wrong(error: BaseException) -> str:
    """The sentence that a comparison hung on its failure, where the values were known to be wrong."""
    try:
        sentence = getattr(error, "known_wrong", "")
    except Exception:
        return ""
    return sentence if type(sentence) is str else ""


def said(value: object) -> str:
    """`str(value)`; nothing from a value whose own `__str__` fails."""
    try:
        return str(value)
    except Exception:
        return ""


def frames(error: BaseException, tests: Path) -> Iterator[Facts]:
    """Outermost first. A syntax error has its own line at the end: it was never called."""
    for entry, line in walk_tb(error.__traceback__):
        if not entry.f_code.co_filename.startswith(_UNTOLD):
            yield frame(entry.f_code.co_filename, line, entry.f_code.co_name, tests)
    if isinstance(error, SyntaxError) and error.filename:
        yield frame(error.filename, error.lineno or 0, "<module>", tests)


def frame(filename: str, line: int | None, function: str, tests: Path) -> Facts:
    return {"file": place(filename, tests), "line": line or 0, "function": function}


@lru_cache(maxsize=1024)  # a way through pytest passes the same few files again and again
def place(filename: str, tests: Path) -> str:
    """`tests/test_nplm.py`, `<tinyllm.lm.nplm>`, or a library's base name: no path of this machine."""
    if filename.startswith("<"):
        return filename
    path = Path(filename)
    return f"tests/{path.relative_to(tests).as_posix()}" if path.is_relative_to(tests) else path.name


def from_own_code(all_frames: Iterable[Facts]) -> list[Facts]:
    """From the first line of a test or unit on: how pytest came there tells nothing."""
    told = list(all_frames)
    while told and not told[0]["file"].startswith(("tests/", "<")):
        del told[0]
    return told


def bounded(told: list[Facts]) -> list[Facts]:
    """The ends of a long way; a recursion repeats itself in the middle."""
    return told if len(told) <= FRAMES else told[:_OUTER_FRAMES] + told[_OUTER_FRAMES - FRAMES :]


def properties(item: pytest.Item) -> list[tuple[str, str]]:
    return [(said(name)[:200], recorded(value)) for name, value in item.user_properties[:_PROPERTIES]]


def recorded(value: object) -> str:
    """Bytes in base64, anything else as it says of itself; both bounded."""
    if type(value) is bytes:
        return b64encode(value[:_BYTES]).decode("ascii")
    return said(value)[:2_000]
