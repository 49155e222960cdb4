"""Green: all tests pass, and those that were open are still the tests that failed.

A test that was edited after its red must fail, as it is now, on the units of that red: a *trial*. One that
does is recorded as amended; one that does not was never seen failing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ol.domain.course import ModuleId
from ol.domain.journal.entry import Entry, FunctionRecord, JournalState, Link, Phase, same_to_a_run
from ol.domain.journal.history import History, Red, Story
from ol.domain.journal.own_run import told_failures
from ol.domain.report import Reason
from ol.domain.suite import Completed, Outcome
from ol.domain.telling.listing import Listing


@dataclass(frozen=True, slots=True)
class Open:
    """The open reds as a passing run finds them, under their present ids."""

    present: tuple[History, ...]
    gone: tuple[History, ...]

    @staticmethod
    def of(story: Story, now: Entry) -> Open:
        found = story.moved_to(now.functions).open
        present = tuple(history for history in found if history.id in now.collected)
        return Open(present, tuple(history for history in found if history not in present))

    @property
    def phase(self) -> Phase:
        return Phase.GREEN if self.present else Phase.REFACTOR

    def trials(self, now: Entry) -> dict[str, tuple[Link, tuple[str, ...]]]:
        """Which functions must be tried on which red: those that are not as they failed. By red."""
        groups: dict[str, tuple[Link, tuple[str, ...]]] = {}
        for history in self.present:
            red = _red(history)
            if history.hash != red.hash or red.link.entry.rests != now.rests:
                _, ids = groups.get(red.link.sha256, (red.link, ()))
                groups[red.link.sha256] = (red.link, (*ids, history.id))
        return groups


def why_not_all_pass(run: Completed, listing: Listing) -> Reason | None:
    """None when every function passed in every case, none skipped, xfailed or deselected."""
    failed = [case for case in run.results if case.outcome.broken]
    if failed:
        told = f"{len(failed)} of {_count(len(run.results), 'case')} {_do(len(failed), 'fail')}."
        step = "Make them pass, then run the command again."
        return Reason("green-failing", told, step, told_failures(failed, listing))
    unproved = [case for case in run.results if case.outcome is not Outcome.PASSED]
    if unproved:
        told = _ids(f"{case.case_id} ({case.outcome.value})" for case in unproved)
        told = f"Not every test ran and passed: {told}."
        return Reason("green-not-proved", told, "Remove the mark or the skip, then run the command again.")
    if run.deselected:
        told = f"{_count(run.deselected, 'case')} {_do(run.deselected, 'was')} left out of the run."
        return Reason("green-deselected", told, "Remove what deselects tests from your conftest.")
    return None


def why_no_green(module: ModuleId, found: Open, now: Entry) -> Reason | None:
    """Why open reds cannot be closed by a run in which all passed; None also where there are none."""
    if found.gone and not found.present:
        told = f"Every open red is gone from the tests: {_ids(history.id for history in found.gone)}."
        way = f"Bring one back; or `ol tdd abandon {module}`, then `ol tdd green {module}` books the rest."
        return Reason("green-none-left", told, way)
    flaky = [h.id for h in found.present if same_to_a_run(_red(h).link.entry, now)]
    if flaky:
        told = f"{_ids(flaky)} failed and now {_do(len(flaky), 'passes')}, though nothing changed in between."
        way = f"Find what it hangs on (a seed, an order, a file); or `{_abandon(module, flaky[0])}`."
        return Reason("green-flaky", told, way)
    return None


def nothing_new(state: JournalState, found: Open, now: Entry) -> bool:
    """Whether a passing run has nothing to book: no red is open, and all is as it was booked last."""
    last = state.last_booked
    return not found.present and last is not None and same_to_a_run(last, now)


def judge_trials(module: ModuleId, tried: Mapping[str, FunctionRecord]) -> Iterator[Reason]:
    """Nothing where every function tried fails on the units of its red; else all that do not, at once."""
    passing = [id for id, function in tried.items() if function.outcome is Outcome.PASSED]
    unable = [id for id, function in tried.items() if not function.failed and id not in passing]
    if passing:
        told = f"Edited since their red, and passing as they are now on the code of it: {_ids(passing)}."
        right = (
            f"If your code was already right: `{_abandon(module, *passing)}`, then `ol tdd green {module}`."
        )
        ways = f"{right} Else undo the edit; or `ol tdd red {module}` again."
        yield Reason("green-passes-on-red", told, ways)
    if unable:
        told = (
            f"Edited since their red, and as they are now they cannot run on the code of it: {_ids(unable)}."
        )
        ways = f"Undo the edit; or `ol tdd red {module}` again; or `{_abandon(module, *unable)}`."
        yield Reason("green-cannot-run-on-red", told, ways)


def _red(history: History) -> Red:
    assert history.open is not None
    return history.open


def _abandon(module: ModuleId, *ids: str) -> str:
    return f"ol tdd abandon {module} {' '.join(id.rpartition('::')[2] for id in ids)}"


def _ids(ids: Iterable[str], shown: int = 5) -> str:
    all_ids = list(ids)
    more = f" and {len(all_ids) - shown} more" if len(all_ids) > shown else ""
    return ", ".join(all_ids[:shown]) + more


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _do(count: int, verb: str) -> str:
    many = {"fail": ("fails", "fail"), "was": ("was", "were"), "passes": ("passes", "pass")}[verb]
    return many[0] if count == 1 else many[1]
