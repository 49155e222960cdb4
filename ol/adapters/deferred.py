"""The runner of a command that may need none: most of what is imported to run tests is imported when they are."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ol.adapters.runner import SuiteRunner
    from ol.adapters.site import Site
    from ol.domain.run import RunRequest
    from ol.domain.suite import SuiteRun


class DeferredRunner:
    """`Runner` of the ports: a `SuiteRunner` once a run is asked for, or `warm_up`; `package` is told before."""

    def __init__(self, at_once: int | None = None) -> None:
        self.package = ""
        self._at_once = at_once
        self._site: Site | None = None
        self._made: SuiteRunner | None = None
        self._making = threading.Lock()

    @property
    def _runner(self) -> SuiteRunner:
        """One for all threads."""
        from ol.adapters.runner import SuiteRunner

        with self._making:
            if self._made is None:
                self._made = SuiteRunner(at_once=self._at_once, site=self._site)
            return self._made

    @property
    def shape(self) -> str:
        return self._runner.shape

    @property
    def unconfined(self) -> tuple[str, ...]:
        return self._made.unconfined if self._made else ()

    def warm_up(self) -> None:
        """The server first of all: it starts while the runner is imported."""
        from ol.adapters.site import Site

        self._site = Site()
        self._site.warm_up()

    def run(self, request: RunRequest) -> SuiteRun:
        return self._told().run(request)

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        return self._told().run_all(requests, jobs)

    def __enter__(self) -> DeferredRunner:
        return self

    def __exit__(self, *_: object) -> None:
        if ending := self._made or self._site:
            ending.close()

    def _told(self) -> SuiteRunner:
        runner = self._runner
        runner.package = self.package
        return runner
