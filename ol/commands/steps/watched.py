"""Runs whose progress is told as they end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from ol.ports import Ports


def watched(
    ports: Ports, what: str, requests: Sequence[RunRequest], jobs: int
) -> Iterator[tuple[int, SuiteRun]]:
    """(index, run) pairs as they end, `jobs` at a time."""
    ports.progress.begin(what, len(requests))
    try:
        for index, run in ports.runner.run_all(requests, jobs):
            ports.progress.step()
            yield index, run
    finally:
        ports.progress.end()
