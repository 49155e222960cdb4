"""One line of a journal: read as it was written, or refused."""

from __future__ import annotations

import pytest

from ol.domain.errors import WrongRequest
from ol.domain.journal.entry import FileRecord, UnitRecord
from ol.domain.journal.line import LineWrong, read, sha256, written
from tests.domain.journal.made_lines import entry


def test_a_line_is_read_as_it_was_written():
    made = entry(heads={"other": "00"}, versions={"ol": "1"})
    assert read(written(made)) == made
    assert written(made).count(b"\n") == 0


def test_a_line_of_a_newer_ol_stops_every_command():
    with pytest.raises(WrongRequest, match="newer ol") as caught:
        read(written(entry(version=2)))
    assert caught.value.slug == "journal-newer"


def test_a_line_with_a_right_hash_and_wrong_fields_does_not_hold():
    body = written(entry()).partition(b',"sha256"')[0].replace(b'"red"', b'"blue"') + b"}"
    forged = body[:-1] + b',"sha256":"' + sha256(body).encode() + b'"}'
    with pytest.raises(LineWrong, match="holds what no ol writes"):
        read(forged)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b"05.000678Z", b"05.000678"),
        (b"a" * 64, b"a" * 63),
        (b"a" * 64, b"A" * 64),
        (b"a" * 64, b"a" * 64 + b"\\n"),
        (b"b" * 64, b"../" * 21 + b"b"),
        (b"b" * 64, b""),
    ],
)
def test_a_line_of_a_time_without_zone_or_a_hash_that_is_none_does_not_hold(right: bytes, wrong: bytes):
    line = written(entry(files={"a": FileRecord("a" * 64, "")}, units={"u": UnitRecord("b" * 64)}))
    body = line.rpartition(b',"sha256"')[0] + b"}"
    assert read(signed(body)) and body.count(right) == 1
    with pytest.raises(LineWrong, match="holds what no ol writes"):
        read(signed(body.replace(right, wrong)))


def signed(body: bytes) -> bytes:
    return body[:-1] + b',"sha256":"' + sha256(body).encode() + b'"}'
