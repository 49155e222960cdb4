"""Has the course's judge look at what a milestone's steps left, in a trusted child without student code."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ol.adapters import process
from ol.adapters.scratch import inside
from ol.domain.errors import HarnessFault, WorkRefused
from ol.domain.file import File
from ol.domain.milestone.judged import Judgement, Work

_PROGRAM = Path(__file__).resolve().parents[1] / "child" / "judge.py"
LIMIT_S = 120.0


class _Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    judged: int


def judged(root: Path, program: str, work: Work, calls: Sequence[str]) -> tuple[Judgement, ...]:
    """One judgement for each call.

    WorkRefused when what was saved keeps the child busy over its limit; HarnessFault when it gives no whole answer.
    """
    with tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True) as made:
        folder = Path(made).resolve()
        _lay_out(folder / "files", work.files)
        _lay_out(folder / "reference", work.reference_files)
        asked = folder / "asked.json"
        asked.write_text(json.dumps(_asked(root, program, folder, work, calls)), encoding="utf-8")
        answer = _answer(asked, work)
    return _judgements(answer, len(calls), program)


def _answer(asked: Path, work: Work) -> bytes | None:
    """The course's judge takes seconds over a model of the right size: `ol verify` has it judge the reference's."""
    program, folder = process.isolated(_PROGRAM, [str(asked)]), asked.parent
    try:
        return process.output_in_time(program, folder=folder, environment=process.hermetic(), limit_s=LIMIT_S)
    except TimeoutError as late:
        saved = sum(len(file.content) for file in work.files) / 1e6
        told = f"What your commands saved, {saved:.3g} MB, kept the judge busy for {LIMIT_S:g} s, and it was ended."
        step = "Save what the contract lists and no more: tensors of its names, shapes and sizes."
        raise WorkRefused("judge-late", told, step) from late


def _lay_out(folder: Path, files: Sequence[File]) -> None:
    folder.mkdir()
    for file in files:
        path = folder / inside(file.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def _asked(root: Path, program: str, folder: Path, work: Work, calls: Sequence[str]) -> dict[str, Any]:
    return {
        "root": str(root),
        "program": program,
        "folder": str(folder),
        "words": dict(work.words),
        "said": {step: dict(fields) for step, fields in work.said.items()},
        "reference_said": {step: dict(fields) for step, fields in work.reference_said.items()},
        "calls": list(calls),
    }


def _judgements(answer: bytes | None, number: int, program: str) -> tuple[Judgement, ...]:
    """The records, and the closing one, without which there is no answer."""
    try:
        *records, closing = (answer or b"").splitlines()
        found = tuple(msgspec.json.decode(record, type=Judgement) for record in records)
        if not msgspec.json.decode(closing, type=_Closing).judged == len(found) == number:
            raise ValueError(f"{len(found)} judgements of {number}")
    except (ValueError, msgspec.DecodeError) as error:
        told = f"{program} gave no answer on what the steps left."
        raise HarnessFault(
            "judge-failed", told, "Run the command again; if it stays so, report it."
        ) from error
    return found
