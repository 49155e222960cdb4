"""Two or more sides of a comparison, measured in turns, so that what else the machine does meets all alike."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True, slots=True)
class Cost:
    wall_s: float
    cpu_s: float  # of the program and of every process below it that was waited for


def in_turns(sides: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Cost]:
    """The least of all rounds, for each side: what it costs when nothing else gets in its way."""
    seen: dict[str, list[Cost]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, work in sides.items():
            seen[name].append(_cost(work))
    return {
        name: Cost(min(cost.wall_s for cost in costs), min(cost.cpu_s for cost in costs))
        for name, costs in seen.items()
    }


def _cost(work: Callable[[], object]) -> Cost:
    began_s, began_cpu_s = time.perf_counter(), _children_cpu_s()
    work()
    return Cost(time.perf_counter() - began_s, _children_cpu_s() - began_cpu_s)


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def steps_in_turns(sides: Mapping[str, Callable[[], object]], rounds: int, steps: int) -> dict[str, float]:
    """The least seconds of one step, over short bursts in turns: for work of microseconds."""
    least = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, work in sides.items():
            began_s = time.perf_counter()
            for _ in range(steps):
                work()
            least[name] = min(least[name], (time.perf_counter() - began_s) / steps)
    return least


def command(
    arguments: Sequence[str | Path],
    folder: Path,
    environment: Mapping[str, str],
    *,
    codes: Sequence[int] = (0,),
) -> str:
    """Run a program to its end; what it wrote on standard output. RuntimeError for another exit code.

    Every side keeps its bytecode, as installed programs do, whatever this machine's environment says.
    """
    done = subprocess.run(
        [str(word) for word in arguments],
        cwd=folder,
        env={name: value for name, value in environment.items() if name != _NO_BYTECODE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in codes:
        raise RuntimeError(f"{arguments} left with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def told(what: str, ratio: float, *, at_least: float | None = None, at_most: float | None = None) -> str:
    """`what: 6.4 × (target: at least 6) reached`."""
    reached = ratio >= at_least if at_least is not None else at_most is not None and ratio <= at_most
    target = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}"
    return f"{what}: {ratio:.2f} × (target: {target}) {'reached' if reached else 'NOT REACHED'}"
