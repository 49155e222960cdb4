"""An answer as JSON, versioned, and the schema of it. `python -m ol.render.json` prints the schema."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from ol.domain.course import ModuleId
from ol.domain.errors import OlError
from ol.domain.exit_code import ExitCode
from ol.domain.report import Answer, GateResult, Page, Reason, Source, Verdict
from ol.render.clean import encodable

VERSION = 1


class GateJson(msgspec.Struct, frozen=True):
    gate: str
    verdict: Verdict
    summary: str
    cached: bool
    reasons: tuple[Reason, ...]
    notes: tuple[str, ...]
    fields: Mapping[str, Any]


class ReportJson(msgspec.Struct, frozen=True, tag="report", tag_field="kind"):
    """A verdict on work. `sources` names where each module of the closure was taken from."""

    version: int
    command: str
    module: ModuleId
    passed: bool
    exit_code: int
    last_line: str
    gates: tuple[GateJson, ...]
    sources: Mapping[ModuleId, Source]
    assisted_by: tuple[ModuleId, ...]
    unverified: tuple[ModuleId, ...]
    notes: tuple[str, ...]
    unconfined: tuple[str, ...]
    course_version: str
    lock: str


class PageJson(msgspec.Struct, frozen=True, tag="page", tag_field="kind"):
    """An answer that is no verdict."""

    version: int
    command: str
    exit_code: int
    lines: tuple[str, ...]
    fields: Mapping[str, Any]


class ErrorJson(msgspec.Struct, frozen=True, tag="error", tag_field="kind"):
    """Why there is no answer. `slug` has a page in docs/messages.md."""

    version: int
    slug: str
    message: str
    next_step: str
    exit_code: int


def told(answer: Answer) -> ReportJson | PageJson:
    if isinstance(answer, Page):
        return PageJson(VERSION, answer.command, int(answer.exit_code), answer.lines, answer.fields)
    return ReportJson(
        version=VERSION,
        command=answer.command,
        module=answer.module,
        passed=answer.passed,
        exit_code=int(answer.exit_code),
        last_line=answer.last_line,
        gates=tuple(_gate(gate) for gate in answer.gates),
        sources=answer.sources,
        assisted_by=answer.assisted_by,
        unverified=answer.unverified,
        notes=answer.notes,
        unconfined=answer.unconfined,
        course_version=answer.course_version,
        lock=answer.lock,
    )


def _gate(gate: GateResult) -> GateJson:
    shown = {name: getattr(gate, name) for name in GateJson.__struct_fields__}
    return GateJson(**shown)


def told_error(error: OlError) -> ErrorJson:
    return ErrorJson(VERSION, error.slug, error.message, error.next_step, int(error.exit_code))


def told_fault(slug: str, message: str, code: ExitCode) -> ErrorJson:
    return ErrorJson(VERSION, slug, message, "", int(code))


def encoded(told: ReportJson | PageJson | ErrorJson) -> str:
    content = msgspec.json.encode(encodable(msgspec.to_builtins(told, enc_hook=str)))
    return msgspec.json.format(content, indent=2).decode("utf-8")


def schema() -> str:
    """JSON Schema of everything that --json prints."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "What ol --json prints"}
    made = msgspec.json.schema(ReportJson | PageJson | ErrorJson)
    content = msgspec.json.encode({**head, **made}, order="sorted")
    return msgspec.json.format(content, indent=2).decode("utf-8") + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
