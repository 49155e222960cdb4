"""The blanks gate: the values that a student worked out by hand, compared with the reference's.

What is filled in is read, never run. What is right comes from the course's answers, run where no student code is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ol.commands.steps.own_folder import own_files, own_folder
from ol.commands.steps.passing import course_run, key
from ol.commands.steps.sources import reference_closure
from ol.domain.course import Blank, CourseModule
from ol.domain.errors import CourseWrong, WorkRefused
from ol.domain.grading.answers import answered, answers_test, path, why_unanswered
from ol.domain.grading.blanks import NAME, Filling, fillings, why_unread, wrong
from ol.domain.grading.literal import Value, agree
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Ports


def blanks_gate(ports: Ports, module: CourseModule, cached: bool = False) -> GateResult:
    """NotReady without a test folder; WorkRefused for one that cannot be read."""
    found = fillings(own_files(ports, module), module.blanks)
    known = _key(ports, module, found)
    if cached and known and ports.memo.get(known) is not None:
        return GateResult(NAME, Verdict.PASSED, _summary(len(found), found), cached=True)
    gate = _judged(ports, module, found)
    if known and gate.verdict is Verdict.PASSED:
        ports.memo.put(known, b"")
    return gate


def blanks_left(ports: Ports, module: CourseModule) -> tuple[Filling, ...]:
    """Those that are as they were handed out; none where there is no test folder, or none that can be read."""
    try:
        found = fillings(ports.workspace.tests(module), module.blanks)
    except WorkRefused:
        return ()
    return tuple(each for each in found if each.open)


def known_right(ports: Ports, module: CourseModule) -> bool:
    """Whether these values, as they are filled in now, are remembered as right: nothing is run."""
    try:
        known = _key(ports, module, fillings(ports.workspace.tests(module), module.blanks))
    except WorkRefused:
        return False
    return bool(known) and ports.memo.get(known) is not None


def unfilled(ports: Ports, module: CourseModule) -> tuple[str, ...]:
    """A line that names those that are as they were handed out; nothing where none is."""
    if not (left := blanks_left(ports, module)):
        return ()
    names = ", ".join(each.blank.name for each in left)
    are = "blank is" if len(module.blanks) == 1 else "blanks are" if len(left) > 1 else "blanks is"
    folder = own_folder(ports, module)
    return (f"{len(left)} of {len(module.blanks)} {are} not filled yet: {names}, in {folder}/",)


def _judged(ports: Ports, module: CourseModule, found: Sequence[Filling]) -> GateResult:
    """The answers are computed only where there is something to compare with them."""
    folder = own_folder(ports, module)
    unread = {each.blank: reason for each in found if (reason := why_unread(each, folder))}
    asked = _right(ports, module) if len(unread) < len(found) else {}
    reasons = dict(unread)
    for each in found:
        value = each.value
        if each.blank not in unread and value is not None and not agree(value, asked[each.blank], each.blank):
            reasons[each.blank] = wrong(each, asked[each.blank], folder)
    return GateResult(
        NAME,
        Verdict.FAILED if reasons else Verdict.PASSED,
        _summary(len(found) - len(reasons), found),
        tuple(_once(reasons[each.blank] for each in found if each.blank in reasons)),
        fields={"blanks": [_field(each, reasons) for each in found]},
    )


def _once(reasons: Iterable[Reason]) -> Iterator[Reason]:
    """The same step to take is told once."""
    told: set[str] = set()
    for reason in reasons:
        yield replace(reason, next_step="") if reason.slug in told else reason
        told.add(reason.slug)


def _right(ports: Ports, module: CourseModule) -> dict[Blank, Value]:
    """What the course's answers give on the reference."""
    file = ports.catalog.answers(module)
    assert file is not None, "a module that declares blanks has a file of answers, or is wrong"
    units = reference_closure(ports, module)
    run = course_run(ports, module, units, (answers_test(file, module.blanks),))
    values: dict[Blank, Value] = {}
    for blank in module.blanks:
        value = answered(run, blank)
        if value is None:
            told = f"{path(module.id)}: {blank.answer} on the reference {why_unanswered(run, blank)}."
            raise CourseWrong("answer-fails", told, f"`ol verify {module.id}` tells it of every answer.")
        values[blank] = value
    return values


def _summary(right: int, found: Sequence[Filling]) -> str:
    return f"{right}/{len(found)} blanks"


def _field(filling: Filling, reasons: Mapping[Blank, Reason]) -> dict[str, str]:
    reason = reasons.get(filling.blank)
    return {"name": filling.blank.name, "state": reason.slug if reason else "right"}


def _key(ports: Ports, module: CourseModule, found: Sequence[Filling]) -> str:
    """Of what is filled in, and of all that the right values hang on; empty where nothing may be remembered."""
    filled = repr([(each.blank, each.value) for each in found])
    of = f"{NAME} {hashlib.sha256(filled.encode('utf-8')).hexdigest()}"
    return key(ports, module, reference_closure(ports, module), of)
