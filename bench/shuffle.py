"""A shuffle of 50,000 windows: the block form of PCG32 against the pure-Python one of the frozen kit."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "course" / "reference"), str(ROOT / "course" / "tests")]

from frozen.pcg32 import PCG32 as PlainPCG32  # noqa: E402
from machine import machine  # noqa: E402
from sides import steps_in_turns, told  # noqa: E402
from tinyllm.num.rng import PCG32  # noqa: E402


def main() -> None:
    order = list(range(50_000))
    sides = {"block": lambda: PCG32(1).shuffle(order), "plain": lambda: PlainPCG32(1).shuffle(order)}
    took = steps_in_turns(sides, rounds=9, steps=1)
    print(machine())
    print(f"block form {took['block'] * 1e3:.1f} ms, pure Python {took['plain'] * 1e3:.1f} ms")
    print(told("the time of the pure-Python one", took["block"] / took["plain"], at_most=0.25))


if __name__ == "__main__":
    main()
