"""A bar as `course/bars/<ID>.toml` has it: the reference's figures, and the bounds that follow from them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from ol.domain.authoring import toml_text
from ol.domain.course import Bar, ModuleId
from ol.domain.report import Reason

_SPREAD = 3  # standard deviations from the mean to the upper bound


@dataclass(frozen=True, slots=True)
class BarRecord:
    """One figure a seed; `sd` is the sample's; `lower` is a floor that no honest model goes below.

    Without seeds the one figure is exact, and both bounds are it.
    """

    recipe: str
    seeds: tuple[int, ...]
    figures: tuple[float, ...]
    mean: float
    sd: float
    upper: float
    lower: float

    @staticmethod
    def of(recipe: str, seeds: Sequence[int], figures: Sequence[float], lower: float) -> BarRecord:
        mean, sd = statistics.fmean(figures), statistics.stdev(figures)
        return BarRecord(recipe, tuple(seeds), tuple(figures), mean, sd, mean + _SPREAD * sd, lower)

    @staticmethod
    def exact(recipe: str, figure: float) -> BarRecord:
        return BarRecord(recipe, (), (figure,), figure, 0.0, figure, figure)

    @property
    def told(self) -> str:
        figures = " ".join(f"{figure:.4f}" for figure in self.figures)
        names = ("mean", "sd", "upper", "lower")
        return f"{figures}; " + ", ".join(f"{name} {getattr(self, name):.4f}" for name in names)


def path(module: ModuleId) -> str:
    return f"course/bars/{module}.toml"


def bars_text(module: ModuleId, records: Mapping[str, BarRecord]) -> str:
    head = f"# Written by `ol calibrate {module}`; upper is the mean plus {_SPREAD} sd of the figures."
    tables = [toml_text.table(name, asdict(record)) for name, record in records.items()]
    return "\n".join([head, "", *tables])


def bar_faults(module: ModuleId, bar: Bar, record: BarRecord | None) -> Iterator[Reason]:
    """Why a bar is not what `ol calibrate` would have written for its declaration."""
    step = f"Run `ol calibrate {module}`."
    if record is None:
        told = f"{path(module)} has no bar {bar.name}, which the manifest declares."
        yield Reason("bar-missing", told, step)
        return
    if not bar.seeds:
        if record != BarRecord.exact(record.recipe, record.mean):
            yield _wrong(module, bar, "it is exact, and not one figure alone", step)
        return
    if record.seeds != bar.seeds or len(record.figures) != len(bar.seeds) or len(bar.seeds) < 2:
        told = f"{len(record.figures)} figures of the seeds {list(record.seeds)}"
        told += f", where the manifest declares {list(bar.seeds)}"
        yield _wrong(module, bar, told, step)
        return
    right = BarRecord.of(record.recipe, bar.seeds, record.figures, record.lower)
    for field in ("mean", "sd", "upper"):
        found, due = getattr(record, field), getattr(right, field)
        if not math.isclose(found, due, rel_tol=1e-9):
            yield _wrong(module, bar, f"{field} is {found}, and the figures give {due}", step)
    if not record.lower < min(record.figures):
        told = f"lower is {record.lower}, and the reference itself reaches {min(record.figures)}"
        yield _wrong(module, bar, told, "Give the calibration a floor that no honest model goes below.")


def _wrong(module: ModuleId, bar: Bar, told: str, step: str) -> Reason:
    return Reason("bar-inconsistent", f"{path(module)}, {bar.name}: {told}.", step)
