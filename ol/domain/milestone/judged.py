"""What the judge, frozen code in a process without student code, says of what the steps left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ol.domain.file import File


@dataclass(frozen=True, slots=True)
class Work:
    """What came of the steps: files by name, the last lines by step, and the words that stood for placeholders."""

    files: tuple[File, ...]
    said: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, str]
    reference_files: tuple[File, ...] = ()
    reference_said: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of one call: a figure, or nothing where a claim holds; `wrong` says what does not, `raised` what broke."""

    figure: float | None = None
    wrong: str = ""
    raised: str = ""

    @property
    def against(self) -> str:
        """Why a claim does not hold; empty where it does."""
        return self.wrong or self.raised
