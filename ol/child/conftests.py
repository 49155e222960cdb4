"""A student's conftest may hold fixtures. Hooks in it could rewrite the reports, so they are refused."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


class HooksRefused(Exception):
    """Raised while a conftest is loaded: pytest reports it as a collection error of its folder."""


class NoHooks:
    """Refuses every plugin with hooks that comes after those of pytest and `ol`."""

    def __init__(self, manager: pytest.PytestPluginManager) -> None:
        self._known = [*manager.get_plugins(), self]

    def pytest_plugin_registered(self, plugin: object, manager: pytest.PytestPluginManager) -> None:
        if any(plugin is known for known in self._known):  # registration tells of the earlier ones too
            return
        hooks = [name for name in dir(plugin) if name.startswith("pytest_")]
        if hooks:
            manager.unregister(plugin)
            module = isinstance(plugin, ModuleType) and plugin.__file__
            where = Path(module).name if module else type(plugin).__name__
            raise HooksRefused(f"{where} defines {', '.join(hooks)}; only fixtures are allowed there.")
