"""Where an answer goes: text or JSON, to standard output; what went wrong, to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ol.domain.errors import OlError, WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Answer
from ol.render import text
from ol.render.clean import for_terminal
from ol.render.text import Line


@dataclass(frozen=True, slots=True)
class Output:
    """`plain`: no colour, nothing redrawn. `as_json`: one JSON object on standard output, always."""

    plain: bool = False
    as_json: bool = False

    def answer(self, answer: Answer) -> ExitCode:
        if self.as_json:
            from ol.render import json

            why_not = self._write_json(json.encoded(json.told(answer)))
        else:
            why_not = self._write(text.told(answer), sys.stdout)
        return self.untold(why_not) if why_not else answer.exit_code

    def error(self, error: OlError) -> ExitCode:
        if self.as_json:
            from ol.render import json

            self._write_json(json.encoded(json.told_error(error)))
        else:
            self._write(text.told_error(error), sys.stderr)
        return error.exit_code

    def interrupted(self) -> ExitCode:
        return self._ended("interrupted", "Interrupted.", ExitCode.INTERRUPTED)

    def fault(self, report: Path | None) -> ExitCode:
        """`report` None: there was no place to write one."""
        sent = f"please send in {report}" if report else "and no report of it could be written"
        told = f"This is a fault of ol, not of your work; {sent}."
        return self._ended("fault", told, ExitCode.HARNESS_FAULT)

    def _ended(self, slug: str, message: str, code: ExitCode) -> ExitCode:
        if self.as_json:
            from ol.render import json

            self._write_json(json.encoded(json.told_fault(slug, message, code)))
        else:
            self._write(text.told_fault(slug, message), sys.stderr)
        return code

    def untold(self, why: str) -> ExitCode:
        """What was to be said could not be: in what it should have gone to, nothing more is tried."""
        if sys.stdout is not None:
            _give_up(sys.stdout)
        step = "Mend where it goes, then run the command again."
        error = WrongRequest("cannot-write", f"The answer could not be written: {why}.", step)
        self._write(text.told_error(error), sys.stderr)
        return error.exit_code

    def _write_json(self, told: str) -> str:
        return self._write([Line(line) for line in told.split("\n")], sys.stdout, styled=False)

    def _write(self, lines: Iterable[Line], stream: TextIO | None, styled: bool = True) -> str:
        """Why it cannot be written, if so. A reader that left early (`ol tests | head`) is no fault."""
        if stream is None:  # Python's word for `ol status >&-`
            return "standard output is closed"
        try:
            _as_utf8(stream)
            if styled and not self.plain and _in_colour(stream):
                _write_styled(lines, stream)
            else:
                stream.writelines(f"{for_terminal(line.text)}\n" for line in lines)
            stream.flush()
        except OSError as error:
            _give_up(stream)
            return "" if isinstance(error, BrokenPipeError) else f"{error.strerror}"
        return ""


def _give_up(stream: TextIO) -> None:
    """What it still holds goes nowhere; Python would try to write it once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _as_utf8(stream: TextIO) -> None:
    """A pipe on Windows would refuse the dash and the signs that messages use."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
        reconfigure(encoding="utf-8", errors="replace")


def _in_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write_styled(lines: Iterable[Line], stream: TextIO) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text(for_terminal(line.text), style=line.style))
