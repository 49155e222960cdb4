"""`ol tdd`: red, green, abandon, log, repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ol.commands.steps.own_folder import never_run
from ol.commands.steps.own_tests import Refusal, Seen, first_run
from ol.commands.steps.trial import trials
from ol.commands.steps.versions import versions
from ol.domain.code.empty import empty_tests
from ol.domain.code.identity import identify
from ol.domain.course import CourseModule
from ol.domain.errors import WorkRefused, WrongRequest
from ol.domain.journal.entry import Entry, FunctionRecord, Phase
from ol.domain.journal.gate import damaged
from ol.domain.journal.green import Open, nothing_new, why_no_green, why_not_all_pass
from ol.domain.journal.history import History, Story, story
from ol.domain.journal.log import log_lines
from ol.domain.journal.own_run import failures, told_failures
from ol.domain.journal.red import judge_red
from ol.domain.journal.seen_red import seen_red, unseen_files
from ol.domain.report import Answer, GateResult, Page, Report, Verdict
from ol.domain.telling.failure import told_as_fields
from ol.ports import Ports


def red(ports: Ports, module: CourseModule, *, ref_deps: str | None = None) -> Answer:
    """The student's tests on the present units: at least one must fail, and that is recorded."""
    seen = first_run(ports, module, ref_deps)
    if isinstance(seen, Refusal):
        return _refused(ports, module, "red", seen)
    if reason := judge_red(module.id, seen.entry, empty_tests(seen.own.files).told):
        return _refused(ports, module, "red", Refusal((reason,), seen.own.resolved.origin))
    entry = seen.record(Phase.RED)
    lines = (_red_line(entry), *told_failures(failures(seen.run.results), seen.own.listing), *_notes(seen))
    page = _page("tdd red", entry, (*lines, f"Make them pass, then `ol tdd green {module.id}`."))
    return replace(page, fields={**page.fields, "failures": told_as_fields(seen.run, seen.own.listing)})


def green(ports: Ports, module: CourseModule, *, ref_deps: str | None = None) -> Answer:
    """All pass: closes the open reds, or books what passes at once as refactor."""
    seen = first_run(ports, module, ref_deps)
    if isinstance(seen, Refusal):
        return _refused(ports, module, "green", seen)
    found = Open.of(story(seen.own.state.links), seen.entry)
    if reason := why_not_all_pass(seen.run, seen.own.listing) or why_no_green(module.id, found, seen.entry):
        told_failing = told_as_fields(seen.run, seen.own.listing)
        return _refused(ports, module, "green", Refusal((reason,), seen.own.resolved.origin, told_failing))
    if nothing_new(seen.own.state, found, seen.entry):
        told = "Nothing changed since the last green: nothing is recorded."
        return Page("tdd green", (told, *_notes(seen)))
    tried = trials(seen.own, found, seen.entry)
    if isinstance(tried, Refusal):
        return _refused(ports, module, "green", tried)
    for trial in tried:
        seen.own.record(trial.entry, trial.units)
    entry = seen.record(found.phase)
    state = ports.journal.read(module.id)
    unseen = [f"note: {reason.text} {reason.next_step}" for reason in unseen_files(state)]
    lines = (
        _green_line(entry, found, len(tried)),
        *_gone(found),
        seen_red(state).line,
        *unseen,
        *_notes(seen),
    )
    return _page("tdd green", entry, (*lines, f"Write the next test, or `ol check {module.id}`."))


def abandon(ports: Ports, module: CourseModule, tests: Sequence[str] = ()) -> Answer:
    """Drop open reds: all, or those of the tests named. WrongRequest for a name that no open red has."""
    state = ports.journal.read(module.id)
    if reason := damaged(state):
        return _refused(ports, module, "abandon", Refusal((reason,)))
    told = story(state.links)
    present = _present(ports, module, told)
    chosen = [_named(test, told, present) for test in tests] if tests else told.open
    if not chosen:
        return Page("tdd abandon", ("No red is open: nothing is recorded.",))
    entry = Entry(
        at=ports.clock.now(),
        module=module.id,
        phase=Phase.ABANDON,
        functions={history.id: FunctionRecord(history.hash) for history in chosen},
        versions={**versions(), "course": ports.catalog.course.version},
        heads=state.heads,
    )
    entry = ports.journal.append(module.id, entry, ())
    lines = tuple(f"abandoned: the red of {history.id}" for history in chosen)
    return _page("tdd abandon", entry, (*lines, "Their reds count for nothing; the tests may stay."))


def log(ports: Ports, module: CourseModule) -> Page:
    """The story so far, a line an entry."""
    state = ports.journal.read(module.id)
    fields = {"entries": len(state.links), "open": [history.id for history in story(state.links).open]}
    return Page("tdd log", log_lines(state), fields)


def repair(ports: Ports, module: CourseModule) -> Page:
    """Mend a damaged journal, and say what was done."""
    told = ports.journal.repair(module.id)
    return Page("tdd repair", told or (f"The journal of {module.id} is whole: nothing to repair.",))


def _refused(ports: Ports, module: CourseModule, verb: str, refusal: Refusal) -> Report:
    summary = f"nothing recorded: {', '.join(dict.fromkeys(reason.slug for reason in refusal.reasons))}"
    fields = {"failures": list(refusal.failures)} if refusal.failures else {}
    gate = GateResult(verb, Verdict.FAILED, summary, refusal.reasons, fields=fields)
    course = ports.catalog.course
    return Report(
        f"tdd {verb}",
        module.id,
        (gate,),
        course.version,
        ports.catalog.lock_hash,
        refusal.origin or {},
        never_run(ports, module),
    )


def _page(command: str, entry: Entry, lines: tuple[str, ...]) -> Page:
    outcomes = {id: function.outcome.value for id, function in entry.functions.items()}
    fields: dict[str, Any] = {"phase": entry.phase.value, "seq": entry.seq, "functions": outcomes}
    return Page(command, lines, fields)


def _red_line(entry: Entry) -> str:
    failed = [function for function in entry.functions.values() if function.failed]
    stubs = sum(function.cause == "stub" for function in failed)
    count = len(entry.collected)
    if count == 1:
        return f"Red recorded: the test fails{', on the stub only' if stubs else ''}."
    on_stub = f" ({stubs} on the stub only)" if stubs else ""
    return f"Red recorded: {len(failed)} of {count} tests fail{on_stub}."


def _green_line(entry: Entry, found: Open, amended: int) -> str:
    count, closed = len(entry.collected), len(found.present)
    passing = f"{count} test passes" if count == 1 else f"{count} tests pass"
    if entry.phase is Phase.REFACTOR:
        return f"Refactor recorded: {passing}, no red was open."
    edited = ", edited tests tried on the code of their red" if amended else ""
    return f"Green recorded: {passing}, {closed} open red{'' if closed == 1 else 's'} closed{edited}."


def _gone(found: Open) -> Iterator[str]:
    for history in found.gone:
        yield f"note: {history.id} is gone, and its red with it"


def _notes(seen: Seen) -> Iterator[str]:
    for id in seen.entry.functions:
        if id not in seen.entry.collected:
            yield f"note: {id} was not collected: no run of pytest sees it, as in a class with __init__"
    yield from (f"note: {remark}" for remark in seen.own.remarks)


def _present(ports: Ports, module: CourseModule, told: Story) -> Story:
    """The open reds under their tests' present names; as recorded, where the folder cannot be read."""
    try:
        folder = identify(ports.workspace.tests(module))
    except WorkRefused:
        return told
    return told.moved_to({id: FunctionRecord(hash) for id, hash in folder.functions.items()})


def _named(test: str, told: Story, present: Story) -> History:
    """The open red that a name means: a node id, or the end of one; as it was at the red, or as it is now."""
    for history in told.open:
        now = [each.id for each in present.open if each.open is history.open]
        if any(f"::{id}".endswith(f"::{test}") for id in (history.id, *now)):
            return history
    names = ", ".join(history.id for history in told.open) or "none"
    raise WrongRequest("unknown-test", f"No open red is of a test {test}.", f"Open: {names}.")
