"""Hostile safetensors files: a ValueError each, no crash, no memory on the word of a header."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
from hypothesis import given, settings
from hypothesis import strategies as st

from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors


def entry(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def file_of(header: Any, content: bytes = b"\0" * 4) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "cut in the length": b"\x10\0\0",
    "no header": bytes(8),
    "header longer than the file": (100).to_bytes(8, "little") + b"{}",
    "length of 2^64 - 1": b"\xff" * 8 + b"{}",
    "length above the limit": (2**40).to_bytes(8, "little") + b"{}",
    "not json": file_of(b"{tensors}"),
    "not utf-8": file_of(b'{"\xff": 1}'),
    "a byte order mark": file_of(b'\xef\xbb\xbf{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'),
    "leading space": file_of(b' {"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'),
    "a list": file_of(b"[]", b""),
    "null": file_of(b"null", b""),
    "NaN": file_of(b'{"x":NaN}'),
    "nested a million deep": file_of(b'{"x":' + b"[" * 1_000_000),
    "a key twice": file_of(b'{"x":%b,"x":%b}' % ((json.dumps(entry()).encode(),) * 2)),
    "a key twice in an entry": file_of(b'{"x":{"shape":[4],"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'),
    "a key twice in the metadata": file_of(b'{"__metadata__":{"a":"1","a":"2"}}', b""),
    "metadata of numbers": file_of({"__metadata__": {"a": 1}}, b""),
    "metadata that is a list": file_of({"__metadata__": ["a"]}, b""),
    "metadata that is null": file_of({"__metadata__": None}, b""),
    "an entry that is a list": file_of({"x": ["U8", [4], [0, 4]]}),
    "an entry without offsets": file_of({"x": {"dtype": "U8", "shape": [4]}}),
    "an entry with a key more": file_of({"x": {**entry(), "stride": [1]}}),
    "an unknown dtype": file_of({"x": entry(dtype="F3")}),
    "a dtype that is a list": file_of({"x": entry(dtype=["U8"])}),
    "a shape that is a number": file_of({"x": entry(shape=4)}),
    "a negative size": file_of({"x": entry(shape=[-4])}),
    "two negative sizes": file_of({"x": entry(shape=[-2, -2])}),
    "a size that is true": file_of({"x": entry(shape=[True, 4])}),
    "a size that is a float": file_of({"x": entry(shape=[4.0])}),
    "sizes that multiply to 2^64 + 4": file_of({"x": entry(shape=[4, 2**62 + 1])}),
    "a size of 5,000 digits": file_of(json.dumps({"x": entry(shape=[7])}).replace("7", "7" * 5000).encode()),
    "100,000 axes": file_of({"x": entry(shape=[1] * 100_000, offsets=[0, 1])}, b"\0"),
    "100,000 axes of 2^60": file_of({"x": entry(shape=[2**60] * 100_000)}),
    "an empty tensor too large to index": file_of({"x": entry(shape=[0, 2**62, 9], offsets=[0, 0])}, b""),
    "a name that is no text": file_of(b'{"\\ud800":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'),
    "three offsets": file_of({"x": entry(offsets=[0, 4, 4])}),
    "offsets that run backwards": file_of({"x": entry(offsets=[4, 0])}),
    "a negative offset": file_of({"x": entry(offsets=[-4, 0])}),
    "offsets that do not fit the shape": file_of({"x": entry(shape=[3])}),
    "offsets that do not fit the dtype": file_of({"x": entry(dtype="F32")}),
    "a tensor of 2^60 bytes": file_of({"x": entry(shape=[2**60], offsets=[0, 2**60])}),
    "a tensor longer than the file": file_of({"x": entry(shape=[5], offsets=[0, 5])}),
    "bytes left over": file_of({"x": entry(shape=[3], offsets=[0, 3])}),
    "bytes without a tensor": file_of({}),
    "an overlap": file_of({"x": entry(), "y": entry(shape=[2], offsets=[2, 4])}),
    "the same bytes twice": file_of({"x": entry(), "y": entry()}),
    "a hole": file_of({"x": entry(shape=[1], offsets=[0, 1]), "y": entry(shape=[1], offsets=[3, 4])}),
    "a hole at the start": file_of({"x": entry(shape=[2], offsets=[2, 4])}),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_a_value_error_and_takes_no_memory(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    for read in (read_header, load_safetensors):
        tracemalloc.start()
        try:
            with pytest.raises(ValueError):
                read(tmp_path / "a")
            assert tracemalloc.get_traced_memory()[1] < 1_000_000 + 40 * len(content)
        finally:
            tracemalloc.stop()


def test_the_plain_file_that_the_hostile_ones_spoil_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(file_of({"x": entry()}))
    assert load_safetensors(tmp_path / "a")["x"].tolist() == [0, 0, 0, 0]


def test_a_header_above_100_million_bytes_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.write((100_000_001).to_bytes(8, "little") + b"{}")
        file.truncate(200_000_000)  # sparse: no disk is used
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="100000001"):
            read_header(tmp_path / "a")
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def good(folder: Path) -> bytes:
    tensors: dict[str, Any] = {"w": np.eye(2, 3, dtype=np.float32), "b": np.ones(3, np.int8), "s": 1.5}
    save_safetensors(folder / "good", tensors, {"k": "v"})
    return (folder / "good").read_bytes()


def assert_read_or_refused(content: bytes, folder: Path) -> None:
    """A ValueError, or arrays that the official reader finds there too; and no more memory than the file has."""
    (folder / "fuzz").write_bytes(content)
    tracemalloc.start()
    try:
        ours = load_safetensors(folder / "fuzz")
    except ValueError:
        return
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1_000_000 + 40 * len(content)
    deserialize: Any = safetensors.deserialize
    official = {name: (x["shape"], bytes(x["data"])) for name, x in deserialize(content)}
    assert {name: (list(x.shape), x.tobytes()) for name, x in ours.items()} == official


@given(data=st.data())
def test_flipped_bytes_are_read_or_refused(good: bytes, folder: Path, data: st.DataObject) -> None:
    spoiled = bytearray(good)
    for _ in range(data.draw(st.integers(1, 3))):
        spoiled[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 127))
    assert_read_or_refused(bytes(spoiled), folder)


@given(data=st.data())
def test_every_cut_is_refused(good: bytes, folder: Path, data: st.DataObject) -> None:
    (folder / "fuzz").write_bytes(good[: data.draw(st.integers(0, len(good) - 1))])
    with pytest.raises(ValueError):
        load_safetensors(folder / "fuzz")


@given(content=st.binary(max_size=60), length=st.integers(0, 80))
def test_any_bytes_are_read_or_refused(content: bytes, length: int, folder: Path) -> None:
    assert_read_or_refused(length.to_bytes(8, "little") + content, folder)


SIZES = st.one_of(st.integers(-1, 6), st.sampled_from([2**31, 2**62, 2**64]), st.none(), st.booleans())
ENTRIES = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["U8", "I8", "F32", "F16", "X", 3]),
        "shape": st.one_of(st.lists(SIZES, max_size=3), SIZES),
        "data_offsets": st.one_of(st.lists(st.integers(-1, 12), max_size=3), SIZES),
    }
)
HEADERS = st.dictionaries(st.sampled_from(["a", "b", "c", "__metadata__"]), ENTRIES, max_size=3)


@settings(max_examples=300)
@given(header=HEADERS, n_bytes=st.integers(0, 12))
def test_any_header_is_read_or_refused(header: dict[str, Any], n_bytes: int, folder: Path) -> None:
    assert_read_or_refused(file_of(header, bytes(range(n_bytes))), folder)


@given(
    kinds=st.lists(
        st.tuples(
            st.lists(st.integers(0, 3), max_size=3),
            st.sampled_from(["<f4", "<f2", "|i1", "<i8"]),
        ),
        max_size=4,
    )
)
def test_what_is_saved_comes_back(kinds: list[tuple[list[int], str]], folder: Path) -> None:
    tensors = {str(i): np.full(shape, i, dtype=code) for i, (shape, code) in enumerate(kinds)}
    save_safetensors(folder / "round", tensors)
    loaded = load_safetensors(folder / "round")
    assert loaded.keys() == tensors.keys()
    for name, array in tensors.items():
        assert (loaded[name].dtype, loaded[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(loaded[name], array)
