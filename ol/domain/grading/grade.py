"""What a run on a mutant says, and the grade of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ol.domain.grading.baseline import Baseline
from ol.domain.mutation import Mutant, MutantOutcome, MutantResult, MutationScore
from ol.domain.suite import CaseResult, Completed, Crashed, Outcome, SuiteRun, TimedOut
from ol.domain.telling.ending import how_it_ended

_INSTEAD = "Let a test fail by an assertion instead."


def judge_mutant(mutant: Mutant, run: SuiteRun, baseline: Baseline) -> MutantResult:
    """Killed by a baseline case that failed in setup or call; survived when all passed; else inconclusive."""
    if killers := killers_in(run.results, baseline):
        return MutantResult(mutant, MutantOutcome.KILLED, killers)
    if isinstance(run, Crashed):
        return _ended_early(mutant, run)
    if reason := _why_open(run, baseline):
        return MutantResult(mutant, MutantOutcome.INCONCLUSIVE, reason=reason)
    return MutantResult(mutant, MutantOutcome.SURVIVED)


def killers_in(results: Sequence[CaseResult], baseline: Baseline) -> tuple[str, ...]:
    """What a crash or a time-out does later takes no kill back."""
    known = set(baseline.cases)
    return tuple(case.case_id for case in results if case.case_id in known and case.failed)


def remaining(run: SuiteRun, baseline: Baseline) -> tuple[str, ...]:
    """After a crash or an early exit, not a time-out: the baseline cases that have not been tried."""
    if not isinstance(run, Crashed) or isinstance(run.exit, TimedOut):
        return ()
    gone = {case.case_id for case in run.results} | {run.running}
    return tuple(case for case in baseline.cases if case not in gone) if gone != {None} else ()


def credited(mutant: Mutant) -> MutantResult:
    """A retired mutant counts as killed: an update never lowers a grade."""
    return MutantResult(mutant, MutantOutcome.KILLED, reason=f"retired: {mutant.retired}")


@dataclass(frozen=True, slots=True)
class Grade:
    """All mutants of a module, judged, in the mutants file's order: worst first.

    A threshold of 0 is none: then the figures are practice, and nothing hangs on them.
    """

    results: tuple[MutantResult, ...]
    threshold: float

    @property
    def score(self) -> MutationScore:
        return MutationScore.of(self.results)

    @property
    def alive(self) -> tuple[MutantResult, ...]:
        """What is not killed, required ones first."""
        open_ = [result for result in self.results if result.outcome is not MutantOutcome.KILLED]
        return tuple(sorted(open_, key=lambda result: not result.mutant.required))

    @property
    def required_alive(self) -> tuple[MutantResult, ...]:
        return tuple(result for result in self.alive if result.mutant.required)

    @property
    def practice(self) -> bool:
        return self.threshold == 0

    @property
    def reached(self) -> bool:
        """Whether enough are killed; on no mutants nothing is reached."""
        return bool(self.results) and self.score.value >= self.threshold - 1e-9

    @property
    def passed(self) -> bool:
        """The threshold reached and every required mutant killed; practice, where anything was tried."""
        return self.reached and (self.practice or not self.required_alive)

    @property
    def summary(self) -> str:
        """`11/12 mutants (0.92 ≥ 0.70), s01 killed`."""
        score = self.score
        if self.practice:
            return f"{score.killed}/{score.all} mutants, for practice"
        sign = "≥" if self.reached else "<"
        line = f"{score.killed}/{score.all} mutants ({score.value:.2f} {sign} {self.threshold:.2f})"
        required = [result for result in self.results if result.mutant.required]
        return ", ".join([line, *(f"{result.mutant.id} {result.outcome.value}" for result in required)])


def _ended_early(mutant: Mutant, run: Crashed) -> MutantResult:
    if isinstance(run.exit, TimedOut) and mutant.may_hang:
        return MutantResult(mutant, MutantOutcome.KILLED, (run.running,) if run.running else ())
    return MutantResult(mutant, MutantOutcome.INCONCLUSIVE, reason=f"{how_it_ended(run)}. {_INSTEAD}")


def _why_open(run: Completed, baseline: Baseline) -> str:
    """Empty when every baseline case passed."""
    if run.collection_errors:
        return f"{run.collection_errors[0].file} could not be imported. {_INSTEAD}"
    outcomes = {case.case_id: case.outcome for case in run.results}
    for case in baseline.cases:
        outcome = outcomes.get(case, Outcome.NOT_RUN)
        if outcome is not Outcome.PASSED:
            told = "failed only in teardown" if outcome is Outcome.ERROR else f"was {outcome.value}"
            return f"{case} passed on the reference and {told} here. {_INSTEAD}"
    return ""
