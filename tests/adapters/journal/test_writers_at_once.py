"""Writers at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.adapters.journal.on_disk import A1, files

ROOT = Path(__file__).resolve().parents[3]

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.adapters.journal.on_disk import append
for number in range(int(sys.argv[3])):
    append(Path(sys.argv[2]), number)
    print(number, flush=True)
"""


def writer(root: Path, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(ROOT), str(root), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def test_entries_of_writers_at_once_all_land_in_one_chain_in_order(tmp_path: Path):
    writers = [writer(tmp_path, 15) for _ in range(3)]
    assert [each.communicate(timeout=60)[0].count("\n") for each in writers] == [15, 15, 15]
    state = files(tmp_path).read(A1)
    assert not state.faults
    assert len(state.heads) == 1
    assert [link.entry.seq for link in state.links] == list(range(1, 46))
    assert sorted(link.entry.versions["n"] for link in state.links) == sorted(3 * [str(n) for n in range(15)])
