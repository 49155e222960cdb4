"""Fixtures of the commands' tests: one real runner for each small course, a fresh world for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.journal_world import TickingClock, World


@pytest.fixture(scope="session")
def tiny_runner() -> Iterator[SuiteRunner]:
    with SuiteRunner("tinycalc") as runner:
        yield runner


@pytest.fixture(scope="session")
def probed_runner() -> Iterator[SuiteRunner]:
    with SuiteRunner("tinyarr") as runner:
        yield runner


@pytest.fixture(scope="session")
def ladder_runner() -> Iterator[SuiteRunner]:
    with SuiteRunner("tinystep") as runner:
        yield runner


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> World:
    """A student who has just started A1: the stub and the given test."""
    return World(tmp_path / "home", tiny_runner, TickingClock())
