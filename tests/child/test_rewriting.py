"""Test files that are run more than once are compiled once: nothing else about them changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters import attempt, warm
from ol.adapters.runner import SuiteRunner
from ol.domain.file import File
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Completed

SUITE = b"""
import pathlib
def test_it(value):
    assert pathlib.Path(__file__).name == "test_it.py" and __name__ == "tests.test_it"
    assert value == [1, 2]
"""
CONFTEST = b"import pytest\n@pytest.fixture\ndef value():\n    assert (1, 2)[0] == 1\n    return [1, 3]\n"
BROKEN = b"def test_it(:\n    pass\n"


def asked(*files: File) -> RunRequest:
    return RunRequest(files, {}, Budget(10, 30, 20))


def test_the_second_and_third_run_of_the_same_files_say_what_the_first_said() -> None:
    request = asked(File("conftest.py", CONFTEST), File("test_it.py", SUITE), File("test_b.py", BROKEN))
    with SuiteRunner("tinyllm") as runner:
        runs = [runner.run(request) for _ in range(3)]
    assert all(isinstance(run, Completed) for run in runs)
    facts = [run.results[0].facts for run in runs]
    assert "[1, 3]" in facts[0].message and "At index 1 diff" in facts[0].message
    assert [frame.file for frame in facts[0].frames] == ["tests/test_it.py"]
    assert facts[1] == facts[2] == facts[0]
    errors = [run.collection_errors for run in runs if isinstance(run, Completed)]
    assert errors[0][0].file == "test_b.py" and errors[1] == errors[2] == errors[0]


@pytest.mark.skipif(not warm.possible(), reason="only the warm shape compiles ahead")
def test_files_are_compiled_once_and_without_being_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[dict[str, bytes]] = []
    mark = tmp_path / "run"

    def kept(*others: object) -> dict[str, bytes]:
        made.append(dict(attempt.codes_of(*others)))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr("ol.adapters.runner.codes_of", kept)
    text = f"open({str(mark)!r}, 'w').close()\ndef test_it(): pass\n"
    with SuiteRunner("tinyllm") as runner:
        request = asked(File("test_it.py", text.encode("utf-8")), File("test_b.py", BROKEN))
        for _ in range(4):
            runner.run(request)
    assert [list(codes) for codes in made] == [["test_it.py"]]


def test_code_that_a_run_leaves_behind_is_not_what_the_next_one_runs() -> None:
    forger = b"""
import pathlib, py_compile, sys
def test_it():
    forged = pathlib.Path(__file__).with_name("forged.py")
    forged.write_text("def test_it(): assert False")
    for tag in (f"{sys.implementation.cache_tag}", f"{sys.implementation.cache_tag}-pytest-{pytest_version()}"):
        py_compile.compile(str(forged), cfile=str(forged.parent / "__pycache__" / f"test_it.{tag}.pyc"))
def pytest_version():
    import pytest
    return pytest.__version__
"""
    request = asked(File("test_it.py", forger))
    with SuiteRunner("tinyllm") as runner:
        outcomes = [runner.run(request).results[0].outcome.value for _ in range(3)]
    assert outcomes == ["passed"] * 3
