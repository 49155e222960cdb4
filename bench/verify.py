"""What an author and CI wait for: `ol verify` on the whole course, proved anew and with nothing changed since.

Targets: three minutes and ten seconds, on two cores. A course that does not hold has no figure.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from machine import machine
from scratch import catalog, ol
from sides import in_turns

_ANEW_S, _UNCHANGED_S = 180.0, 10.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)

        def proved() -> None:
            ol(scratch, scratch, "verify", "--plain")

        costs = in_turns({"proved anew": proved, "nothing changed": proved}, rounds=1)
    modules = list(catalog().course.in_order())
    graded = sum(module.graded for module in modules)
    print(machine("msgspec"))
    print(f"{len(modules)} course modules, {graded} of them with course tests; CPU time in brackets")
    for (name, cost), at_most_s in zip(costs.items(), (_ANEW_S, _UNCHANGED_S), strict=True):
        reached = "reached" if cost.wall_s <= at_most_s else "NOT REACHED"
        print(f"{name}: {cost.wall_s:.1f} s ({cost.cpu_s:.1f}) (target: at most {at_most_s:g} s) {reached}")


if __name__ == "__main__":
    main()
