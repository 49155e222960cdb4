"""A file's syntax tree, or the sentence that says why it has none."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache

from ol.domain.errors import WorkRefused
from ol.domain.file import File
from ol.domain.report import Reason
from ol.domain.sentence import sentence

_MEND = "Mend that line, then run the command again."
_COMMA = re.compile(r"\d,0\d")  # `1,05`: where the comma is taken for one of a list, 05 is no number
_POINT = "A number is written with a point, 1.05, not with a comma. Then run the command again."


def parsed(file: File) -> ast.Module | Reason:
    """The tree of a Python file. WorkRefused for a file that is not UTF-8."""
    text = file.text()
    try:
        return tree_of(text)
    except SyntaxError as error:
        return _reason(file.name, error, text)


def parsed_or_refused(file: File) -> ast.Module:
    """As `parsed`, but WorkRefused for a file that does not parse."""
    found = parsed(file)
    if isinstance(found, Reason):
        raise WorkRefused(found.slug, found.text, found.next_step)
    return found


@lru_cache(maxsize=512)
def must_parse(text: str) -> None:
    """SyntaxError where it does not. A command asks it of the same texts again and again."""
    tree_of(text)


def tree_of(text: str) -> ast.Module:
    """The tree of a source text. SyntaxError is the only thing raised, whatever the text holds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is no business of ours
        try:
            return ast.parse(text)
        except ValueError as error:  # a null byte, before 3.12
            raise SyntaxError(str(error)) from error
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("it is nested too deeply") from error


def lines_of(text: str) -> list[str]:
    """The lines that Python counts: not those that only `str.splitlines` sees, as after a form feed."""
    return [line.decode("utf-8") for line in text.encode("utf-8").splitlines()]


def _reason(name: str, error: SyntaxError, text: str) -> Reason:
    line = error.lineno or 1
    lines = lines_of(text)
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    return Reason(
        "does-not-parse",
        sentence(f"{name}:{line}: this is not Python: {error.msg}"),
        _POINT if _COMMA.search(shown) and "leading zeros" in error.msg else _MEND,
        (shown,) if shown else (),
    )
