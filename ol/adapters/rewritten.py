"""The code of test files that are run more than once: made in a child of its own, from the second run on."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping

from ol.domain.file import File

Tests = tuple[File, ...]
Codes = Mapping[str, bytes]  # by file name: marshalled


class RewrittenTests:
    """`make` answers the code of test files; none where it cannot, and each run then compiles for itself."""

    def __init__(self, make: Callable[[Tests], Codes]) -> None:
        self._make = make
        self._asked: Counter[Tests] = Counter()
        self._made: dict[Tests, Codes] = {}
        self._lock = threading.Lock()

    def of(self, tests: Tests) -> Codes:
        with self._lock:
            self._asked[tests] += 1
            if self._asked[tests] == 2:
                self._made[tests] = self._make(tests)
            return self._made.get(tests, {})
