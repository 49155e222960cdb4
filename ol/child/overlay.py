"""Serves the course's package from memory: the units of one request, and nothing of that name from disk.

The sources stay unreadable to the code they become: no `get_source`, no `__file__`, nothing in `linecache`.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType


class Overlay(MetaPathFinder, Loader):
    """Finds and loads `package` and every module below it; folders on the way are namespace packages."""

    def __init__(self, package: str, units: Mapping[str, bytes | str]) -> None:
        self._package = package
        self._units = dict(units)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != self._package:
            return None
        if name in self._units:
            return ModuleSpec(name, self, origin=f"<{name}>")
        if name == self._package or any(unit.startswith(f"{name}.") for unit in self._units):
            return ModuleSpec(name, self, is_package=True)
        raise ModuleNotFoundError(f"No module named {name!r} among the units of this run", name=name)

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in self._units:
            exec(code(name, self._units[name]), module.__dict__)


def code(name: str, unit: bytes | str) -> CodeType:
    """`ol` compiled the unit, or could not: then this raises what is wrong with its text."""
    if isinstance(unit, str):
        return compile(unit, f"<{name}>", "exec", dont_inherit=True)
    told: CodeType = marshal.loads(unit)
    return told


def install(package: str, units: Mapping[str, bytes | str]) -> None:
    """Ask the overlay before everything else."""
    sys.meta_path.insert(0, Overlay(package, units))
