"""Runs tests in children, warm or cold, and answers a `SuiteRun` for each request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from ol.adapters.attempt import Attempt, Shape, attempt, codes_of
from ol.adapters.cold import Cold
from ol.adapters.ending import Refused
from ol.adapters.rewritten import Codes, RewrittenTests, Tests
from ol.adapters.site import Site
from ol.adapters.verdict import suite_run
from ol.domain.errors import HarnessFault, WrongRequest
from ol.domain.run import RunRequest
from ol.domain.suite import Crashed, SuiteRun, TimedOut

_MOST_AT_ONCE = 64

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class SuiteRunner:
    """`Runner` of the ports. Starts nothing before it is asked to; `close` leaves no process and no scratch.

    `package` is the course's, told before the first run. `shape` is that of the site, where none is given.
    `at_once` bounds the children of all who ask, side by side; without it each asks for as many as it likes.
    """

    def __init__(
        self,
        package: str = "",
        shape: str | None = None,
        at_once: int | None = None,
        site: Site | None = None,
    ) -> None:
        self.package = package
        self._site = site or Site(shape)
        self._base, self._warm = self._site.base, self._site.server
        self._cold = Cold(self._base)
        self._shape: Shape = self._warm if self._site.is_warm else self._cold
        self._closed = threading.Event()
        self._pool = ThreadPoolExecutor(at_once or _MOST_AT_ONCE)  # a thread begins when there is work for it
        self._rewritten = RewrittenTests(self._codes)
        self._unconfined: dict[str, None] = {}

    @property
    def shape(self) -> str:
        return self._shape.name

    @property
    def unconfined(self) -> tuple[str, ...]:
        return tuple(self._unconfined)

    def __enter__(self) -> SuiteRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """The runs first, those of other threads too: one of them could start a server again."""
        self._closed.set()
        self._pool.shutdown()
        self._site.close()

    def run(self, request: RunRequest) -> SuiteRun:
        return next(self.run_all([request], jobs=1))[1]

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        """(index, run) pairs as they end; what is not to be believed yet is run again, alone, at the end.

        An answer that is waited for no longer has its runs ended, and waits for none of them: it may be let go of
        by any thread, one of the pool's too, and `close` waits for them all.
        """
        doubtful: list[tuple[int, RunRequest]] = []
        abandoned = threading.Event()

        def stopped() -> bool:
            return abandoned.is_set() or self._closed.is_set()

        def first(numbered: tuple[int, RunRequest]) -> Attempt:
            return self._attempt(numbered[1], stopped)

        try:
            for (index, request), tried in in_parallel(self._pool, first, enumerate(requests), jobs):
                run = concluded(request, tried)
                if tried.seen.ending.lost or _hasty(run, alone=jobs == 1):
                    doubtful.append((index, request))
                else:
                    yield index, run
            for index, request in doubtful:
                yield index, concluded(request, self._attempt(request, stopped))
        finally:
            abandoned.set()

    def _attempt(self, request: RunRequest, stopped: Callable[[], bool]) -> Attempt:
        """Once in the shape of this runner; cold where it could not begin."""
        try:
            tried = self._attempt_in(self._shape, request, stopped)
        except Refused:
            return self._attempt_in(self._cold, request, stopped)
        if tried.account.begun or not tried.seen.ending.lost:
            return tried
        self._shape = self._cold  # the server does not live here
        return self._attempt_in(self._cold, request, stopped)

    def _attempt_in(self, shape: Shape, request: RunRequest, stopped: Callable[[], bool]) -> Attempt:
        codes = self._rewritten.of(request.tests) if shape is self._warm else {}
        tried = attempt(request, shape, self._base, self.package, stopped, codes)
        self._unconfined |= dict.fromkeys(tried.account.unconfined)
        if stopped():
            raise HarnessFault("run-stopped", "A run was stopped before its end.", "Run the command again.")
        return tried

    def _codes(self, tests: Tests) -> Codes:
        return codes_of(tests, self._warm, self._base, self.package, self._closed.is_set)


def concluded(request: RunRequest, tried: Attempt) -> SuiteRun:
    """The attempt's `SuiteRun`. WrongRequest for a keyword pytest refuses; HarnessFault if nothing began."""
    account, seen = tried.account, tried.seen
    if account.usage:
        raise WrongRequest(
            "wrong-keyword", f"{account.usage}.", "Write -k as for pytest: names with and, or, not."
        )
    if not account.begun and not seen.ending.lost:
        told = seen.output_tail.strip() or f"exit code {seen.ending.code}"
        raise HarnessFault("run-not-begun", f"A child ended before its run began: {told}")
    return suite_run(account, seen, request.budget, request.stop_at_first)


def _hasty(run: SuiteRun, alone: bool) -> bool:
    """Whether a time-out may be another program's doing. CPU time used alone is no one else's."""
    if not isinstance(run, Crashed) or not isinstance(run.exit, TimedOut):
        return False
    return not (alone and run.exit.limit == "cpu")


def in_parallel(
    pool: ThreadPoolExecutor, work: Callable[[Item], Answer], items: Iterable[Item], jobs: int
) -> Iterator[tuple[Item, Answer]]:
    """Each item with its answer as it comes; an item is drawn only when there is room for it."""
    waiting: dict[Future[Answer], Item] = {}
    for item in items:
        waiting[pool.submit(work, item)] = item
        while len(waiting) == jobs:
            yield from _answered(waiting)
    while waiting:
        yield from _answered(waiting)


def _answered(waiting: dict[Future[Answer], Item]) -> Iterator[tuple[Item, Answer]]:
    ended, _ = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)  # Windows hears Ctrl-C between slices
    for future in ended:
        yield waiting.pop(future), future.result()
