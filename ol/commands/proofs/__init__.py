"""The proofs of `ol verify`, in the order they are tried: a new one is a function and an item of a tuple."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ol.commands.proofs.bars import catching
from ol.commands.proofs.blanks import worth_working_out
from ol.commands.proofs.correct_code import passed_by_correct_code
from ol.commands.proofs.course_suite import failed_by_the_stub, listed, passed_by_the_reference
from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.exemplars import reaching_the_grade
from ol.commands.proofs.faults import killed_as_named, shown_by_witness
from ol.commands.proofs.goldens import exceeded
from ol.commands.proofs.needs_wheats import accepting_other_needs
from ol.commands.proofs.probes import telling
from ol.commands.proofs.recorded import as_recorded
from ol.commands.proofs.surface import matching, needs
from ol.commands.proofs.told import NOT_TRIED
from ol.domain.course_report import Ruling

__all__ = ["NOT_TRIED", "READ", "RUN", "Evidence", "Proof"]


class Proof(NamedTuple):
    """What it is called, what shows it of one module, and whether it stands on a reference that passes."""

    name: str
    of: Callable[[Evidence], Ruling]
    on_reference: bool = False


READ = (Proof("needs", needs), Proof("contract", matching))  # of every module
RUN = (  # of those that have course tests
    Proof("listed", listed),
    Proof("reference", passed_by_the_reference),
    Proof("stub", failed_by_the_stub),
    Proof("correct code", passed_by_correct_code, on_reference=True),
    Proof("needs' wheats", accepting_other_needs, on_reference=True),
    Proof("mutants", killed_as_named, on_reference=True),
    Proof("matrix", as_recorded, on_reference=True),
    Proof("witnesses", shown_by_witness, on_reference=True),
    Proof("probes", telling, on_reference=True),
    Proof("blanks", worth_working_out, on_reference=True),
    Proof("goldens", exceeded),
    Proof("bars", catching),
    Proof("exemplars", reaching_the_grade, on_reference=True),
)
