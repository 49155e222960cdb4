"""What `ol` remembers of a workspace, in `.ol/`. It decides no verdict: what cannot be read is forgotten."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from ol.adapters import safe_write
from ol.adapters.lock_file import locked
from ol.domain.course import ModuleId


class _Started(msgspec.Struct):
    last_started: str | None = None
    assisted: dict[str, str] = {}


class _HintStep(msgspec.Struct):
    module: str
    mutant: str
    step: int


class Settings:
    """`state.json`, what was started and how; `hints.jsonl`, the hints taken, a line each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def last_started(self) -> ModuleId | None:
        last = self._started().last_started
        return ModuleId(last) if last else None

    def assisted(self, id: ModuleId) -> str | None:
        return self._started().assisted.get(id)

    def remember_start(self, id: ModuleId, ref_deps: str | None) -> None:
        self._prepare()
        with safe_write.told(), locked(self.folder / "state.lock"):
            started = self._started()
            started.last_started = id
            started.assisted.pop(id, None)
            if ref_deps is not None:
                started.assisted[id] = ref_deps
            safe_write.replace(self.folder / "state.json", msgspec.json.encode(started) + b"\n")

    def hint_steps(self, id: ModuleId) -> tuple[tuple[str, int], ...]:
        steps: list[_HintStep] = []
        for line in self._read("hints.jsonl").splitlines():
            with suppress(msgspec.DecodeError):
                steps.append(msgspec.json.decode(line, type=_HintStep))
        return tuple((each.mutant, each.step) for each in steps if each.module == id)

    def remember_hint(self, id: ModuleId, mutant: str, step: int) -> None:
        line = msgspec.json.encode(_HintStep(id, mutant, step)) + b"\n"
        self._prepare()
        safe_write.append(self.folder / "hints.jsonl", line)

    def _started(self) -> _Started:
        try:
            return msgspec.json.decode(self._read("state.json"), type=_Started)
        except msgspec.DecodeError:
            return _Started()

    def _read(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            return b""

    def _prepare(self) -> None:
        """A workspace's own .gitignore need not know of `.ol/`."""
        safe_write.create([(self.folder / ".gitignore", b"*\n")])
