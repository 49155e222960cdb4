"""A whole `ol mutate` on L2.2's exemplar tests against as many cold pytest processes over the same tests.

Both sides meet the same sources: the reference twice, the wheats, one neutral variant (for pytest: the reference
again), and the twelve mutants; both stop at a mutant's first failure. pytest's processes run one after the other,
as a shell loop does; `ol` runs as a student types it, and once more with one child at a time.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from machine import machine
from scratch import MODULE, UNIT, catalog, ol, pytest, tests_of, tree, workspace
from sides import in_turns, told

ROUNDS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        made = workspace(scratch)
        trees = [tree(scratch, f"tree{number}", source) for number, source in enumerate(sources())]
        tests = tests_of(made)
        cost = in_turns(
            {
                "one": lambda: pytest(trees[0], tests),
                "cold": lambda: [pytest(each, tests) for each in trees],
                "ol": lambda: graded(made, scratch),
                "alone": lambda: graded(made, scratch, "-j", "1"),
            },
            ROUNDS,
        )
    one, cold, grade, alone = (cost[name] for name in ("one", "cold", "ol", "alone"))
    print(machine("click", "msgspec"))
    print(
        f"{len(trees)} cold pytest runs, plugin autoload off: {cold.wall_s:.2f} s ({cold.cpu_s:.2f} s of CPU)"
    )
    print(
        f"`ol mutate --no-cache`: {grade.wall_s:.2f} s ({grade.cpu_s:.2f} s of CPU); -j 1: {alone.wall_s:.2f} s"
    )
    print(told("faster than the cold runs", cold.wall_s / grade.wall_s, at_least=6))
    print(told("the time of one cold run", grade.wall_s / one.wall_s, at_most=2.5))
    print(f"less CPU than the cold runs: {cold.cpu_s / grade.cpu_s:.2f} ×")


def sources() -> list[str]:
    files = catalog()
    module = files.course.module(MODULE)
    reference = files.reference(UNIT)
    wheats = [wheat.sources[UNIT] for wheat in files.wheats(module)]
    return [reference] * 3 + wheats + [mutant.applied_to(reference) for mutant in files.mutants(module)]


def graded(made: Path, scratch: Path, *options: str) -> None:
    answer = ol(made, scratch, "mutate", MODULE, "--no-cache", "--plain", *options)
    if "12/12 mutants" not in answer:
        raise RuntimeError(answer)


if __name__ == "__main__":
    main()
