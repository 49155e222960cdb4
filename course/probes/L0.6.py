"""Probes of L0.6: what the readers and writers make of files that nobody has seen before.

Everything is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives bytes and arrays, and
where a file may be refused it gives what was read, or nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors
from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens

Arrays = dict[str, ArrayLike]

CODES = ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1")
NAMES = ("F64", "F32", "F16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL")
MAGIC = 20240520


def drawn(rng: PCG32, code: str) -> NDArray[Any]:
    """An array of a drawn shape, none, one or two axes, with values that every dtype holds."""
    shape = [rng.below(4) for _ in range(rng.below(3))]
    return (100 * rng.uniforms(int(np.prod(shape, dtype=int)))).astype(code).reshape(shape)


def bytes_of(content: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(content, dtype=np.uint8)


def text(words: Any) -> NDArray[np.uint8]:
    """A JSON value as bytes, in its own order."""
    return bytes_of(json.dumps(words).encode("ascii"))


def file_of(header: Any, content: bytes) -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(raw).to_bytes(8, "little") + raw + content


def probe_written(seed: int) -> Arrays:
    """The bytes of a file of every dtype, shuffled, with names and metadata drawn; of arrays that lie oddly."""
    rng = PCG32(seed)
    codes = list(CODES)
    rng.shuffle(codes)
    tensors = {f"{rng.below(1000)}.{number}": drawn(rng, code) for number, code in enumerate(codes)}
    odd = (100 * rng.uniforms(12)).astype(np.int32).reshape(3, 4)
    lying = {"t": odd.T, "back": odd[::-1], "steps": odd[:, ::2], "big": odd.astype(">i4")}
    found = {}
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "a"
        for name, each in (("drawn", tensors), ("lying", lying)):
            save_safetensors(
                path, each, {"step": str(rng.below(100)), "by": "probe"} if rng.below(2) else None
            )
            found[name] = bytes_of(path.read_bytes())
    return found


def probe_replaced(seed: int) -> Arrays:
    """An old file by its second name after a new save, and what a save that is refused leaves."""
    rng = PCG32(seed)
    with tempfile.TemporaryDirectory() as made:
        path, second = Path(made) / "a", Path(made) / "b"
        save_safetensors(path, {"x": rng.uniforms(5)})
        os.link(path, second)
        save_safetensors(path, {"x": rng.uniforms(1 + rng.below(4))})
        for tensors, metadata in (
            ({"x": np.ones(2)}, {"step": rng.below(9)}),
            ({"x": np.ones(2, complex)}, None),
        ):
            with contextlib.suppress(ValueError):
                save_safetensors(path, tensors, metadata)
        found = {"old": bytes_of(second.read_bytes()), "new": bytes_of(path.read_bytes())}
        return {**found, "names": text(sorted(os.listdir(made)))}


def probe_read(seed: int) -> Arrays:
    """The arrays of a file whose tensors lie in another order than its header, with a BF16 among them."""
    rng = PCG32(seed)
    tensors = [(name, drawn(rng, code)) for name, code in zip(NAMES, CODES, strict=True)]
    halves = np.array([rng.below(0x7F00) for _ in range(6)], "<u2").reshape(2, 3)
    tensors += [("BF16", halves), ("F32", np.array(rng.uniform(), np.float32))]
    rng.shuffle(tensors)
    entries, content = [], b""
    for number, (dtype, array) in enumerate(tensors):
        place = [len(content), len(content) + array.nbytes]
        entries.append((f"{dtype} {number}", {"dtype": dtype, "shape": array.shape, "data_offsets": place}))
        content += array.tobytes()
    rng.shuffle(entries)
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "a"
        path.write_bytes(file_of({"__metadata__": {"k": str(rng.below(9))}, **dict(entries)}, content))
        loaded, header = load_safetensors(path), read_header(path)
    writable = [array.flags.writeable for array in loaded.values()]
    found = {name: array for name, array in sorted(loaded.items())}
    return {**found, "order": text(list(loaded)), "header": text(header), "writable": np.array(writable)}


def spoiled(rng: PCG32) -> dict[str, bytes]:
    """Files that lie, each in one way, and one that does not."""
    n = 2 + rng.below(5)
    whole = {"dtype": "U8", "shape": [n], "data_offsets": [0, n]}
    one, content = json.dumps(whole).encode(), bytes(rng.below(256) for _ in range(n))
    other = {"dtype": "U8", "shape": [1], "data_offsets": [rng.below(n), n]}
    return {
        "whole": file_of({"x": whole}, content),
        "length": (2 ** (40 + rng.below(24))).to_bytes(8, "little") + b"{}",
        "shape": file_of({"x": {**whole, "shape": [n + 1 + rng.below(9)]}}, content),
        "overlap": file_of({"x": whole, "y": {**other, "data_offsets": [n - 1, n]}}, content),
        "left over": file_of({"x": whole}, content + bytes(1 + rng.below(3))),
        "twice": file_of(b'{"x":' + one + b',"x":' + one.replace(b"U8", b"I8") + b"}", content),
        "negative": file_of({"x": {**whole, "shape": [-1, -n]}}, content),
        "deep": file_of(b'{"x":' + b"[" * (100_000 + rng.below(9)), b""),
    }


def spoiled_tokens(rng: PCG32) -> dict[str, bytes]:
    """Token files that lie, each in one way, and one that does not."""
    n = 1 + rng.below(4)
    ids, filled = bytes(2 * n), [0] * 252
    head = np.array([MAGIC, 1, n, 9, *filled], "<i4").tobytes()
    other = np.array([MAGIC + 1 + rng.below(9), 1, n, 9, *filled], "<i4").tobytes()
    return {
        "whole tokens": head + ids,
        "magic": other + ids,
        "more": head + ids + ids,
        "less": head + ids[1:],
    }


def probe_refused(seed: int) -> Arrays:
    """For each file that lies, what its header says to the unit, if the unit does not refuse it."""
    rng, found = PCG32(seed), {}
    readers: list[tuple[dict[str, bytes], Callable[[Path], Any]]] = [
        (spoiled(rng), read_header), (spoiled_tokens(rng), read_tokens_header),
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "a"
        for files, read in readers:
            for name, content in files.items():
                path.write_bytes(content)
                with contextlib.suppress(ValueError):
                    found[name] = text(read(path))
    return found


def probe_tokens(seed: int) -> Arrays:
    """The bytes of corpora in three vocabularies, what comes back, and what a change of the file does to it."""
    rng, found = PCG32(seed), {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:  # a map may keep a file
        for vocab in (300, 2**16, 2**16 + 1 + rng.below(1000)):
            path = Path(made) / str(vocab)
            ids = np.array([rng.below(vocab) for _ in range(9)] + [vocab - 1], ">i8")
            write_tokens(path, ids, vocab)
            opened = open_tokens(path)
            found[f"{vocab} bytes"] = bytes_of(path.read_bytes())
            found[f"{vocab} ids"], found[f"{vocab} writable"] = (
                opened.copy(),
                np.array(opened.flags.writeable),
            )
            found[f"{vocab} header"] = text(sorted(read_tokens_header(path).items()))
            with path.open("r+b") as file:
                file.seek(1024)
                file.write(bytes([rng.below(200), 1]))
            found[f"{vocab} ids of the changed file"] = opened.copy()
            for wrong in ([-1 - rng.below(9)], [vocab]):
                with contextlib.suppress(ValueError):
                    write_tokens(path, wrong, vocab)
            found[f"{vocab} bytes after writes that are refused"] = bytes_of(path.read_bytes())
    return {name.replace(str(vocab), "most"): array for name, array in found.items()}
