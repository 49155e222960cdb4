"""L0.6, a careful student's tests of token files."""

import numpy as np
import pytest

from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens


def head(*fields):
    """The 1,024 bytes of a header: these int32, then zeros."""
    return np.array([*fields, *[0] * (256 - len(fields))], dtype="<i4").tobytes()


def test_a_token_file_by_hand(tmp_path):
    """The bytes of a small corpus are its header and its ids, and the ids come back."""
    write_tokens(tmp_path / "a.bin", [7, 0, 258], 300)
    assert (tmp_path / "a.bin").read_bytes() == head(20240520, 1, 3, 300) + b"\x07\0\0\0\x02\x01"
    assert read_tokens_header(tmp_path / "a.bin") == {"version": 1, "n": 3, "vocab": 300}
    assert open_tokens(tmp_path / "a.bin").tolist() == [7, 0, 258]


def test_the_version_follows_the_vocab(tmp_path):
    """65,536 ids are the last that take two bytes; the greatest id of a vocabulary comes back."""
    for vocab, version, dtype in ((65_536, 1, np.uint16), (65_537, 2, np.uint32)):
        write_tokens(tmp_path / "a.bin", [vocab - 1, 0], vocab)
        assert read_tokens_header(tmp_path / "a.bin")["version"] == version
        ids = open_tokens(tmp_path / "a.bin")
        assert ids.dtype == dtype and ids.tolist() == [vocab - 1, 0]
        del ids


def test_the_ids_cannot_be_written_to(tmp_path):
    """An assignment to an opened corpus fails."""
    write_tokens(tmp_path / "a.bin", [1, 2, 3], 256)
    with pytest.raises(ValueError):
        open_tokens(tmp_path / "a.bin")[0] = 9


def test_the_ids_are_mapped(tmp_path):
    """Bytes that change in the file change in an array that was opened before: nothing was read ahead."""
    write_tokens(tmp_path / "a.bin", [1, 2, 3], 256)
    ids = open_tokens(tmp_path / "a.bin")
    with (tmp_path / "a.bin").open("r+b") as file:
        file.seek(1024)
        file.write(b"\x09\x00")
    assert ids.tolist() == [9, 2, 3]


def test_a_file_that_is_not_whole_is_refused(tmp_path):
    """Another magic number, an id too many, an id cut: ValueError."""
    for content in (
        head(20240521, 1, 1, 9) + b"\0\0",
        head(20240520, 1, 1, 9) + b"\0\0\0\0",
        head(20240520, 1, 2, 9) + b"\0\0\0",
        b"",
    ):
        (tmp_path / "a.bin").write_bytes(content)
        for read in (read_tokens_header, open_tokens):
            with pytest.raises(ValueError):
                read(tmp_path / "a.bin")


def test_ids_outside_the_vocab_are_refused_and_nothing_is_written(tmp_path):
    """-1 and the vocab itself are a ValueError, and the file that was there keeps its bytes."""
    write_tokens(tmp_path / "a.bin", [1, 2], 256)
    old = (tmp_path / "a.bin").read_bytes()
    for ids in ([-1], [256], [0.5]):
        with pytest.raises(ValueError):
            write_tokens(tmp_path / "a.bin", ids, 256)
        assert (tmp_path / "a.bin").read_bytes() == old
