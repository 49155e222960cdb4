"""Each deed on the disk cut off at each of its looks at it: by an end of the process, and by a disk that is full."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from tests.adapters.journal import on_disk
from tests.adapters.kills import cut
from tests.adapters.kills.belongings import Belongings
from tests.adapters.kills.victims import FORKS, ended, host
from tests.adapters.kills.writer import DEEDS, UNITS, Deed, carry_out

STRIDE = 1 if FORKS else 5  # a process of its own for each is slow
BEFORE = ("record", "create", "extend", "renew", "start", "memo")
TAKEN_BACK = (
    "record",
    "create",
    "renew",
)  # the others are one file in the place of another: it is there or not
CUT = [Deed(do, "cut", UNITS[1], 40) for do in dict.fromkeys(DEEDS)]


def at_work(root: Path, deed: Deed) -> Belongings:
    """Someone who has done one of each; for a `create` one unit is missing again."""
    mine = Belongings(root)
    with cut.full_from(sys.maxsize):
        for do in BEFORE:
            done = Deed(do, do, UNITS[1], 3)
            carry_out(root, done)
            mine.done(done)
    if deed.do == "create":
        (root / "python/tiny" / UNITS[2]).unlink()
        mine.units[UNITS[2]] = None
    return mine


@pytest.mark.parametrize("deed", CUT, ids=lambda deed: deed.do)
def test_an_end_at_any_look_at_the_disk_loses_nothing(tmp_path: Path, deed: Deed) -> None:
    with host() as end:
        for step in range(0, 200, STRIDE):
            mine = at_work(tmp_path / str(step), deed)
            code = end(ended(mine.root, deed, step))
            mine.found_intact(deed)
            gone = deed.do == "renew" and mine.units[deed.unit] is None  # put away, and to be started again
            goes_on(mine, replace(deed, name="again", do="create" if gone else deed.do))
            if code == 0:
                break
            assert code == 9
    assert code == 0 and step >= 5


@pytest.mark.parametrize("deed", CUT, ids=lambda deed: deed.do)
def test_a_disk_that_is_full_takes_a_deed_whole_or_says_in_a_sentence_that_it_does_not(
    tmp_path: Path, deed: Deed
) -> None:
    for step in range(200):
        mine = at_work(tmp_path / str(step), deed)
        with cut.full_from(step) as disk:
            told = tried(mine.root, deed)
        if disk.looks <= step:
            break
        assert (told is not None) == bool(disk.refused and deed.do != "memo")  # an answer can be found again
        if told is not None:
            assert told.exit_code is ExitCode.WRONG_REQUEST
            assert told.message.endswith(" cannot be written: No space left on device.")
            assert str(mine.root) in told.message
        mine.found_intact(None if told is not None and deed.do in TAKEN_BACK else deed)
        assert not on_disk.files(mine.root).read(on_disk.A1).faults
        assert not [path for path in mine.root.rglob(".*.????????")], "a part was left behind"
        goes_on(mine, replace(deed, name="again"))  # there is room again
    assert told is None and step >= 5


def goes_on(mine: Belongings, deed: Deed) -> None:
    """The next deed is done as if nothing had been; of a record cut short not even a torn line is left."""
    carry_out(mine.root, deed)
    mine.done(deed)
    mine.found_intact()
    if deed.do == "record":
        assert not on_disk.files(mine.root).read(on_disk.A1).faults


def tried(root: Path, deed: Deed) -> WrongRequest | None:
    try:
        carry_out(root, deed)
    except WrongRequest as error:
        return error
    return None
