"""L0.6, your tests of token files: each has a name and says what it is to show; write what shows it."""

# ruff: noqa: F401 (imported for the bodies to come)

import numpy as np
import pytest

from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens


def head(*fields):
    """The 1,024 bytes of a header: these int32, then zeros."""
    return np.array([*fields, *[0] * (256 - len(fields))], dtype="<i4").tobytes()


def test_a_token_file_by_hand(tmp_path):
    """The bytes of a small corpus are its header and its ids, and the ids come back."""


def test_the_version_follows_the_vocab(tmp_path):
    """65,536 ids are the last that take two bytes; the greatest id of a vocabulary comes back."""


def test_the_ids_cannot_be_written_to(tmp_path):
    """An assignment to an opened corpus fails."""


def test_the_ids_are_mapped(tmp_path):
    """Bytes that change in the file change in an array that was opened before: nothing was read ahead."""


def test_a_file_that_is_not_whole_is_refused(tmp_path):
    """Another magic number, an id too many, an id cut: ValueError."""


def test_ids_outside_the_vocab_are_refused_and_nothing_is_written(tmp_path):
    """-1 and the vocab itself are a ValueError, and the file that was there keeps its bytes."""
