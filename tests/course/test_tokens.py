"""Token files: the bytes, the memory map, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens


def header(*fields: int) -> bytes:
    return np.array([*fields, *[0] * (256 - len(fields))], dtype="<i4").tobytes()


@pytest.mark.parametrize(
    ("vocab", "version", "dtype"),
    [(256, 1, "<u2"), (65536, 1, "<u2"), (65537, 2, "<u4"), (2**31 - 1, 2, "<u4")],
)
def test_a_file_is_its_header_then_its_ids(vocab: int, version: int, dtype: str, tmp_path: Path) -> None:
    ids = [0, 7, 255, vocab - 1]
    write_tokens(tmp_path / "a.bin", ids, vocab)
    expected = header(20240520, version, 4, vocab) + np.array(ids, dtype=dtype).tobytes()
    assert (tmp_path / "a.bin").read_bytes() == expected
    assert read_tokens_header(tmp_path / "a.bin") == {"version": version, "n": 4, "vocab": vocab}
    opened = open_tokens(tmp_path / "a.bin")
    assert (opened.dtype, opened.tolist()) == (np.dtype(dtype), ids)


def test_the_ids_are_mapped_not_read_and_cannot_be_written(tmp_path: Path) -> None:
    write_tokens(tmp_path / "a.bin", [1, 2, 3], 256)
    ids = open_tokens(tmp_path / "a.bin")
    with pytest.raises(ValueError, match="read-only"):
        ids[0] = 9
    with (tmp_path / "a.bin").open("r+b") as file:
        file.seek(1024)
        file.write(b"\x09\x00")
    assert ids.tolist() == [9, 2, 3]


def test_an_empty_corpus_is_a_file_too(tmp_path: Path) -> None:
    write_tokens(tmp_path / "a.bin", [], 256)
    ids = open_tokens(tmp_path / "a.bin")
    assert (ids.shape, ids.dtype, ids.flags.writeable) == ((0,), np.dtype("<u2"), False)


def test_a_file_whose_writer_did_not_give_the_vocab_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(header(20240520, 1, 2) + b"\x01\x00\x02\x00")
    assert read_tokens_header(str(tmp_path / "a.bin"))["vocab"] == 0
    assert open_tokens(str(tmp_path / "a.bin")).tolist() == [1, 2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokens")


@given(ids=st.lists(st.integers(0, 99_999), max_size=20), dtype=st.sampled_from(["i4", "u4", "i8", ">i8"]))
def test_what_is_written_comes_back(ids: list[int], dtype: str, folder: Path) -> None:
    path = folder / f"{len(ids)}-{dtype.strip('>')}.bin"
    write_tokens(path, np.array(ids, dtype=dtype), 100_000)
    assert open_tokens(path).tolist() == ids


BAD: dict[str, bytes] = {
    "empty": b"",
    "cut in the header": header(20240520, 1, 0, 9)[:1023],
    "another magic number": header(20240521, 1, 0, 9),
    "version 0": header(20240520, 0, 0, 9),
    "version 3": header(20240520, 3, 0, 9),
    "fewer than no ids": header(20240520, 1, -1, 9),
    "a negative vocab": header(20240520, 1, 0, -9),
    "an id cut": header(20240520, 1, 2, 9) + b"\0\0\0",
    "an id too many": header(20240520, 1, 2, 9) + b"\0" * 6,
    "2^31 - 1 ids claimed": header(20240520, 2, 2**31 - 1, 9) + b"\0" * 4,
    "written with the other end first": np.frombuffer(header(20240520, 1), "<i4").astype(">i4").tobytes(),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_file_that_is_not_whole_and_well_formed_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(content)
    for read in (read_tokens_header, open_tokens):
        with pytest.raises(ValueError, match=r"a\.bin"):
            read(tmp_path / "a.bin")


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_tokens(tmp_path / "a.bin")


@pytest.mark.parametrize(
    ("ids", "vocab"),
    [([256], 256), ([-1], 256), ([0], 0), ([0], 2**31), ([[1]], 256), (3, 256), ([1.0], 256), ([True], 256)],
)
def test_what_is_no_row_of_ids_is_refused_and_not_written(ids: Any, vocab: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        write_tokens(tmp_path / "a.bin", ids, vocab)
    assert not (tmp_path / "a.bin").exists()
