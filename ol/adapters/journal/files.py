"""Journals on disk: chains of JSON lines that are only added to, and snapshots under their own hashes.

<journals>/.gitattributes              no line-end conversion
<journals>/<ID>/<chain>.jsonl          one entry a line
<journals>/<ID>/<chain>.aside          what was cut off a chain: torn, or damaged
<journals>/objects/<aa>/<sha256>       a test file or a student's unit
<memory>/journal/<ID>.json             which chain goes on here, its folder, its last line
<memory>/journal/<ID>.lock             held while a journal is written
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from ol.adapters import durable, safe_write
from ol.adapters.lock_file import locked
from ol.adapters.uninterrupted import uninterrupted
from ol.adapters.workspace import student_files
from ol.domain.course import ModuleId
from ol.domain.errors import WorkRefused
from ol.domain.file import File
from ol.domain.journal.chain import Chain, is_name, read_chain
from ol.domain.journal.chains import in_order, read_chains
from ol.domain.journal.entry import Entry, JournalState, Link
from ol.domain.journal.line import written
from ol.domain.journal.repair import mendable, repaired

_ATTRIBUTES = b"# A journal is its bytes: no line-end conversion.\n* -text\n"
_LARGEST_CHAIN = 256 << 20


class JournalFiles:
    """The port `Journal` over two folders: `journals`, which git holds, and `memory`, which it does not."""

    def __init__(self, journals: Path, memory: Path) -> None:
        self._journals = journals
        self._memory = memory / "journal"

    def read(self, id: ModuleId) -> JournalState:
        contents = self._contents(id)
        chains = read_chains(self._label(id), contents)
        links = in_order(chains)
        last = self._remembered(id)
        damaged = any(chain.fault for chain in chains.values())
        return JournalState(
            module=id,
            links=links,
            chain=self._going_on(id, chains),
            faults=tuple(chain.fault for chain in chains.values() if chain.fault),
            missing=self._missing(links),
            lost=last["chain"] if last and last["chain"] not in chains else None,
            mendable=mendable(self._label(id), contents) if damaged else len(links),
        )

    def append(self, id: ModuleId, entry: Entry, objects: Sequence[File]) -> Entry:
        """As the port says. Objects come first, so that no line ever names what is not there."""
        with self._writing(id):
            self._prepare()
            for file in objects:
                self._keep(file)
            self._set_torn_aside(id)
            chains = self._chains(id)
            name = self._going_on(id, chains) or f"{entry.at:%Y%m%d}-{secrets.token_hex(4)}"
            entry = _continued(chains.get(name), name, entry)
            line = written(entry)
            with durable.appended(self._file(id, name), line + b"\n"):
                self._remember(id, name, hashlib.sha256(line).hexdigest())
        return entry

    def object(self, sha256: str) -> bytes | None:
        """None for one that is missing, and for one whose bytes are not those of its name."""
        content = self._plain(self._object(sha256))
        return content if content is not None and hashlib.sha256(content).hexdigest() == sha256 else None

    def repair(self, id: ModuleId) -> tuple[str, ...]:
        """As the port says. What is set aside is on disk before a chain is cut."""
        with self._writing(id):
            before = self._contents(id)
            repair = repaired(self._label(id), before)
            told = [*repair.told]
            for name, content in repair.aside.items():
                told.append(f"set aside in {self._set_aside(id, name, content)}")
            for name, content in repair.chains.items():
                if content and content != before.get(name):
                    durable.replace(self._file(id, name), content)
            for name, content in repair.chains.items():
                if not content and before.get(name):
                    self._file(id, name).unlink()
        return tuple(told)

    @contextmanager
    def _writing(self, id: ModuleId) -> Iterator[None]:
        """One writer at a time. WrongRequest where the disk does not take it."""
        with safe_write.told(), locked(self._memory / f"{id}.lock"), uninterrupted():
            yield

    def _chains(self, id: ModuleId) -> dict[str, Chain]:
        return read_chains(self._label(id), self._contents(id))

    def _contents(self, id: ModuleId) -> dict[str, bytes]:
        files = sorted(path for path in self._listed(id) if path.suffix == ".jsonl")
        found = {file.name.removesuffix(".jsonl"): self._plain(file, _LARGEST_CHAIN) for file in files}
        return {name: content for name, content in found.items() if content is not None}

    def _plain(self, path: Path, largest: int = student_files.LARGEST) -> bytes | None:
        """Others write here too, through git: what is no plain file, or is too large, is not there.

        What may not be read is there, and nothing is told or written as if it were not.
        """
        try:
            file = student_files.read(self._journals, path, largest)
        except WorkRefused as error:
            if error.slug == "unreadable":
                told = f"{self._journals.name}/{error.message}"
                raise WorkRefused(error.slug, told, error.next_step) from error
            return None
        return file.content if file else None

    def _listed(self, id: ModuleId) -> tuple[Path, ...]:
        folder = self._journals / id
        try:
            return tuple(folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise student_files.unreadable(f"{self._journals.name}/{id}", error) from error

    def _going_on(self, id: ModuleId, chains: Mapping[str, Chain]) -> str | None:
        """The chain that was written here last, if it is as it was left and this is where it was left."""
        last = self._remembered(id)
        if last is None or last["folder"] != self._here():
            return None
        chain = chains.get(last["chain"])
        if chain is None or (chain.fault and not chain.fault.torn) or chain.head != last["last"]:
            return None
        return last["chain"]

    def _remembered(self, id: ModuleId) -> dict[str, str] | None:
        """None also for a memory that is no longer readable: a new chain begins, and nothing is lost."""
        try:
            found = json.loads((self._memory / f"{id}.json").read_text(encoding="utf-8"))
            return {key: str(found[key]) for key in ("chain", "folder", "last")}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _remember(self, id: ModuleId, chain: str, last: str) -> None:
        text = json.dumps({"chain": chain, "folder": self._here(), "last": last}, indent=1)
        durable.replace(self._memory / f"{id}.json", text.encode("utf-8"))

    def _here(self) -> str:
        return self._journals.resolve().as_posix()

    def _prepare(self) -> None:
        git = [(self._journals / ".gitattributes", _ATTRIBUTES), (self._memory / ".gitignore", b"*\n")]
        safe_write.create(git)

    def _keep(self, file: File) -> None:
        if self.object(file.sha256) is None:
            durable.replace(self._object(file.sha256), file.content)

    def _missing(self, links: Sequence[Link]) -> tuple[str, ...]:
        named = dict.fromkeys(sha256 for link in links for sha256 in sorted(link.entry.objects))
        return tuple(sha256 for sha256 in named if self.object(sha256) is None)

    def _set_torn_aside(self, id: ModuleId) -> None:
        """A line that was never finished, and the newline that a finished one may lack."""
        for name, content in self._contents(id).items():
            if not is_name(name):
                continue
            chain = read_chain(name, content)
            if chain.fault and chain.fault.torn:
                self._set_aside(id, name, content[chain.good :])
                durable.truncate(self._file(id, name), chain.good)
            elif content and not chain.fault and not content.endswith(b"\n"):
                durable.append(self._file(id, name), b"\n")

    def _set_aside(self, id: ModuleId, name: str, content: bytes) -> str:
        """Under the first name that is free, or that has this very content."""
        names = (f"{name}.aside" if number == 1 else f"{name}.{number}.aside" for number in count(1))
        paths = (self._journals / id / each for each in names)
        path = next(path for path in paths if not os.path.lexists(path) or self._plain(path) == content)
        if not os.path.lexists(path):
            durable.replace(path, content)
        return f"{self._label(id)}/{ascii(path.name)[1:-1]}"

    def _file(self, id: ModuleId, chain: str) -> Path:
        return self._journals / id / f"{chain}.jsonl"

    def _object(self, sha256: str) -> Path:
        return self._journals / "objects" / sha256[:2] / sha256

    def _label(self, id: ModuleId) -> str:
        return f"{self._journals.name}/{id}"


def _continued(chain: Chain | None, name: str, entry: Entry) -> Entry:
    """The entry as the next of a chain. Its own chain is no head: the line before it says that."""
    others = {other: head for other, head in entry.heads.items() if other != name}
    if chain is None or not chain.lines:
        return replace(entry, seq=1, previous="", heads=others)
    return replace(entry, seq=chain.lines[-1][1].seq + 1, previous=chain.head, heads=others)
