"""Runs of code that is not ours, and who is told how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ol.domain.grading.values import Difference, Pair
    from ol.domain.run import RunRequest
    from ol.domain.suite import SuiteRun


class Runner(Protocol):
    """Runs tests in children; the same verdicts warm and cold."""

    @property
    def shape(self) -> str:
        """`warm` or `cold`."""

    @property
    def unconfined(self) -> tuple[str, ...]:
        """What the kernel could not keep the runs so far from, by name."""

    def run(self, request: RunRequest) -> SuiteRun: ...
    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        """(index, run) pairs as they end, `jobs` at a time. A time-out is run again alone before it is believed."""


class Values(Protocol):
    """Compares what probes handed out, in a trusted child where the code of neither side runs."""

    def compare(self, pairs: Sequence[Pair]) -> tuple[Difference, ...]:
        """One answer for each pair, in their order."""


class Foreground(Protocol):
    """Hands the terminal to a program: `ol tests --debug`, and the programs of `ol oracle`."""

    def pytest(self, arguments: Sequence[str], paths: Sequence[Path]) -> int: ...
    def program(self, script: Path, arguments: Sequence[str]) -> tuple[int, str]:
        """Run a course program to its end: exit code and what it wrote on standard error."""

    def scratch(self) -> AbstractContextManager[Path]: ...


class Progress(Protocol):
    """Told of work that can take over a second."""

    def begin(self, what: str, total: int, of: str = "run") -> None:
        """A stage begins, of so many runs, or of what `of` names."""

    def step(self, what: str = "") -> None: ...
    def end(self) -> None: ...
