"""How a damaged journal is mended: nothing good is lost, nothing bad is thrown away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ol.domain.journal.chain import after_common_lines, conflict_sides, is_name
from ol.domain.journal.chains import read_chains
from ol.domain.journal.line import sha256


@dataclass(frozen=True, slots=True)
class Repair:
    """`chains`: each as it is to stand (empty: gone). `aside`: what was cut off it. `told`: a line each."""

    chains: Mapping[str, bytes]
    aside: Mapping[str, bytes] = field(default_factory=dict)
    told: tuple[str, ...] = ()


def repaired(folder: str, chains: Mapping[str, bytes]) -> Repair:
    """Keep what comes before the first bad line, part a conflict into two chains, set the rest aside."""
    repair = Repair(dict(chains))
    while (name := _first_faulty(folder, repair.chains)) is not None:
        sides = conflict_sides(repair.chains[name]) if is_name(name) else None
        repair = _cut(folder, name, repair) if sides is None else _parted(name, *sides, repair)
    return repair


def mendable(folder: str, chains: Mapping[str, bytes]) -> int:
    """How many entries are left when it is mended."""
    left = read_chains(folder, repaired(folder, chains).chains)
    return sum(len(chain.lines) for chain in left.values())


def _first_faulty(folder: str, chains: Mapping[str, bytes]) -> str | None:
    return next((name for name, chain in read_chains(folder, chains).items() if chain.fault), None)


def _cut(folder: str, name: str, repair: Repair) -> Repair:
    chain = read_chains(folder, repair.chains)[name]
    assert chain.fault is not None
    content, count = repair.chains[name], len(chain.lines)
    told = (
        f"{chain.fault.file}, line {chain.fault.line} {chain.fault.text}: "
        f"the {count} {'entry' if count == 1 else 'entries'} before it kept, the rest set aside"
    )
    return replace(
        repair,
        chains={**repair.chains, name: content[: chain.good]},
        aside={**repair.aside, name: content[chain.good :] + repair.aside.get(name, b"")},
        told=(*repair.told, told),
    )


def _parted(name: str, ours: bytes, theirs: bytes, repair: Repair) -> Repair:
    """Two chains of a conflict; theirs begins where it left ours. Its name is the same when asked again."""
    fork = after_common_lines(theirs, ours)
    new = f"{name}-{sha256(fork)[:8]}"
    told = f"{name}.jsonl was a git conflict: its other side stands in {new}.jsonl now"
    return replace(repair, chains={**repair.chains, name: ours, new: fork}, told=(*repair.told, told))
