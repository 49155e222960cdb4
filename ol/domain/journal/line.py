"""One line of a chain: an entry as one JSON object that ends with the hash of all before it."""

from __future__ import annotations

import hashlib
import re

import msgspec

from ol.domain.errors import WrongRequest
from ol.domain.journal.entry import VERSION, Entry

_LINE = re.compile(rb'(\{.*),"sha256":"([0-9a-f]{64})"\}', re.DOTALL)


class LineWrong(Exception):
    """Says, as a clause, what is wrong with a line."""


class _Numbered(msgspec.Struct):
    version: int


def written(entry: Entry) -> bytes:
    """The line, without its newline. Its own hash finds an edit in the last line, which no other names."""
    body = msgspec.json.encode(entry)
    return b'%s,"sha256":"%s"}' % (body[:-1], sha256(body).encode("ascii"))


def read(line: bytes) -> Entry:
    """LineWrong for a line that is not as it was written, WrongRequest for one of a newer ol."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise LineWrong("is no line of a journal")
    body = found[1] + b"}"
    if sha256(body) != found[2].decode("ascii"):
        raise LineWrong("was edited: it is not the text that its hash was made of")
    return _decoded(body)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _decoded(body: bytes) -> Entry:
    try:
        version = msgspec.json.decode(body, type=_Numbered).version
        if version > VERSION:
            told = f"This journal was written by a newer ol: format {version}, and this one knows {VERSION}."
            raise WrongRequest("journal-newer", told, "Update ol, then run the command again.")
        return msgspec.json.decode(body, type=Entry)
    except msgspec.MsgspecError as error:
        raise LineWrong(f"holds what no ol writes: {error}") from error
