"""Test files compiled once for a command, assertions rewritten as pytest does, and each run served from that.

Rewriting costs as much as a short suite. The run that does it runs nothing of a student's: what it sends is as
good as the files themselves, and what student code leaves behind (a .pyc, say) is never read.
"""

from __future__ import annotations

import marshal
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import pytest


def compiled(config: pytest.Config, tests: Path) -> dict[str, str]:
    """The code of each file that pytest would rewrite, by its name below `tests`: marshalled, in base64.

    A file that does not compile is left out, and pytest tells why when it meets it. There is no public way to
    rewrite without running: under a pytest that has moved this one, every run rewrites for itself.
    """
    try:
        from _pytest.assertion.rewrite import _rewrite_test
    except ImportError:
        return {}
    patterns = ("conftest.py", *config.getini("python_files"))
    found = {}
    for file in tests.rglob("*.py"):
        if any(fnmatch(file.name, pattern) for pattern in patterns):
            with suppress(Exception):
                code = _rewrite_test(file, config)[1]
                found[file.relative_to(tests).as_posix()] = b64encode(marshal.dumps(code)).decode("ascii")
    return found


class Rewritten(MetaPathFinder, Loader):
    """Loads the files below `tests` that there is code of."""

    def __init__(self, tests: Path, codes: Mapping[str, bytes]) -> None:
        self._codes = {str(tests / name): code for name, code in codes.items()}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for folder in path or ():
            file = str(Path(folder) / f"{name.rpartition('.')[2]}.py")
            if file in self._codes:
                return spec_from_file_location(name, file, loader=self)
        return None

    def exec_module(self, module: ModuleType) -> None:
        file = str(module.__file__)
        exec(moved(marshal.loads(self._codes[file]), file), module.__dict__)


def moved(code: CodeType, file: str) -> CodeType:
    """The code as if it had been compiled from this file: each run has its own copy of it."""
    inner = [moved(each, file) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.replace(co_filename=file, co_consts=tuple(inner))


def install(tests: Path, codes: Mapping[str, bytes]) -> None:
    """Ask for the code before pytest asks the file."""
    sys.meta_path.insert(0, Rewritten(tests, codes))
