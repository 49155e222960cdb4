"""L0.6, your tests of safetensors files: each has a name and says what it is to show; write what shows it."""

# ruff: noqa: F401 (imported for the bodies to come)

import json
import os

import numpy as np
import pytest

from tinyllm.io.safetensors import load_safetensors, read_header, save_safetensors


def file_of(header, content=b""):
    """The bytes of a file: the header's length, the header (a dict or bytes), the content."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode("utf-8")
    return len(text).to_bytes(8, "little") + text + content


def test_a_file_by_hand_is_read(tmp_path):
    """Bytes that you write yourself, a scalar among the tensors, are loaded with the right values and shapes."""


def test_the_bytes_that_a_save_writes(tmp_path):
    """A small file, byte for byte: order of the tensors, no blanks in the JSON, spaces up to a multiple of 8."""


def test_every_dtype_comes_back(tmp_path):
    """Names, dtypes, shapes and values of all dtypes survive a save and a load; so do a scalar and no values."""


def test_a_transposed_and_a_big_endian_tensor_keep_their_values(tmp_path):
    """However an array lies in memory, what comes back is equal to it."""


def test_a_bf16_tensor_comes_as_float32(tmp_path):
    """The two bytes of a BF16 are the upper two of the float32 that is loaded."""


def test_loaded_arrays_can_be_written_to(tmp_path):
    """A loaded array is the caller's own: it can be changed, and the file is as it was."""


def test_the_order_of_a_dict_leaves_no_trace(tmp_path):
    """Equal tensors give equal bytes, in whatever order they come."""


def test_a_refused_save_leaves_the_old_file(tmp_path):
    """A dtype, a name or metadata that cannot be stored: ValueError, the old bytes, and no other file."""


def test_a_save_does_not_write_over_the_old_file(tmp_path):
    """A second name of the old file (os.link) leads to the old bytes after the path was saved to again."""


def test_a_length_that_lies_is_refused(tmp_path):
    """A header that is said to be longer than the file, by a little or by 2^60, is a ValueError."""


def test_a_header_of_another_form_is_refused(tmp_path):
    """No JSON, a name twice, a negative size, {"x":[[[ and so on without end: ValueError, from read_header too."""


def test_offsets_that_lie_are_refused(tmp_path):
    """Offsets that do not fit the shape, overlap, or leave bytes over: ValueError, from read_header too."""
