"""A runner for tests of commands: runs test functions in this process, without pytest, limits or isolation.

It knows plain functions named test_*, `import` of the served package, seeded shuffling, `select` and
`stop_at_first`: enough for small suites to be really run on small units.
"""

from __future__ import annotations

import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from ol.domain.run import RunRequest
from ol.domain.suite import CaseResult, CollectionError, Completed, Facts, Frame, Outcome, Stage, SuiteRun

_Tests = dict[str, Callable[[], object]]


def run_here(request: RunRequest) -> SuiteRun:
    """As `Runner.run`."""
    with _served(request):
        tests: _Tests = {}
        errors = [error for file in request.tests if (error := _collected(file.name, file.text(), tests))]
        order = list(tests) if request.select is None else [id for id in request.select if id in tests]
        if request.shuffle_seed is not None:
            Random(request.shuffle_seed).shuffle(order)
        results = tuple(_results(order, tests, request.stop_at_first))
    return Completed(results, tuple(errors), len(tests) - len(order), 0.1, 0.1)


@contextmanager
def _served(request: RunRequest) -> Iterator[None]:
    """The sources as modules, each executed at its first import, and nothing else of that package."""
    packages = {name.split(".")[0] for name in request.sources}
    finder = _Finder(dict(request.sources))
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] in packages]:
            del sys.modules[name]


class _Finder:
    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        from importlib.machinery import ModuleSpec

        if name in self.sources:
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        is_package = any(each.startswith(f"{name}.") for each in self.sources)
        return ModuleSpec(name, self, is_package=True) if is_package else None  # type: ignore[arg-type]

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ in self.sources:
            code = compile(self.sources[module.__name__], f"<{module.__name__}>", "exec", dont_inherit=True)
            exec(code, module.__dict__)


def _collected(file: str, text: str, tests: _Tests) -> CollectionError | None:
    scope: dict[str, object] = {"__name__": file.removesuffix(".py")}
    try:
        exec(compile(text, f"tests/{file}", "exec", dont_inherit=True), scope)
    except Exception as error:
        return CollectionError(file, _facts(error))
    found = {name: value for name, value in scope.items() if name.startswith("test_") and callable(value)}
    tests |= {f"{file}::{name}": value for name, value in found.items()}  # type: ignore[misc]
    return None


def _results(order: list[str], tests: _Tests, stop_at_first: bool) -> Iterator[CaseResult]:
    stopped = False
    for id in order:
        if stopped:
            yield CaseResult(id, Outcome.NOT_RUN, Stage.SETUP, Facts(), 0.0)
            continue
        result = _result(id, tests[id])
        stopped = stop_at_first and result.outcome is Outcome.FAILED
        yield result


def _result(id: str, test: Callable[[], object]) -> CaseResult:
    try:
        test()
    except Exception as error:
        return CaseResult(id, Outcome.FAILED, Stage.CALL, _facts(error), 0.001)
    return CaseResult(id, Outcome.PASSED, Stage.CALL, Facts(), 0.001)


def _facts(error: Exception) -> Facts:
    frames = tuple(
        Frame(frame.filename, frame.lineno or 0, frame.name)
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(("<tiny", "tests/"))
    )
    bases = tuple(base.__name__ for base in type(error).__mro__[1:-1])
    return Facts(type(error).__name__, bases, str(error), frames)
