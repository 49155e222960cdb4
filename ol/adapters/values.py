"""Compares what probes handed out, in a trusted child where the code of neither side runs."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ol.adapters import process
from ol.domain.errors import HarnessFault
from ol.domain.grading.values import Difference, Pair

_PROGRAM = Path(__file__).resolve().parents[1] / "child" / "values.py"


class _Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    compared: int


class TrustedValues:
    """`Values` of the ports. The bytes are handed on unread; the child is told nothing but them."""

    def compare(self, pairs: Sequence[Pair]) -> tuple[Difference, ...]:
        """One answer for each pair. HarnessFault when the child gives no whole answer."""
        if not pairs:
            return ()
        with tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True) as made:
            folder = Path(made)
            for number, pair in enumerate(pairs):
                (folder / f"{number}.got").write_bytes(pair.got)
                (folder / f"{number}.expected").write_bytes(pair.expected)
            asked = [[pair.probe.rtol, pair.probe.atol, pair.probe.margin] for pair in pairs]
            (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
            answer = process.compared(_PROGRAM, [str(folder)], folder=folder)
        return _differences(answer, len(pairs))


def _differences(answer: bytes | None, number: int) -> tuple[Difference, ...]:
    """The records, and the closing one, without which there is no answer."""
    try:
        *records, closing = (answer or b"").splitlines()
        found = tuple(msgspec.json.decode(record, type=Difference) for record in records)
        closed = msgspec.json.decode(closing, type=_Closing)
        if not closed.compared == len(found) == number:
            raise ValueError(f"{len(found)} records of {number}")
    except (ValueError, msgspec.DecodeError) as error:
        told = "The comparison of the probes' values gave no answer."
        raise HarnessFault(
            "values-failed", told, "Run the command again; if it stays so, report it."
        ) from error
    return found
