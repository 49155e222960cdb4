"""An answer given again, for as long as no file that it can hang on has changed.

For a verb that runs nothing and is asked for often. As git does, files are known by place, size, times and inode,
and none is read; one that was changed a moment ago might change again within one tick of its clock, so the answer is
not kept until all of them are older than that.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ol.adapters.course.places import find_course
from ol.adapters.memo import MemoFiles
from ol.adapters.workspace.places import nearest, settings_folder
from ol.domain.errors import WrongRequest
from ol.domain.report import Page

_SETTLED_NS = 2_000_000_000
_KEPT = 8
_OF_A_COURSE = ("course", "oracle")
_OF_A_WORKSPACE = ("python", "journals", ".ol")
_PROGRAM = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The state of a course and a workspace before an answer. `state` is empty where none can be kept."""

    workspace: Path
    memo: MemoFiles
    state: str = ""

    @staticmethod
    def seen_from(here: Path, course: str | None, versions: Mapping[str, str]) -> Unchanged:
        # the nearest folder that may be one: whether it is, is found out when the answer is
        root = nearest(here, _OF_A_WORKSPACE) or here.resolve()
        memory = settings_folder(root, trusted=course is not None)
        memo = MemoFiles(memory / "answers", entries=_KEPT)
        try:
            lies = find_course(here, course)
        except WrongRequest:
            return Unchanged(root, memo)
        places = (
            [lies / name for name in _OF_A_COURSE] + [root / name for name in _OF_A_WORKSPACE] + [_PROGRAM]
        )
        told = [str(here), str(course), str(root), str(lies), repr(sorted(versions.items()))]
        return Unchanged(root, memo, _state(told, places, memory))

    def answer(self) -> Page | None:
        content = self.memo.get(self.state) if self.state else None
        return _page(content) if content else None

    def keep(self, page: Page, workspace: Path) -> Page:
        """The page, which is that of the workspace named."""
        if self.state and workspace == self.workspace:
            kept = {"command": page.command, "lines": page.lines, "fields": page.fields}
            self.memo.put(self.state, json.dumps(kept).encode("utf-8"))
        return page


def _page(content: bytes) -> Page | None:
    """None for what is no page: it is made again."""
    with suppress(ValueError, RecursionError):
        match json.loads(content):
            case {"command": str(command), "lines": [*lines], "fields": dict(fields)}:
                return Page(command, tuple(map(str, lines)), fields)
    return None


def _state(told: list[str], places: list[Path], memory: Path) -> str:
    """Empty when a file was changed too shortly ago, or went away just now, as another command's do.

    What is remembered by content is known by its names.
    """
    facts = hashlib.sha256(repr((sys.version, told)).encode("utf-8", "backslashreplace"))
    settled = time.time_ns() - _SETTLED_NS
    own = (memory / "answers", memory / "cache")
    try:
        for place in dict.fromkeys([*places, memory]):
            for path, status in _files(str(place), {str(each) for each in own}):
                if max(status.st_mtime_ns, status.st_ctime_ns) > settled:
                    return ""
                known = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
                facts.update(os.fsencode(f"{path}\0{known}\n"))
    except OSError:
        return ""
    with suppress(OSError):
        facts.update("\n".join(sorted(entry.name for entry in os.scandir(memory / "cache"))).encode("utf-8"))
    return facts.hexdigest()


def _files(folder: str, without: set[str]) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below a folder, each link as itself and as what it leads to; bytecode is made from what is there."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.path not in without and entry.name != "__pycache__":
                yield from _files(entry.path, without)
        else:
            yield entry.path, entry.stat(follow_symlinks=False)
            if entry.is_symlink() and Path(entry.path).exists():
                yield entry.path, entry.stat()
