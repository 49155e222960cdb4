"""A file as a value: where it stands below its root, and its bytes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from ol.domain.errors import WorkRefused

# In the first line, or in the second after a blank one or a comment (PEP 263).
_DECLARED = re.compile(rb"(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = {b"utf-8", b"utf8", b"utf-8-sig"}


def leads_out(name: str) -> bool:
    """Whether a posix path could leave the folder that it is taken below, on any platform."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or any(sign in name for sign in "\\:\0")


def is_plain_name(part: str) -> bool:
    """Whether one name of a path can stand on any platform, in a journal and in a report."""
    return part not in ("", ".", "..") and part.isprintable() and not leads_out(part) and len(part) < 200


@dataclass(frozen=True, slots=True)
class File:
    """`name` is a posix path below the root that the file was read from."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def text(self) -> str:
        """The content as UTF-8 text, byte-order mark and CRLF aside. WorkRefused in another encoding.

        Also where Python would read it in another: what is a comment here could be code there.
        """
        if self.name.endswith(".py"):
            self._refuse_another_encoding()
        try:
            return self.content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise WorkRefused(
                "not-utf8",
                f"{self.name} is not UTF-8 text: byte {error.start} cannot be read.",
                "Save the file as UTF-8 in your editor, then run the command again.",
            ) from error

    def _refuse_another_encoding(self) -> None:
        declared = _DECLARED.match(self.content)
        if declared and declared[1].lower().replace(b"_", b"-") not in _UTF8:
            raise WorkRefused(
                "not-utf8",
                f"{self.name} says that it is {declared[1].decode('ascii', 'replace')}; ol reads UTF-8.",
                "Save the file as UTF-8, and take that comment out.",
            )
