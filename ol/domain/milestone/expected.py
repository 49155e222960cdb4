"""What was expected of a step, and what came: a reason for everything that is not so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ol.domain.milestone.milestone import Metric, Step
from ol.domain.milestone.played import Limits, StepRun
from ol.domain.report import Reason

Said = Mapping[str, Mapping[str, Any]]  # the last lines so far, by step

_SHOWN = 160  # characters of a line that somebody else wrote


def faults(step: Step, run: StepRun, left: Collection[str], said: Said) -> Iterator[Reason]:
    """None where the step did what it should. `left`: those of its files that are there."""
    if (early := _ended_wrong(step, run)) is not None:
        yield early
        return
    fields = run.fields
    if step.code != 0:
        return  # a refusal has no last line
    if fields is None:
        told = f"the last line of standard output is {_quoted(run.last_line)}, expected one JSON object"
        step_on = "Print json.dumps(…) last of all, and everything else to standard error."
        yield _reason("step-last-line", step, told, step_on)
        return
    for metric in step.metrics:
        yield from _of_metric(step, metric, fields)
    for name in step.files:
        if name not in left:
            yield _reason("step-file", step, f"it left no file {name}", "Write it where --out says.")
    yield from _of_ids(step, fields, said)


def _ended_wrong(step: Step, run: StepRun) -> Reason | None:
    if run.bound == "output":
        told = "it was ended, for it said more than 8 MB"
        return _reason("step-output", step, told, "Say less while it works: a line every few seconds.")
    if run.bound:
        limits = Limits.of(step.limit_s)
        limit = f"{limits.cpu_s:.4g} s of CPU time" if run.bound == "cpu" else f"{limits.wall_s:.4g} s"
        told = f"it was ended, still running at its limit of {limit}{_where(run)}"
        return _reason("step-late", step, told, "Look for a loop that never ends, or for work done twice.")
    if run.code != step.code:
        how = f"signal {-run.code}" if run.code < 0 else f"exit code {run.code}"
        last = run.stderr.strip().splitlines()[-1:] or ["nothing on standard error"]
        told = f"it ended with {how}, expected exit code {step.code}: {_cut(last[0])}"
        return _reason("step-exit", step, told, "Run it yourself; its log has all that it said.")
    if step.code != 0 and "Traceback (most recent call last)" in run.stderr:
        told = "it ended with a traceback, expected one sentence on standard error"
        return _reason("step-traceback", step, told, "Catch what a wrong file raises, and say what is wrong.")
    return None


def _where(run: StepRun) -> str:
    """The innermost line of the student's own, where it is known."""
    own = [frame for frame in run.stuck if "/" in frame.file or frame.file.endswith("__main__.py")]
    return f", in {own[-1].file}, line {own[-1].line}" if own else ""


def _of_metric(step: Step, metric: Metric, fields: Mapping[str, Any]) -> Iterator[Reason]:
    if metric.name not in fields:
        told = f"its last line has no field {metric.name!r}"
        yield _reason("step-field", step, told, "The contract lists the fields of each command.")
        return
    value = fields[metric.name]
    if metric.equals is not None and (value != metric.equals or isinstance(value, bool)):
        yield _field(step, metric, value, f"{metric.equals!r}")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if metric.at_least is not None and not (is_number and value >= metric.at_least):
        yield _field(step, metric, value, f"at least {metric.at_least}")
    if metric.at_most is not None and not (is_number and value <= metric.at_most):
        yield _field(step, metric, value, f"at most {metric.at_most}")


def _of_ids(step: Step, fields: Mapping[str, Any], said: Said) -> Iterator[Reason]:
    if (step.like or step.unlike) and not isinstance(fields.get("ids"), list):
        told = "its last line has no list 'ids'"
        yield _reason("step-field", step, told, "The contract lists the fields of each command.")
        return
    for other, same in ((step.like, True), (step.unlike, False)):
        if other and other in said and (fields.get("ids") == said[other].get("ids")) is not same:
            came = "other ids than" if same else "the same ids as"
            told = f"{came} `{other}`, expected {'the same' if same else 'others'}"
            cure = "Draw from the seed alone, by a generator made anew for each command."
            yield _reason("step-ids", step, told, cure)


def _field(step: Step, metric: Metric, value: object, expected: str) -> Reason:
    told = f"{metric.name} is {_cut(repr(value))}, expected {expected}"
    return _reason("step-field", step, told, "The contract says what each field holds.")


def _reason(slug: str, step: Step, told: str, cure: str) -> Reason:
    return Reason(slug, f"{step.name}: {told}", cure)


def _quoted(line: str) -> str:
    return f"`{_cut(line)}`" if line else "empty"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
