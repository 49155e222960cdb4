"""Answers by content, a file each. What is not whole is no answer, and what cannot be kept is not kept."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from ol.domain.errors import WrongRequest

_SEAL = hashlib.sha256().digest_size


class MemoFiles:
    """At most `entries` answers; the ones used longest ago go first."""

    def __init__(self, folder: Path, entries: int = 4096) -> None:
        self.folder = folder
        self.entries = entries

    def get(self, key: str) -> bytes | None:
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        seal, value = content[:_SEAL], content[_SEAL:]
        if seal != _seal(key, value):
            return None
        with suppress(OSError):
            os.utime(path)
        return value

    def put(self, key: str, value: bytes) -> None:
        from ol.adapters import safe_write  # most answers are only asked for

        with suppress(WrongRequest):
            safe_write.replace(self._path(key), _seal(key, value) + value)
        self._prune()

    def _path(self, key: str) -> Path:
        return self.folder / hashlib.sha256(key.encode("utf-8")).hexdigest()

    def _prune(self) -> None:
        with suppress(OSError):
            found = [(entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(self.folder)]
            for _, path in sorted(found)[: -self.entries]:
                Path(path).unlink()


def _seal(key: str, value: bytes) -> bytes:
    """Of the key too: a file under another's name is no answer."""
    return hashlib.sha256(key.encode("utf-8") + b"\0" + value).digest()
