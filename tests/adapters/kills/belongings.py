"""What must be on disk after the deeds that were done, held against what is there."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.adapters.journal import on_disk
from tests.adapters.kills.writer import UNITS, Deed, memo, workspace

_LEFT_BEHIND = re.compile(r"\..+\.[0-9a-f]{8}")  # a file that had not yet got its name


@dataclass
class Belongings:
    """What every deed that was done has left. The one that was cut short has happened, or it has not."""

    root: Path
    records: list[str] = field(default_factory=list)
    units: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(UNITS))
    kept: Counter[str] = field(default_factory=Counter)
    last_started: str | None = None
    assisted: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def found_intact(self, pending: Deed | None = None) -> None:
        """All that was done is there, whole; what was being done is all there or not at all."""
        self._journal(pending)
        self._files(pending)
        self._memory(pending)

    def done(self, deed: Deed) -> None:
        old = self.units[deed.unit]
        if deed.do == "record":
            self.records.append(deed.name)
        elif deed.do == "create":
            self.units = {unit: deed.text if text is None else text for unit, text in self.units.items()}
        elif deed.do == "renew":
            assert old is not None
            self.kept[old] += 1
            self.units[deed.unit] = deed.text
        elif deed.do == "extend":
            assert old is not None
            self.units[deed.unit] = old + deed.text
        elif deed.do == "start":
            self.last_started = deed.unit
            self.assisted[deed.unit] = deed.name
        else:
            self.answers[deed.unit] = deed.text

    def _journal(self, pending: Deed | None) -> None:
        state = on_disk.files(self.root).read(on_disk.A1)
        assert not (state.damage or state.missing or state.lost)
        found = sorted(link.entry.versions["n"] for link in state.links)
        if pending is not None and pending.do == "record" and pending.name in found:
            self.records.append(pending.name)
        assert found == sorted(self.records)

    def _files(self, pending: Deed | None) -> None:
        desk = workspace(self.root)
        kept = Counter(path.read_text("utf-8") for path in (self.root / ".ol/kept").rglob("*.py"))
        for unit, old in self.units.items():
            file = desk.unit(unit)
            now = None if file is None else file.text()
            if now != old:
                assert pending is not None
                assert now in self._after(pending, unit, kept), (
                    f"{unit} is neither as it was nor as it was to be"
                )
                self.units[unit] = now
                if pending.do == "renew" and old is not None:
                    self.kept[old] += 1
        assert kept == self.kept
        for path in (path for path in (self.root / "python").rglob("*") if path.is_file()):
            in_its_place = path.relative_to(self.root / "python/tiny").as_posix() in UNITS
            assert in_its_place or _LEFT_BEHIND.fullmatch(path.name), path

    def _after(self, pending: Deed, unit: str, kept: Counter[str]) -> tuple[str | None, ...]:
        """What a unit may hold when it no longer holds what it did."""
        old = self.units[unit]
        if pending.do == "create" and old is None:
            return (pending.text,)
        if pending.do == "extend" and old is not None and unit == pending.unit:
            return (old + pending.text,)
        if pending.do == "renew" and old is not None and unit == pending.unit and kept[old] > self.kept[old]:
            return (pending.text, None)  # put away, and the new one not yet written
        return ()

    def _memory(self, pending: Deed | None) -> None:
        desk, starting = workspace(self.root), pending is not None and pending.do == "start"
        if starting and pending is not None and desk.assisted(pending.unit) == pending.name:  # type: ignore[arg-type]
            self.done(pending)
        assert desk.last_started() == self.last_started
        for unit, name in self.assisted.items():
            assert desk.assisted(unit) == name  # type: ignore[arg-type]
        for unit, text in self.answers.items():
            content = memo(self.root).get(unit)
            if content != text.encode() and pending is not None and pending.do == "memo":
                assert (unit, content) == (pending.unit, pending.text.encode())
                self.answers[unit] = pending.text
            else:
                assert content == text.encode()
