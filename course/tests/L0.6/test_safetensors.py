"""Course tests of L0.6, safetensors files: bytes, dtypes and arrays. The first failure says most.

Files are written and read here by the frozen kit and by plain bytes, never by the unit that is judged. The ids
s01 .. s25 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_equal, golden, read_tensors
from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors

Arrays = dict[str, NDArray[Any]]

CODES = ("f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?")
HAND: Arrays = {"n": np.array(3, np.uint8), "w": np.array([1.5, -2.0], np.float32)}  # the worked example
HEADER = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"n":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}'
CONTENT = np.array([1.5, -2.0], "<f4").tobytes() + b"\x03"


def file_of(header: Any, content: bytes) -> bytes:
    """Eight bytes of length, the header as it is or as JSON, and the content."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


def entry(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def every_dtype() -> Arrays:
    """A tensor of each dtype with values of their own, and the shapes that go wrong most easily."""
    rng = PCG32(6)
    drawn = {f"x.{code}": (100 * rng.uniforms(6)).astype(code).reshape(2, 3) for code in CODES}
    return drawn | {
        "scalar": np.array(2.5, np.float32),
        "empty": np.zeros((2, 0, 3), np.float32),
        "one": np.ones((1, 1), np.int32),
        "ünïcode 名": np.array([7, 8], np.uint8),
    }


def assert_same(got: Any, want: Arrays) -> None:
    """The same names, dtypes, shapes and values."""
    assert sorted(got) == sorted(want)
    for name, array in want.items():
        assert_equal(got[name], array, of=name)


def test_the_bytes_by_hand(tmp_path: Path) -> None:
    """The worked example's file, byte for byte: the widest dtype first, then names, then spaces to 8.

    Others read what is written here. Catches s23 (no spaces) and s22 (names as they were given).
    """
    save_safetensors(tmp_path / "a", HAND)
    raw = (tmp_path / "a").read_bytes()
    padded = HEADER + b" " * (-len(HEADER) % 8)
    known = {"the header is not filled up with spaces to a multiple of 8": file_of(HEADER, CONTENT)}
    compare(raw, len(padded).to_bytes(8, "little") + padded + CONTENT, known)
    f32: Any = {"b": np.float32(1), "a": np.float32(2)}
    save_safetensors(tmp_path / "b", f32, {"z": "1", "y": "2"})
    text = (
        b'{"__metadata__":{"z":"1","y":"2"},"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},'
        b'"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]}}'
    )
    content = np.array([2.0, 1.0], "<f4").tobytes()
    compare((tmp_path / "b").read_bytes(), file_of(text + b" " * (-len(text) % 8), content), {})


def compare(raw: bytes, want: bytes, known: dict[str, bytes]) -> None:
    wrong = {sentence: np.frombuffer(each, np.uint8) for sentence, each in known.items()}
    assert_equal(
        np.frombuffer(raw, np.uint8), np.frombuffer(want, np.uint8), of="the bytes", known_wrong=wrong
    )


def test_a_file_by_hand_is_read(tmp_path: Path) -> None:
    """The worked example's header without its spaces, and its tensors; names in the header's order.

    Others write what is read here. Catches s13 (the eight bytes forgotten) and s16 (no axis becomes one).
    """
    (tmp_path / "a").write_bytes(file_of(HEADER, CONTENT))
    loaded = load_safetensors(tmp_path / "a")
    assert list(loaded) == ["w", "n"]
    known = {"these bytes begin eight too early: offsets count from the header's end": shifted()}
    assert_equal(loaded["w"], HAND["w"], of="w", known_wrong=known)
    assert_equal(loaded["n"], HAND["n"], of="n", known_wrong={"a tensor without axes came with one": [3]})
    header = {"second": entry(shape=[2], offsets=[2, 4]), "first": entry(shape=[1, 2], offsets=[0, 2])}
    (tmp_path / "b").write_bytes(file_of(header, b"\1\2\3\4"))
    loaded = load_safetensors(str(tmp_path / "b"))
    assert list(loaded) == ["second", "first"]
    assert_same(loaded, {"first": np.array([[1, 2]], np.uint8), "second": np.array([3, 4], np.uint8)})


def shifted() -> NDArray[Any]:
    """What w would be, were offsets counted from the header's length and not behind it."""
    return np.frombuffer((HEADER + CONTENT)[len(HEADER) - 8 : len(HEADER)], "<f4")


def test_the_header_is_told_without_the_tensors(tmp_path: Path) -> None:
    """Names, dtypes, shapes, offsets and metadata of a file whose tensor would not fit: nothing of it is read."""
    size = 1 << 24
    header = {"__metadata__": {"k": "v"}, "x": entry(shape=[size], offsets=[0, size])}
    with (tmp_path / "a").open("wb") as file:
        file.write(file_of(header, b""))
        file.truncate(file.tell() + size)  # sparse: no disk is used
    tracemalloc.start()
    try:
        got = read_header(tmp_path / "a")
        assert tracemalloc.get_traced_memory()[1] < size // 2, "the tensor was read"
    finally:
        tracemalloc.stop()
    want = {"__metadata__": {"k": "v"}, "x": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}
    assert got == want


def test_every_dtype_comes_back(tmp_path: Path) -> None:
    """All twelve dtypes, a scalar, an empty tensor, a name beyond ASCII; the frozen kit reads them too.

    A checkpoint that changes a weight is worse than none. Catches s16 (a scalar gets an axis).
    """
    save_safetensors(tmp_path / "a", every_dtype(), {"clé": "名"})
    assert_same(load_safetensors(tmp_path / "a"), every_dtype())
    assert read_header(tmp_path / "a")["__metadata__"] == {"clé": "名"}
    some = {
        name: array
        for name, array in every_dtype().items()
        if name[2:] not in ("f2", "i2", "i1", "u8", "u4", "u2", "?")
    }
    save_safetensors(tmp_path / "b", some, {"k": "v"})
    tensors, metadata = read_tensors(tmp_path / "b")
    assert_same(tensors, some)
    assert metadata == {"k": "v"}


def test_a_tensor_is_stored_by_value_whatever_its_memory(tmp_path: Path) -> None:
    """A transposed array, one of the other byte order, a slice with steps, a list: what counts is the values.

    A weight is a transpose as often as not. Catches s07 (memory order) and s14 (bytes not turned round).
    """
    table = np.arange(6, dtype=np.int32).reshape(2, 3)
    tensors: Any = {"t": table.T, "big": table.astype(">i4"), "s": table[:, ::2], "list": [[0.5], [1.5]]}
    save_safetensors(tmp_path / "a", tensors)
    loaded = load_safetensors(tmp_path / "a")
    known = {"the values lie as they lay in memory, not row by row": table.reshape(3, 2)}
    assert_equal(loaded["t"], np.array(table.T, order="C"), of="a transposed tensor", known_wrong=known)
    known = {"the bytes were not turned round: the file is little-endian": table.byteswap()}
    assert_equal(loaded["big"], table, of="a big-endian tensor", known_wrong=known)
    assert_equal(loaded["s"], np.array([[0, 2], [3, 5]], np.int32), of="a slice with steps")
    assert_equal(loaded["list"], np.array([[0.5], [1.5]]), of="a list")


def test_bf16_comes_as_the_float32_it_stands_for(tmp_path: Path) -> None:
    """A bfloat16 is the upper half of a float32: bits are moved, not numbers. Catches s08.

    Published weights are bfloat16, and numpy has no such dtype.
    """
    want = np.array([[1.0, -2.5, 2.0**127], [0.0, 2.0**-130, -3.0]], np.float32)
    halves = (want.view(np.uint32) >> 16).astype("<u2")
    header = {"x": entry("BF16", [2, 3], [0, 12]), "y": entry("BF16", [], [12, 14])}
    (tmp_path / "a").write_bytes(file_of(header, halves.tobytes() + halves[0, 1].tobytes()))
    loaded = load_safetensors(tmp_path / "a")
    whole = halves.astype(np.uint32) << 16
    known = {"the halves were taken for numbers: they are bits of a float32": whole.astype(np.float32)}
    assert_equal(loaded["x"], want, of="x", known_wrong=known)
    assert_equal(loaded["y"], np.array(-2.5, np.float32), of="y, a scalar")


def test_golden_torch(tmp_path: Path) -> None:
    """A file that the safetensors package wrote of torch's tensors: F32, F16, BF16, I8, U8 and I32.

    The package is the format's own author. `file` holds that file, byte by byte; beside it lie the values as
    torch has them, widened to F64 or I64. Catches s08, which reads the BF16 otherwise.
    """
    expected = golden("L0.6/torch_file.safetensors")
    given = dict(expected.tensors)
    (tmp_path / "a").write_bytes(given.pop("file").tobytes())
    loaded = load_safetensors(tmp_path / "a")
    assert sorted(loaded) == sorted(given)
    kinds = {"f32": "f4", "f16": "f2", "bf16": "f4", "i8": "i1", "u8": "u1", "i32": "i4"}
    for name, values in given.items():
        assert loaded[name].dtype == np.dtype(kinds[name]), f"{name} has dtype {loaded[name].dtype}"
        assert_equal(loaded[name].astype(values.dtype), values, of=name)


def test_equal_tensors_give_equal_bytes(tmp_path: Path) -> None:
    """The order in which a dict was filled leaves no trace: a file's hash names its weights. Catches s22."""
    tensors = every_dtype()
    save_safetensors(tmp_path / "a", tensors)
    save_safetensors(tmp_path / "b", dict(reversed(tensors.items())))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_tensor_is_aligned_to_its_dtype(tmp_path: Path) -> None:
    """A tensor starts at a multiple of its dtype's width, in the file itself: it can be mapped as it lies.

    Catches s23, which leaves the header's length to chance.
    """
    for length in range(1, 9):
        tensors = {name * length: array for name, array in every_dtype().items()}
        save_safetensors(tmp_path / "a", tensors)
        start = 8 + int.from_bytes((tmp_path / "a").read_bytes()[:8], "little")
        for name, told in read_header(tmp_path / "a").items():
            assert (start + told["data_offsets"][0]) % tensors[name].itemsize == 0, name


def test_loaded_arrays_are_the_callers_own(tmp_path: Path) -> None:
    """They can be written to, and neither the file nor another array changes: training goes on from them.

    Catches s15, arrays that are views of read-only bytes.
    """
    save_safetensors(tmp_path / "a", every_dtype())
    loaded = load_safetensors(tmp_path / "a")
    for name, array in loaded.items():
        assert array.flags.writeable, f"{name} cannot be written to"
        array[...] = 0
    assert_same(loaded, {name: np.zeros_like(array) for name, array in every_dtype().items()})
    assert_same(load_safetensors(tmp_path / "a"), every_dtype())


def test_files_of_nothing_and_no_file(tmp_path: Path) -> None:
    """No tensors make a file; a path without a file is an OSError, as for open."""
    save_safetensors(str(tmp_path / "a"), {}, {})
    assert load_safetensors(tmp_path / "a") == {}
    assert read_header(tmp_path / "a") == {"__metadata__": {}}
    for read in (read_header, load_safetensors):
        with pytest.raises(OSError):
            read(tmp_path / "none")
