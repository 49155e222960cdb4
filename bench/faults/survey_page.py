"""docs/mutants.md, from what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faults.reviewed import KINDS, Reason
from faults.survey import Survey
from faults.verdict import KILLED

_HEAD = """# Faults made by rule

Written by `python bench/survey.py`. The seeded mutants of a module are what an author knows to go wrong. Here faults
are made without an author: mutmut's operators (another number, sign, comparison, argument, word) and those of numpy
code in `bench/faults/operators` (axis, keepdims, dtype, copy, transpose, broadcast, reduction, order of operands,
in-place, scatter, slice, condition, statement), each put into the reference and run against the module's course tests.

Left out by rule: what compiles to the same code once docstrings, type hints and the texts of messages are gone, what
another operator makes too, and what cannot be imported. *Killed by a value*: a test saw a wrong one, or no refusal
where one is due. *By an error*: the faulty code raised, which tests without a single assertion would see too; *by a
bound*: it never ended.

Three shares: of all faults; of those that a reader did not find to give the same as correct code; and of those that
neither raise nor hang, so that only a look at what comes out can tell.
"""


def written(surveys: Sequence[Survey], versions: str) -> str:
    """`versions`: what the faults were tried on."""
    listed = (line for each in surveys for line in _listed(each))
    return "\n".join([_HEAD, f"Tried on {versions}.\n", *_table(surveys), _kinds(), *listed, ""])


def _table(surveys: Sequence[Survey]) -> Iterator[str]:
    yield "| module | faults | by a value | by an error | by a bound | survive | of all | that differ | that run |"
    yield f"|---|{'--:|' * 8}"
    for each in surveys:
        killed = [each.count(fate) for fate in KILLED]
        shares = each.killed / each.all, each.killed / each.differing, killed[0] / each.seen
        figures = [each.all, *killed, len(each.survivors), *(f"{share:.1%}" for share in shares)]
        yield f"| {each.module} | {' | '.join(map(str, figures))} |"
    yield ""
    yield f"| survivors | {' | '.join(KINDS)} |"
    yield f"|---|{'--:|' * len(KINDS)}"
    for each in surveys:
        yield f"| {each.module} | {' | '.join(str(each.kinds(kind)) for kind in KINDS)} |"
    yield ""


def _kinds() -> str:
    return "\n".join(f"- *{kind}*: {told}" for kind, told in KINDS.items())


def _listed(survey: Survey) -> Iterator[str]:
    """Every survivor under its reason, the changes of one line together."""
    yield f"\n## {survey.module}: what survives, and why"
    found: dict[Reason, dict[str, list[str]]] = {}
    for fault in survey.survivors:
        if reason := survey.reasons.get(fault.place):
            line = f"@@ {fault.unit}:{fault.line} {fault.function}\n-{fault.before}"
            found.setdefault(reason, {}).setdefault(line, []).append(f"+{fault.after}")
    for reason, lines in found.items():
        told = reason.text[0].upper() + reason.text[1:]
        yield f"\n{told} *({reason.kind})*.\n\n```diff"
        for line, changes in lines.items():
            yield "\n".join([line, *changes])
        yield "```"
