"""A few rounds of what bench/same_verdict.py does a hundred times: whatever the order and the load, one verdict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("rounds", "load"), [(5, []), (2, ["--loaded"])])
def test_checks_in_shuffled_order_give_one_verdict(rounds: int, load: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench/same_verdict.py"), f"--rounds={rounds}", *load],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    _, verdict, told = done.stdout.splitlines()
    assert verdict.startswith(f"{rounds} × exit 0: L2.2 PASSED — 17/17 course tests")
    assert verdict.endswith("(mutants: 12 killed)") and told.endswith(": one verdict")
