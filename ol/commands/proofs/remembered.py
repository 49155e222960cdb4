"""Proofs of a module that holds, remembered by everything that can change one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from ol.commands.proofs.evidence import Evidence
from ol.commands.steps.versions import versions
from ol.domain.authoring import matrix_record
from ol.domain.authoring.proof_scope import scope
from ol.domain.course_report import Ruling
from ol.domain.report import Verdict
from ol.domain.suite import Budget


class _Kept(msgspec.Struct, frozen=True):
    seed: int
    rulings: dict[str, Ruling]


@dataclass(frozen=True, slots=True)
class Remembered:
    """`seed`: the one that was asked for, None where any will do. `fresh`: nothing is recalled."""

    seed: int | None = None
    fresh: bool = False

    def recall(self, evidence: Evidence) -> dict[str, Ruling] | None:
        """As they were found then. None for anything unclear, and for a matrix that is still to be written."""
        hashes = evidence.author.hashes()
        unwritten = evidence.written is not None and matrix_record.path(evidence.id) not in hashes
        content = None if self.fresh or unwritten else evidence.ports.memo.get(_key(evidence, hashes))
        try:
            kept = msgspec.json.decode(content, type=_Kept) if content else None
        except msgspec.DecodeError:
            return None
        if kept is None or self.seed not in (None, kept.seed):
            return None
        return {name: replace(ruling, remembered=True) for name, ruling in kept.rulings.items()}


def state(evidence: Evidence) -> str:
    """Under what the module as it is now is remembered: to be asked before it is proved."""
    return _key(evidence, evidence.author.hashes())


def remember(evidence: Evidence, began: str, rulings: Mapping[str, Ruling]) -> None:
    """Only where all of them hold, and no file was changed while they were tried.

    A matrix that is about to be written counts as if it stood there already.
    """
    hashes = evidence.author.hashes()
    if any(ruling.verdict is not Verdict.PASSED for ruling in rulings.values()):
        return
    if _key(evidence, hashes) != began:
        return
    path = matrix_record.path(evidence.id)
    if written := (evidence.written or {}).get(path):
        hashes = {**hashes, path: hashlib.sha256(written.encode("utf-8")).hexdigest()}
    kept = _Kept(evidence.seed, dict(rulings))
    evidence.ports.memo.put(_key(evidence, hashes), msgspec.json.encode(kept))


def _key(evidence: Evidence, hashes: Mapping[str, str]) -> str:
    """Of files, of what the whole course says, of ol itself, and of what the runs stand on."""
    course, module, author = evidence.ports.catalog.course, evidence.module, evidence.author
    closure = course.closure(module.id)
    below = {each.id for each in closure}
    made = {name: each for name, each in author.golden_records().items() if name.split("/")[0] in below}
    facts = [
        "proofs",
        module.id,
        author.harness(),
        sorted(versions().items()),
        sorted(scope(course, module, hashes).items()),
        [(each.id, each.units) for each in closure],
        (course.package, sorted(course.rungs.items()), course.policy, course.imports),
        sorted(made.items()),
        (Budget.measured(1.0), Budget.unmeasured(course.policy.unmeasured_cpu_s)),
    ]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()
