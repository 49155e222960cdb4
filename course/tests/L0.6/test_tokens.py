"""Course tests of L0.6, token files: the bytes, the memory map, and what is refused.

The ids s01 .. s25 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen import PCG32, assert_equal
from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens

MAGIC = 20240520


def head(*fields: int) -> bytes:
    """256 little-endian int32, these first and then zeros."""
    return np.array([*fields, *[0] * (256 - len(fields))], dtype="<i4").tobytes()


def test_a_token_file_by_hand(tmp_path: Path) -> None:
    """The worked example: 1,024 bytes of header, then the ids 7, 0, 258 as six bytes; read back as uint16.

    llm.c and others read and write these files. Catches s17 (mapped from the wrong place).
    """
    path = tmp_path / "a.bin"
    write_tokens(path, [7, 0, 258], 300)
    want = head(MAGIC, 1, 3, 300) + b"\x07\0\0\0\x02\x01"
    assert_equal(np.frombuffer(path.read_bytes(), np.uint8), np.frombuffer(want, np.uint8), of="the bytes")
    assert read_tokens_header(path) == {"version": 1, "n": 3, "vocab": 300}
    known = {"these ids begin where the four fields end: the header is 1,024 bytes": [0, 0, 0]}
    assert_equal(open_tokens(str(path)), np.array([7, 0, 258], "<u2"), of="the ids", known_wrong=known)


@pytest.mark.parametrize(
    ("vocab", "version", "dtype"),
    [(65_536, 1, "<u2"), (65_537, 2, "<u4"), (2**31 - 1, 2, "<u4")],
    ids=["65,536", "65,537", "2^31 - 1"],
)
def test_the_version_follows_the_vocab(vocab: int, version: int, dtype: str, tmp_path: Path) -> None:
    """65,536 ids fit two bytes and take them; from 65,537 on they take four. The greatest id comes back.

    Catches s20 (one too early) and s06 (an id above 32,767 comes back negative).
    """
    ids = [0, vocab // 2, vocab - 1]
    write_tokens(tmp_path / "a.bin", ids, vocab)
    assert (tmp_path / "a.bin").read_bytes() == head(MAGIC, version, 3, vocab) + np.array(
        ids, dtype
    ).tobytes()
    known = {"the ids were read with a sign": np.array(ids, dtype).view(dtype.replace("u", "i"))}
    assert_equal(open_tokens(tmp_path / "a.bin"), np.array(ids, dtype), of="the ids", known_wrong=known)


@pytest.mark.parametrize("dtype", ["u1", "i2", ">i4", "<i8", ">u8"])
def test_ids_of_any_integer_dtype_are_written_by_value(dtype: str, tmp_path: Path) -> None:
    """Bytes of text, ids of a tokenizer, either byte order, a slice with steps: the values count."""
    rng = PCG32(5)
    ids = np.array([rng.below(100) for _ in range(40)], dtype=dtype)[::3]
    write_tokens(tmp_path / "a.bin", ids, 100)
    assert_equal(open_tokens(tmp_path / "a.bin"), ids.astype("<u2"), of="the ids")


def test_the_ids_cannot_be_written_to(tmp_path: Path) -> None:
    """An assignment fails, and the file keeps its bytes: a corpus is read, for years. Catches s02."""
    write_tokens(tmp_path / "a.bin", [1, 2, 3], 256)
    raw, ids = (tmp_path / "a.bin").read_bytes(), open_tokens(tmp_path / "a.bin")
    assert not ids.flags.writeable
    with pytest.raises(ValueError):
        ids[0] = 9
    assert (tmp_path / "a.bin").read_bytes() == raw


def test_the_ids_are_mapped_not_read(tmp_path: Path) -> None:
    """Sixteen million ids are opened in no memory: a corpus need not fit. Catches s19, which reads them all."""
    n = 1 << 24
    with (tmp_path / "a.bin").open("wb") as file:
        file.write(head(MAGIC, 1, n, 256) + b"\x05\0")
        file.truncate(1024 + 2 * n)  # sparse: no disk is used
    tracemalloc.start()
    try:
        ids = open_tokens(tmp_path / "a.bin")
        assert (ids.shape, int(ids[0]), int(ids[-1])) == ((n,), 5, 0)
        assert tracemalloc.get_traced_memory()[1] < n, "the ids were read"
    finally:
        tracemalloc.stop()


def test_a_corpus_of_no_ids(tmp_path: Path) -> None:
    """An empty list is a file, and comes back as no ids, read-only, although numpy calls it float64."""
    write_tokens(tmp_path / "a.bin", [], 70_000)
    ids = open_tokens(tmp_path / "a.bin")
    assert (ids.shape, ids.dtype, ids.flags.writeable) == ((0,), np.dtype("<u4"), False)
    assert read_tokens_header(tmp_path / "a.bin") == {"version": 2, "n": 0, "vocab": 70_000}


def test_a_writer_that_did_not_tell_the_vocab(tmp_path: Path) -> None:
    """The field is 0 in files of other programs: they are read, with vocab 0."""
    (tmp_path / "a.bin").write_bytes(head(MAGIC, 1, 2) + b"\x01\0\x02\0")
    assert read_tokens_header(tmp_path / "a.bin") == {"version": 1, "n": 2, "vocab": 0}
    assert open_tokens(tmp_path / "a.bin").tolist() == [1, 2]


BAD = {
    "empty": b"",
    "cut in the header": head(MAGIC, 1, 0, 9)[:1023],
    "another magic number": head(MAGIC + 1, 1, 0, 9),
    "the other end first": np.array([MAGIC, 1, 0, 9] + [0] * 252, ">i4").tobytes(),
    "version 0": head(MAGIC, 0, 0, 9),
    "version 3": head(MAGIC, 3, 0, 9),
    "fewer than no ids": head(MAGIC, 1, -1, 9),
    "a negative vocab": head(MAGIC, 1, 0, -9),
    "an id cut": head(MAGIC, 1, 2, 9) + b"\0\0\0",
    "an id too many": head(MAGIC, 1, 2, 9) + b"\0" * 6,
    "2^31 - 1 ids claimed": head(MAGIC, 2, 2**31 - 1, 9) + b"\0" * 4,
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_token_file_that_is_not_whole_is_refused(content: bytes, tmp_path: Path) -> None:
    """Another kind of file, or one cut short or too long, is a ValueError and not a corpus.

    A copy that broke off would train on less, and nobody would know. Catches s18 (ids too many).
    """
    (tmp_path / "a.bin").write_bytes(content)
    for read in (read_tokens_header, open_tokens):
        with pytest.raises(ValueError):
            read(tmp_path / "a.bin")


def test_ids_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    """Ids outside the vocab, floats, tables: a ValueError, and the file that was there keeps its bytes.

    An id of -1 would come back as 65,535. Catches s05 (negative ids) and s09 (a file opened too early).
    """
    path = tmp_path / "a.bin"
    write_tokens(path, [1, 2], 256)
    old = path.read_bytes()
    cases: list[tuple[Any, int]] = [
        ([256], 256), ([-1], 256), ([0], 0), ([0], 2**31), ([[1]], 256), (3, 256), ([1.0], 256), (["a"], 256),
    ]  # fmt: skip
    for ids, vocab in cases:
        with pytest.raises(ValueError):
            write_tokens(path, ids, vocab)
        assert path.read_bytes() == old, f"the file was touched before {ids!r} was refused"
    for read in (read_tokens_header, open_tokens):
        with pytest.raises(OSError):
            read(tmp_path / "none.bin")
