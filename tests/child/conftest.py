"""One runner of each shape for all tests of the child."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ol.adapters.runner import SuiteRunner
from tests.child.plays import SHAPES, Stage


@pytest.fixture(scope="session", params=SHAPES)
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with SuiteRunner("tinyllm", request.param) as runner:
        assert runner.shape == request.param
        yield Stage(runner)
