"""Honest work, done once by the commands themselves and copied for each attack."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ol.adapters.runner import SuiteRunner
from tests.attacks import desk
from tests.attacks.desk import Desk


@pytest.fixture(scope="session")
def runner() -> Iterator[SuiteRunner]:
    with SuiteRunner() as runner:
        yield runner


@pytest.fixture(scope="session")
def honest(runner: SuiteRunner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Desk]:
    """By the names that attack files have for it."""
    return {
        "calc": desk.calc(tmp_path_factory.mktemp("calc"), runner),
        "arrays": desk.arrays(tmp_path_factory.mktemp("arrays"), runner),
    }
