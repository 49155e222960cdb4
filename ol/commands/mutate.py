"""`ol mutate`: grade a student's tests by the faults they catch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ol.commands.steps.blanks import blanks_gate
from ol.commands.steps.contracts import contracts
from ol.commands.steps.grading import Grading, Refused, Tried
from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.mutation_memo import recall, remember
from ol.commands.steps.own_folder import never_run, own_files, own_folder
from ol.commands.steps.seeds import seed_of
from ol.commands.steps.untampered import untampered
from ol.domain.code.empty import Empty, empty_tests
from ol.domain.code.imports import forbidden_in_tests
from ol.domain.course import CourseModule, Rung
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.grading import feedback
from ol.domain.grading.grade import Grade
from ol.domain.grading.matrix import KillMatrix
from ol.domain.grading.refusal import told
from ol.domain.mutation import MutantResult
from ol.domain.report import GateResult, Reason, Report, Verdict
from ol.domain.telling.listing import Listing, Text, texts
from ol.ports import Ports

NAME = "mutation"


@dataclass(frozen=True, slots=True)
class Options:
    """`seed` None: a new one each time. `cached`: a remembered grade will do."""

    jobs: int | None = None
    seed: int | None = None
    matrix: bool = False
    show_all: bool = False
    cached: bool = True


def mutate(ports: Ports, module: CourseModule, options: Options = Options()) -> Report:
    """The full grade: baseline, wheats, mutants, and what the survivors teach.

    Practice where the rung asks for no grade: the same runs, and nothing hangs on what they find.
    """
    if not (_rung(ports, module).graded_by_mutation or ports.catalog.mutants(module)):
        none = f"{module.id} has no mutation grade: its rung {module.rung} asks for none, and it has no faults to try."
        raise WrongRequest("no-mutation-grade", none, f"`ol check {module.id}` shows what it asks for.")
    untampered(ports, module)
    return Report(
        "mutate",
        module.id,
        (blanks_to_mend(ports, module, options.cached) or mutation_gate(ports, module, options),),
        ports.catalog.course.version,
        ports.catalog.lock_hash,
        notes=never_run(ports, module),
        unconfined=ports.runner.unconfined,
    )


def blanks_to_mend(ports: Ports, module: CourseModule, cached: bool) -> GateResult | None:
    """Blanks that are open or wrong come first: what a test with one says of correct code would give it away."""
    gate = blanks_gate(ports, module, cached) if module.blanks else None
    return None if gate is None or gate.verdict is Verdict.PASSED else gate


def mutation_gate(ports: Ports, module: CourseModule, options: Options) -> GateResult:
    """NotReady without a test folder; CourseWrong where the rung asks for a grade without mutants."""
    files = own_files(ports, module)
    mutants = ports.catalog.mutants(module)
    if not mutants:
        raise CourseWrong("no-mutants", f"{module.id} is graded by mutation and has no mutants.")
    course = ports.catalog.course
    forbidden = forbidden_in_tests(files, course.imports, course.package, contracts(ports, module))
    if forbidden:
        return GateResult(NAME, Verdict.FAILED, f"0/{len(mutants)} mutants, tests not run", forbidden)
    empty = empty_tests(files)
    if empty.alone:
        return GateResult(NAME, Verdict.FAILED, f"0/{len(mutants)} mutants, no test written", (_of(empty),))
    jobs, seed = jobs_of(options.jobs), seed_of(ports, options.seed)
    found = _graded(Grading.of(ports, module, jobs, seed, options.matrix), options)
    if not empty.names:
        return found
    if found.verdict is Verdict.PASSED:
        return replace(found, notes=(*found.notes, empty.told))
    return replace(found, reasons=(*found.reasons, _of(empty)))


def _of(empty: Empty) -> Reason:
    step = (
        "Write what its name and docstring promise: an empty test catches nothing, and counts as not written."
    )
    return Reason("tests-empty", f"{empty.told}.", step)


def _graded(grading: Grading, options: Options) -> GateResult:
    known = recall(grading) if options.cached and options.seed is None else None
    if known is not None:
        return replace(_told(grading, known[0], options, seed=known[1]), cached=True)
    tried = grading.run()
    if isinstance(tried, Refused):
        return _refused(grading, tried)
    remember(grading, tried)
    return _told(grading, tried, options, grading.seed)


def _refused(grading: Grading, found: Refused) -> GateResult:
    reason = told(found.refusal, found.variant, _listing(grading))
    total = len(grading.ports.catalog.mutants(grading.module))
    summary = f"0/{total} mutants, your tests fail on {found.variant.name}"
    fields = {"score": 0.0, "all": total, "refused": reason.slug, "seed": grading.seed}
    return GateResult(NAME, Verdict.FAILED, summary, (reason,), fields=fields)


def _told(grading: Grading, tried: Tried, options: Options, seed: int) -> GateResult:
    module = grading.module
    rung = _rung(grading.ports, module)
    grade = Grade(tried.results, rung.threshold)
    notes = (
        *feedback.notes(grade, module.id, rung),
        *feedback.slow(tried.baseline, tried.runs),
        *(_matrix(tried).lines() if options.matrix else ()),
    )
    return GateResult(
        NAME,
        Verdict.PASSED if grade.passed else Verdict.FAILED,
        grade.summary,
        feedback.reasons(grade, module.id, options.show_all),
        notes,
        fields={**_fields(grade), "seed": seed, "cases": list(tried.baseline.cases)},
    )


def _rung(ports: Ports, module: CourseModule) -> Rung:
    return ports.catalog.course.rungs[module.rung]


def _matrix(tried: Tried) -> KillMatrix:
    kills = {result.mutant.id: result.killers for result in tried.results if not result.mutant.retired}
    return KillMatrix(tried.baseline.cases, kills)


def _fields(grade: Grade) -> Mapping[str, Any]:
    score = grade.score
    return {
        "score": round(score.value, 4),
        "threshold": grade.threshold,
        "killed": score.killed,
        "survived": score.survived,
        "inconclusive": score.inconclusive,
        "all": score.all,
        "mutants": [_mutant(result) for result in grade.results],
    }


def _mutant(result: MutantResult) -> Mapping[str, Any]:
    return {
        "id": result.mutant.id,
        "required": result.mutant.required,
        "outcome": result.outcome.value,
        "killers": list(result.killers),
        "reason": result.reason,
    }


def _listing(grading: Grading) -> Listing:
    """The student's own test lines; of correct code, its names and no line."""
    folder = own_folder(grading.ports, grading.module)
    units = {dotted: Text(f"the reference's {dotted}", "") for dotted in grading.sources}
    return Listing(units, texts(folder, grading.tests))
