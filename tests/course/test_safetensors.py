"""safetensors files: both ways with the official package, the bytes themselves, and saves that fail."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors

DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]


def every_dtype() -> dict[str, NDArray[Any]]:
    """One tensor of each dtype, and the shapes that go wrong most easily."""
    rng = np.random.default_rng(0)
    return {f"x.{code}": (rng.uniform(0, 100, size=(3, 5))).astype(code) for code in DTYPES} | {
        "scalar": np.array(2.5, np.float32),
        "empty": np.zeros((2, 0, 3), np.float32),
        "transposed": np.arange(6, dtype=np.int32).reshape(2, 3).T,
        "ünïcode 名": np.ones(1, np.uint8),
    }


def assert_same(got: dict[str, NDArray[Any]], expected: dict[str, NDArray[Any]]) -> None:
    assert got.keys() == expected.keys()
    for name, array in expected.items():
        assert (got[name].dtype, got[name].shape) == (array.dtype, array.shape), name
        np.testing.assert_array_equal(got[name], array)


def test_the_official_package_reads_what_we_write(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", every_dtype(), {"format": "tinyllm", "ключ": "значение"})
    assert_same(safetensors.numpy.load_file(tmp_path / "a"), every_dtype())
    with safetensors.safe_open(tmp_path / "a", "np") as file:
        assert file.metadata() == {"format": "tinyllm", "ключ": "значение"}


def test_we_read_what_the_official_package_writes(tmp_path: Path) -> None:
    contiguous = {name: np.array(array, order="C") for name, array in every_dtype().items()}
    safetensors.numpy.save_file(contiguous, tmp_path / "a", metadata={"one": "1", "two": "2"})
    assert_same(load_safetensors(tmp_path / "a"), every_dtype())
    assert read_header(tmp_path / "a")["__metadata__"] == {"one": "1", "two": "2"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exchanged")


SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)
ANY_TENSORS = st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(lambda name: name != "__metadata__"),
    st.sampled_from(DTYPES).flatmap(lambda code: arrays(code, SHAPES)),
    max_size=5,
)


@settings(max_examples=50)
@given(tensors=ANY_TENSORS)
def test_any_tensors_are_exchanged_both_ways_bit_for_bit(
    tensors: dict[str, NDArray[Any]], folder: Path
) -> None:
    save_safetensors(folder / "ours", tensors)
    safetensors.numpy.save_file(tensors, folder / "theirs")
    for read in (safetensors.numpy.load_file(folder / "ours"), load_safetensors(folder / "theirs")):
        assert read.keys() == tensors.keys()
        for name, x in tensors.items():
            assert (read[name].dtype, read[name].shape) == (x.dtype, x.shape)
            assert read[name].tobytes() == x.tobytes()


def file_of(header: dict[str, Any] | bytes, content: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


def test_a_bf16_tensor_comes_as_the_float32_it_stands_for(tmp_path: Path) -> None:
    values = np.array([1.0, -2.5, 3.0e38, 0.0, np.inf, 2.0**-130], dtype=np.float32)
    halves = (values.view(np.uint32) >> 16).astype("<u2")
    exact = (halves.astype(np.uint32) << 16).view(np.float32)
    table = {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}
    scalar = {"dtype": "BF16", "shape": [], "data_offsets": [12, 14]}
    content = halves.tobytes() + halves[1].tobytes()
    (tmp_path / "a").write_bytes(file_of({"x": table, "y": scalar}, content))
    official: Any = safetensors.deserialize
    assert official((tmp_path / "a").read_bytes())[0][1]["dtype"] == "BF16"
    assert_same(load_safetensors(tmp_path / "a"), {"x": exact.reshape(2, 3), "y": np.array(exact[1])})
    assert isinstance(load_safetensors(tmp_path / "a")["y"], np.ndarray)


def test_the_bytes_are_laid_out_as_the_format_says(tmp_path: Path) -> None:
    f32 = np.array([[2.0], [3.0]], np.float32)
    tensors: dict[str, Any] = {"b": np.ones(1, np.uint8), "c": f32[0], "a": f32[1]}
    save_safetensors(tmp_path / "x", tensors, {"z": "1", "y": "2"})
    header = (
        b'{"__metadata__":{"z":"1","y":"2"},'
        b'"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},'
        b'"c":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},'
        b'"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}}'
    )
    padded = header + b" " * (-len(header) % 8)
    body = np.array([3.0, 2.0], "<f4").tobytes() + b"\x01"
    assert (tmp_path / "x").read_bytes() == len(padded).to_bytes(8, "little") + padded + body


def test_equal_tensors_give_equal_bytes_in_whatever_order_they_come(tmp_path: Path) -> None:
    tensors = every_dtype()
    save_safetensors(tmp_path / "a", tensors)
    save_safetensors(tmp_path / "b", dict(reversed(tensors.items())))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_tensor_is_aligned_to_its_dtype(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", every_dtype())
    length = int.from_bytes((tmp_path / "a").read_bytes()[:8], "little")
    assert length % 8 == 0
    for name, entry in read_header(tmp_path / "a").items():
        assert entry["data_offsets"][0] % every_dtype()[name].itemsize == 0


def test_a_big_endian_array_is_stored_by_value(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", {"x": np.array([1, 2], dtype=">i4")})
    assert_same(load_safetensors(tmp_path / "a"), {"x": np.array([1, 2], dtype=np.int32)})


def test_lists_and_numbers_are_stored_as_numpy_sees_them(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", {"x": [[1.0], [2.0]], "y": np.float32(3)})
    expected = {"x": np.array([[1.0], [2.0]]), "y": np.array(3, np.float32)}
    assert_same(load_safetensors(tmp_path / "a"), expected)


def test_loaded_arrays_are_writable_and_apart_from_the_file(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", {"x": np.zeros(3, np.float32), "y": np.zeros(3, np.float32)})
    loaded = load_safetensors(tmp_path / "a")
    loaded["x"] += 1
    assert_same(load_safetensors(tmp_path / "a"), {"x": np.zeros(3, np.float32), "y": loaded["y"]})


def test_a_file_of_no_tensors_is_a_file(tmp_path: Path) -> None:
    save_safetensors(tmp_path / "a", {}, {})
    assert load_safetensors(tmp_path / "a") == {}
    assert read_header(tmp_path / "a") == {"__metadata__": {}}
    assert safetensors.numpy.load_file(tmp_path / "a") == {}


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    save_safetensors(str(tmp_path / "a"), {"x": np.ones(2, np.float32)})
    assert list(load_safetensors(str(tmp_path / "a"))) == ["x"]


@pytest.mark.parametrize(
    ("tensors", "metadata"),
    [
        ({"x": np.array([1j])}, None),
        ({"x": np.array(["text"])}, None),
        ({"x": np.array([object()])}, None),
        ({"__metadata__": np.ones(1)}, None),
        ({1: np.ones(1)}, None),
        ({"\ud800": np.ones(1)}, None),
        ({"x": np.ones(1)}, {"step": 3}),
        ({"x": np.ones(1)}, {3: "step"}),
    ],
)
def test_what_cannot_be_stored_is_refused_and_the_old_file_stays(
    tensors: dict[Any, Any], metadata: dict[Any, Any] | None, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(ValueError):
        save_safetensors(tmp_path / "a", tensors, metadata)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_a_save_cut_short_leaves_the_old_file_and_nothing_beside_it(
    call: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_safetensors(tmp_path / "a", {"x": np.zeros(3, np.float32)})

    def fail(*args: Any) -> None:
        raise error

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(type(error)):
        save_safetensors(tmp_path / "a", {"x": np.ones(3, np.float32)})
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert_same(load_safetensors(tmp_path / "a"), {"x": np.zeros(3, np.float32)})


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_safetensors(tmp_path / "a")
