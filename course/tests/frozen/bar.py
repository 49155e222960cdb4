"""Bars: what a trained model must reach, from the reference's own runs over several seeds."""

from __future__ import annotations

from dataclasses import dataclass

from frozen.root import course_root
from frozen.toml_file import read_toml


@dataclass(frozen=True)
class Bar:
    """A figure below `lower` or above `upper` is wrong; `mean` is what the reference reaches."""

    upper: float
    lower: float
    mean: float


def bar(module: str, name: str) -> Bar:
    """One bar of course/bars/<module>.toml, such as bar("L2.2", "corpus_perplexity")."""
    entry = read_toml(course_root() / "course" / "bars" / f"{module}.toml")[name]
    return Bar(upper=entry["upper"], lower=entry["lower"], mean=entry["mean"])
