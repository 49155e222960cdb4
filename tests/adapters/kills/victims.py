"""Writers begun and ended: forked from one warm process where there is fork, else a process each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.adapters.kills import cut
from tests.adapters.kills.writer import Deed, carry_out, write

FORKS = hasattr(os, "fork")
_ROOT = Path(__file__).resolve().parents[3]
_SELF = [sys.executable, "-m", "tests.adapters.kills.victims"]


@dataclass(frozen=True)
class Victim:
    """A writer in `root`: killed `delay` seconds into its n-th deed, or ended at its n-th look at the disk."""

    root: str
    seed: str = ""
    waits: bool = True
    deeds: int = 0
    delay: float = 0.0
    deed: dict[str, object] | None = None
    step: int = 0

    def live(self, tells: int) -> None:
        if self.deed is None:
            write(Path(self.root), self.seed, self.waits, tells)
        else:
            cut.ends_at(self.step)
            carry_out(Path(self.root), Deed(**self.deed))  # type: ignore[arg-type]


def killed(root: Path, seed: str, waits: bool, deeds: int, delay: float) -> Victim:
    return Victim(str(root), seed, waits, deeds, delay)


def ended(root: Path, deed: Deed, step: int) -> Victim:
    return Victim(str(root), deed=asdict(deed), step=step)


@contextmanager
def host() -> Iterator[Callable[[Victim], int]]:
    """A function that has a victim live, and returns its exit code when it is dead."""
    if not FORKS:
        yield _in_its_own_process
        return
    with subprocess.Popen(
        _SELF, cwd=_ROOT, encoding="utf-8", bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        asked, told = process.stdin, process.stdout

        def end(victim: Victim) -> int:
            asked.write(json.dumps(asdict(victim)) + "\n")
            return int(told.readline())

        yield end
        asked.close()


def _in_its_own_process(victim: Victim) -> int:
    with subprocess.Popen([*_SELF, json.dumps(asdict(victim))], cwd=_ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if victim.deed is None:
            _wait(process.stdout.fileno(), victim)
            process.kill()
        process.wait()
    return process.returncode if victim.deed else -9


def _in_a_fork(victim: Victim) -> int:
    heard, tells = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            victim.live(tells)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(tells)
    if victim.deed is None:
        _wait(heard, victim)
        os.kill(pid, signal.SIGKILL)
    os.close(heard)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _wait(heard: int, victim: Victim) -> None:
    for _ in range(victim.deeds):
        os.read(heard, 1)
    time.sleep(victim.delay)


if __name__ == "__main__":
    if FORKS:
        for line in sys.stdin:
            print(_in_a_fork(Victim(**json.loads(line))), flush=True)
    else:
        Victim(**json.loads(sys.argv[1])).live(tells=1)
