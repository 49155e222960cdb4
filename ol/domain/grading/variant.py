"""Correct code that a student's tests must pass before any fault is tried on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """`kind`: reference, wheat or neutral; `name` is how a message calls it; `sources` are by dotted name."""

    kind: str
    name: str
    sources: Mapping[str, str]
    shuffled: bool = False
