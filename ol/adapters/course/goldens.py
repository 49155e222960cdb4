"""Golden files: whether torch is here to make them, and comparing two of them in a trusted child."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

import msgspec

from ol.adapters import process
from ol.domain.authoring.golden import Comparison, Difference
from ol.domain.errors import HarnessFault
from ol.domain.file import File

COMPARE = Path(__file__).resolve().parents[2] / "child" / "compare.py"


class _Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tensors: int
    unreadable: str = ""


def has_torch() -> bool:
    """Whether the `oracle` extra is installed; torch itself is imported by its programs alone."""
    return all(importlib.util.find_spec(name) is not None for name in ("torch", "safetensors"))


def compare(got: File, expected: File, rtol: float, atol: float) -> Comparison:
    """Tensor by tensor, from copies in scratch. HarnessFault when the child gives no whole answer."""
    with tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        for name, file in (("got", got), ("expected", expected)):
            (folder / name).write_bytes(file.content)
        asked = [str(folder / "got"), str(folder / "expected"), repr(rtol), repr(atol)]
        answer = process.compared(COMPARE, asked, folder=folder)
    return _comparison(answer)


def _comparison(answer: bytes | None) -> Comparison:
    """The records, and the closing one, without which there is no answer."""
    try:
        *differing, closing = (answer or b"").splitlines()
        found = tuple(msgspec.json.decode(record, type=Difference) for record in differing)
        closed = msgspec.json.decode(closing, type=_Closing)
    except (ValueError, msgspec.DecodeError) as error:
        told = "The comparison of two golden files gave no answer."
        step = "Run the command again; if it stays so, please send in the golden file."
        raise HarnessFault("comparison-failed", told, step) from error
    return Comparison(closed.tensors, found, closed.unreadable)
