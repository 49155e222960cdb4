"""`ol check --no-cache` on one piece of work, again and again, each time shuffled by another seed: is it one verdict?

The work is L2.2 with the exemplar tests and an honest journal, made by the commands themselves. A verdict is the
exit code, the last line, what each gate says, and the outcome of each mutant. With --loaded every core is kept busy
by a process that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from machine import machine

ROOT = Path(__file__).resolve().parent.parent
CORES = os.cpu_count() or 1
EXEMPLARS = ROOT / "course" / "exemplars" / "L2.2" / "test_nplm.py"
REFERENCE = ROOT / "course" / "reference" / "tinyllm" / "lm" / "nplm.py"


def main() -> int:
    asked = _asked()
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as scratch:
        work = _begun(Path(scratch))
        began = time.perf_counter()
        with _busy_cores(CORES if asked.loaded else 0):
            found = Counter(_verdict(work, chance) for _ in range(asked.rounds))
        took = time.perf_counter() - began
    print(machine())
    for verdict, count in found.most_common():
        print(f"{count} × {_shortly(verdict)}")
    state = f", {CORES} cores kept busy" if asked.loaded else ""
    print(f"{asked.rounds} rounds (seed {asked.seed}{state}), {took / asked.rounds:.1f} s each: ", end="")
    print("one verdict" if len(found) == 1 else f"{len(found)} verdicts")
    return 0 if len(found) == 1 else 1


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument(
        "--seed", type=int, default=1, help="draws each round's own seed and number of children"
    )
    parser.add_argument("--loaded", action="store_true", help="keep every core busy meanwhile")
    return parser.parse_args()


def _begun(scratch: Path) -> Path:
    """A workspace where L2.2 was started, its tests seen red and then green."""
    work = scratch / "work"
    work.mkdir()
    _ol(work, "start", "L2.2", "--ref-deps")
    (work / "python/tests/l2-2-nplm/test_nplm.py").write_bytes(EXEMPLARS.read_bytes())
    _ol(work, "tdd", "red", "L2.2")
    (work / "python/tinyllm/lm/nplm.py").write_bytes(REFERENCE.read_bytes())
    _ol(work, "tdd", "green", "L2.2")
    return work


def _verdict(work: Path, chance: random.Random) -> str:
    """One check, as one line of JSON without its seed and figures."""
    options = ("--seed", str(chance.randrange(10**6)), "-j", str(chance.randint(1, 2 * CORES)))
    report = json.loads(_ol(work, "check", "L2.2", "--no-cache", "--json", *options, may_fail=True))
    gates = {gate["gate"]: (gate["verdict"], gate["summary"]) for gate in report["gates"]}
    fields = next(gate["fields"] for gate in report["gates"] if gate["gate"] == "mutation")
    mutants = {mutant["id"]: mutant["outcome"] for mutant in fields.get("mutants", [])}
    return json.dumps([report["exit_code"], report["last_line"], gates, mutants])


def _shortly(verdict: str) -> str:
    code, last_line, _, mutants = json.loads(verdict)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in Counter(mutants.values()).items())
    return f"exit {code}: {last_line.partition(' [')[0]} (mutants: {outcomes})"


def _ol(work: Path, *words: str, may_fail: bool = False) -> str:
    home = {"HOME": str(work.parent), "XDG_CACHE_HOME": str(work.parent / "cache")}
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT), "OL_COURSE": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "ol", *words],
        cwd=work,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in ((0, 1) if may_fail else (0,)):
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout


@contextmanager
def _busy_cores(count: int) -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
