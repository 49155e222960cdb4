"""L0.6, a careful student's tests of safetensors files."""

import json
import os

import numpy as np
import pytest

from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors


def file_of(header, content=b""):
    """The bytes of a file: the header's length, the header (a dict or bytes), the content."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


def refused(path, content):
    """Both readers raise ValueError, and nothing else."""
    path.write_bytes(content)
    for read in (read_header, load_safetensors):
        with pytest.raises(ValueError):
            read(path)


def test_a_file_by_hand_is_read(tmp_path):
    """Bytes that you write yourself, a scalar among the tensors, are loaded with the right values and shapes."""
    header = {
        "w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "n": {"dtype": "U8", "shape": [], "data_offsets": [8, 9]},
    }
    (tmp_path / "a").write_bytes(file_of(header, np.array([0.5, 3.0], "<f4").tobytes() + b"\x07"))
    loaded = load_safetensors(tmp_path / "a")
    assert list(loaded) == ["w", "n"]
    assert loaded["w"].tolist() == [0.5, 3.0] and loaded["w"].dtype == np.float32
    assert loaded["n"].shape == () and loaded["n"] == 7
    assert read_header(tmp_path / "a") == header


def test_the_bytes_that_a_save_writes(tmp_path):
    """A small file, byte for byte: order of the tensors, no blanks in the JSON, spaces up to a multiple of 8."""
    tensors = {
        "b": np.array([1], np.uint8),
        "d": np.array([2.0], np.float32),
        "c": np.array([3.0], np.float32),
    }
    save_safetensors(tmp_path / "a", tensors, {"by": "me"})
    header = (
        b'{"__metadata__":{"by":"me"},"c":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},'
        b'"d":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}}'
    )
    assert len(header) % 8, "else no space would be needed"
    header += b" " * (-len(header) % 8)
    content = np.array([3.0, 2.0], "<f4").tobytes() + b"\x01"
    assert (tmp_path / "a").read_bytes() == file_of(header, content)


def test_every_dtype_comes_back(tmp_path):
    """Names, dtypes, shapes and values of all dtypes survive a save and a load; so do a scalar and no values."""
    codes = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
    tensors = {code: np.array([[0, 1, 5]]).astype(code) for code in codes}
    tensors |= {"scalar": np.array(-1.5), "empty": np.zeros((2, 0))}
    save_safetensors(tmp_path / "a", tensors)
    loaded = load_safetensors(tmp_path / "a")
    assert loaded.keys() == tensors.keys()
    for name, array in tensors.items():
        assert (loaded[name].dtype, loaded[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(loaded[name], array)


def test_a_transposed_and_a_big_endian_tensor_keep_their_values(tmp_path):
    """However an array lies in memory, what comes back is equal to it."""
    table = np.arange(6, dtype=np.int32).reshape(2, 3)
    save_safetensors(tmp_path / "a", {"t": table.T, "big": table.astype(">i4")})
    loaded = load_safetensors(tmp_path / "a")
    np.testing.assert_array_equal(loaded["t"], table.T)
    np.testing.assert_array_equal(loaded["big"], table)


def test_a_bf16_tensor_comes_as_float32(tmp_path):
    """The two bytes of a BF16 are the upper two of the float32 that is loaded."""
    header = {"x": {"dtype": "BF16", "shape": [3], "data_offsets": [0, 6]}}
    (tmp_path / "a").write_bytes(file_of(header, b"\x80\x3f\x20\xc0\x00\x00"))
    loaded = load_safetensors(tmp_path / "a")["x"]
    assert loaded.dtype == np.float32 and loaded.tolist() == [1.0, -2.5, 0.0]


def test_loaded_arrays_can_be_written_to(tmp_path):
    """A loaded array is the caller's own: it can be changed, and the file is as it was."""
    save_safetensors(tmp_path / "a", {"x": np.ones(3)})
    loaded = load_safetensors(tmp_path / "a")
    loaded["x"] += 1
    assert load_safetensors(tmp_path / "a")["x"].tolist() == [1, 1, 1]


def test_the_order_of_a_dict_leaves_no_trace(tmp_path):
    """Equal tensors give equal bytes, in whatever order they come."""
    tensors = {"b": np.ones(2), "a": np.zeros(3), "c": np.ones(1, np.int8)}
    save_safetensors(tmp_path / "a", tensors)
    save_safetensors(tmp_path / "b", dict(reversed(tensors.items())))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_refused_save_leaves_the_old_file(tmp_path):
    """A dtype, a name or metadata that cannot be stored: ValueError, the old bytes, and no other file."""
    save_safetensors(tmp_path / "a", {"x": np.ones(3)})
    old = (tmp_path / "a").read_bytes()
    for tensors, metadata in (
        ({"x": np.array([1j])}, None),
        ({"__metadata__": np.ones(1)}, None),
        ({"x": np.ones(1)}, {"step": 3}),
    ):
        with pytest.raises(ValueError):
            save_safetensors(tmp_path / "a", tensors, metadata)
    assert (tmp_path / "a").read_bytes() == old
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_save_does_not_write_over_the_old_file(tmp_path):
    """A second name of the old file (os.link) leads to the old bytes after the path was saved to again."""
    save_safetensors(tmp_path / "a", {"x": np.ones(3)})
    old = (tmp_path / "a").read_bytes()
    os.link(tmp_path / "a", tmp_path / "b")
    save_safetensors(tmp_path / "a", {"x": np.zeros(5)})
    assert (tmp_path / "b").read_bytes() == old
    assert load_safetensors(tmp_path / "a")["x"].tolist() == [0] * 5


def test_a_length_that_lies_is_refused(tmp_path):
    """A header that is said to be longer than the file, by a little or by 2^60, is a ValueError."""
    for length in (3, 100, 2**40, 2**60, 2**64 - 1):
        refused(tmp_path / "a", length.to_bytes(8, "little") + b"{}")


def test_a_header_of_another_form_is_refused(tmp_path):
    """No JSON, a name twice, a negative size, {"x":[[[ and so on without end: ValueError, from read_header too."""
    entry = b'{"dtype":"U8","shape":[4],"data_offsets":[0,4]}'
    refused(tmp_path / "a", file_of(b"{tensors}"))
    refused(tmp_path / "a", file_of(b'{"x":' + entry + b',"x":' + entry + b"}", bytes(4)))
    negative = {"x": {"dtype": "U8", "shape": [-2, -2], "data_offsets": [0, 4]}}
    refused(tmp_path / "a", file_of(negative, bytes(4)))
    refused(tmp_path / "a", file_of(b'{"x":' + b"[" * 200_000))


def test_offsets_that_lie_are_refused(tmp_path):
    """Offsets that do not fit the shape, overlap, or leave bytes over: ValueError, from read_header too."""
    x = {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}
    refused(tmp_path / "a", file_of({"x": {**x, "shape": [3]}}, bytes(4)))
    refused(tmp_path / "a", file_of({"x": x}, bytes(5)))
    y = {"dtype": "U8", "shape": [2], "data_offsets": [2, 4]}
    refused(tmp_path / "a", file_of({"x": x, "y": y}, bytes(4)))
