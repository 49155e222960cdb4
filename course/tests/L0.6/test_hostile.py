"""Course tests of L0.6, safetensors files that lie: a ValueError each, no crash, no memory on a header's word."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from frozen import PCG32
from tinyllm.io.safetensors import load_safetensors, read_header


def entry(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def file_of(header: Any, content: bytes = b"\0" * 4) -> bytes:
    """Eight bytes of length, the header as it is or as JSON, and the content."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


ONE = json.dumps(entry()).encode()
GOOD = file_of(
    {"__metadata__": {"k": "v"}, "a": entry(), "b": entry("F32", [2, 1], [4, 12])}, bytes(range(12))
)

LENGTHS = {
    "empty": b"",
    "cut in the length": b"\x10\0\0",
    "no header": bytes(8),
    "a header longer than the file": (100).to_bytes(8, "little") + b"{}",
    "a length of 2^40": (2**40).to_bytes(8, "little") + b"{}",
    "a length of 2^64 - 1": b"\xff" * 8 + b"{}",
}
HEADERS = {
    "no JSON": file_of(b"{tensors}"),
    "no UTF-8": file_of(b'{"\xff":' + ONE + b"}"),
    "a blank before it": file_of(b' {"x":' + ONE + b"}"),
    "a list": file_of(b"[]", b""),
    "null": file_of(b"null", b""),
    "nested 200,000 deep": file_of(b'{"x":' + b"[" * 200_000),
    "a name twice": file_of(b'{"x":' + ONE + b',"x":' + ONE + b"}"),
    "a key twice in an entry": file_of(b'{"x":{"shape":[4],"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'),
    "metadata of numbers": file_of({"__metadata__": {"a": 1}}, b""),
    "metadata that is a list": file_of({"__metadata__": ["a"]}, b""),
    "an entry that is a list": file_of({"x": ["U8", [4], [0, 4]]}),
    "an entry without offsets": file_of({"x": {"dtype": "U8", "shape": [4]}}),
    "an unknown dtype": file_of({"x": entry(dtype="F3")}),
    "a dtype that is a list": file_of({"x": entry(dtype=["U8"])}),
    "a shape that is a number": file_of({"x": entry(shape=4)}),
    "two negative sizes": file_of({"x": entry(shape=[-2, -2])}),
    "a size that is a float": file_of({"x": entry(shape=[4.0])}),
    "three offsets": file_of({"x": entry(offsets=[0, 4, 4])}),
}
OFFSETS = {
    "backwards": file_of({"x": entry(offsets=[4, 0])}),
    "negative": file_of({"x": entry(offsets=[-4, 0])}),
    "not as the shape": file_of({"x": entry(shape=[3])}),
    "not as the dtype": file_of({"x": entry(dtype="F32")}),
    "sizes that multiply to 2^64 + 4": file_of({"x": entry(shape=[4, 2**62 + 1])}),
    "a tensor of 2^60 bytes": file_of({"x": entry(shape=[2**60], offsets=[0, 2**60])}),
    "a tensor longer than the file": file_of({"x": entry(shape=[5], offsets=[0, 5])}),
    "bytes left over": file_of({"x": entry(shape=[3], offsets=[0, 3])}),
    "bytes without a tensor": file_of({}),
    "an overlap": file_of({"x": entry(), "y": entry(shape=[2], offsets=[2, 4])}),
    "the same bytes twice": file_of({"x": entry(), "y": entry()}),
    "a hole": file_of({"x": entry(shape=[1], offsets=[0, 1]), "y": entry(shape=[1], offsets=[3, 4])}),
    "a hole at the start": file_of({"x": entry(shape=[2], offsets=[2, 4])}),
}


def refused(content: bytes, path: Path) -> None:
    """Both readers raise ValueError, and take no more memory than some forty times the file."""
    path.write_bytes(content)
    for read in (read_header, load_safetensors):
        tracemalloc.start()
        try:
            with pytest.raises(ValueError):
                read(path)
            assert tracemalloc.get_traced_memory()[1] < 1_000_000 + 40 * len(content), "memory was taken"
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("content", LENGTHS.values(), ids=LENGTHS.keys())
def test_a_length_that_lies_is_refused(content: bytes, tmp_path: Path) -> None:
    """The first eight bytes may claim anything: no more is read than the file has. Catches s01.

    A download that broke off, or an attacker, must not cost the machine its memory.
    """
    refused(content, tmp_path / "a")


@pytest.mark.parametrize("content", HEADERS.values(), ids=HEADERS.keys())
def test_a_header_of_another_form_is_refused(content: bytes, tmp_path: Path) -> None:
    """No JSON, keys twice, wrong types, depth without end: a ValueError each, and nothing else.

    Two readers that understand one file differently are a hole to slip through. Catches s12 (a name twice),
    s24 (negative sizes) and s25 (a RecursionError).
    """
    refused(content, tmp_path / "a")


@pytest.mark.parametrize("content", OFFSETS.values(), ids=OFFSETS.keys())
def test_offsets_that_lie_are_refused(content: bytes, tmp_path: Path) -> None:
    """Every byte belongs to one tensor, and every tensor has the bytes of its dtype and shape.

    Hidden bytes, shared bytes and bytes that are not there are how a file tells two stories. Catches s04
    (dtype and shape not looked at), s10 (an overlap) and s11 (bytes left over).
    """
    refused(content, tmp_path / "a")


def test_every_cut_is_refused(tmp_path: Path) -> None:
    """A whole file is read; cut anywhere it is not. Downloads break off at any byte."""
    path = tmp_path / "a"
    path.write_bytes(GOOD)
    assert load_safetensors(path)["a"].tolist() == [0, 1, 2, 3]
    for size in (*range(0, len(GOOD), 3), len(GOOD) - 1):
        path.write_bytes(GOOD[:size])
        with pytest.raises(ValueError):
            load_safetensors(path)


def test_a_spoiled_file_is_read_or_refused(tmp_path: Path) -> None:
    """A hundred files with some bytes changed: a ValueError, or arrays that the file's bytes fill.

    Nothing else may come out, whatever a disk or an attacker does.
    """
    path, rng, read = tmp_path / "a", PCG32(7), 0
    for _ in range(100):
        spoiled = bytearray(GOOD)
        for _ in range(1 + rng.below(3)):
            spoiled[rng.below(len(spoiled))] = rng.below(128)
        path.write_bytes(spoiled)
        try:
            loaded = load_safetensors(path)
        except ValueError:
            continue
        read += 1
        start = 8 + int.from_bytes(spoiled[:8], "little")
        assert sum(each.nbytes for each in loaded.values()) == len(GOOD) - start
    assert 0 < read < 100
