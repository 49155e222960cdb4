"""A writer killed at a thousand random instants: nothing that was there is lost, and nothing is half there."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.adapters.kills.belongings import Belongings
from tests.adapters.kills.victims import FORKS, host, killed
from tests.adapters.kills.writer import DEEDS, Deed, diary, noted

KILLS = 1000 if FORKS else 60
SEED = 20261129
A_FOLDER = 20  # kills in one folder, each writer going on where the last one died
DEEDS_DONE = 3  # at most, before the one that is cut short
LONGEST_S = {True: 0.02, False: 0.002}  # into that; a writer that waits for the disk takes longer


def test_a_writer_killed_at_any_instant_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(SEED)
    total: Counter[str] = Counter()
    with host() as end:
        for number in range(KILLS // A_FOLDER):
            waits = number % 5 == 0
            mine = Belongings(tmp_path / str(number))
            mine.root.mkdir()
            read = 0
            for kill in range(A_FOLDER):
                begun, delay = chance.randint(1, DEEDS_DONE + 1), chance.uniform(0.0, LONGEST_S[waits])
                assert end(killed(mine.root, f"{number}.{kill}", waits, begun, delay)) == -9
                lines = noted(mine.root)
                pending = _gone_through(lines[read:], mine)
                mine.found_intact(pending)
                read = len(lines)
                total += Counter(["kills"] if pending is None else ["kills", pending.do])
            total["records"] += len(mine.records)
    assert total["kills"] == KILLS
    assert all(total[deed] for deed in DEEDS), "each kind of deed was cut short"
    with capsys.disabled():
        short = ", ".join(f"{deed} {total[deed]}" for deed in dict.fromkeys(DEEDS))
        print(
            f"\n{KILLS} kills (seed {SEED}), {total['records']} records and every file intact; cut short: {short}"
        )


@pytest.mark.parametrize("torn", ['{"do": "renew"', "do"], ids=["beginning", "ending"])
def test_a_line_of_the_diary_torn_by_a_kill_is_taken_back(tmp_path: Path, torn: str) -> None:
    root = tmp_path / "folder"
    root.mkdir()
    with host() as end:
        assert end(killed(root, "first", True, 2, 0.0)) == -9
        before = noted(root)
        with diary(root).open("a", encoding="utf-8", newline="\n") as file:
            file.write(torn)
        assert noted(root) == before
        assert end(killed(root, "second", True, 2, 0.0)) == -9
    after = noted(root)
    assert after[: len(before)] == before and len(after) > len(before)
    assert all(line == "done" or json.loads(line)["name"] for line in after)


def _gone_through(lines: list[str], mine: Belongings) -> Deed | None:
    """Each deed that was done counts; the one that was not is returned."""
    pending: Deed | None = None
    for line in lines:
        if line != "done":
            pending = Deed(**json.loads(line))
        elif pending is not None:
            mine.done(pending)
            pending = None
    return pending
