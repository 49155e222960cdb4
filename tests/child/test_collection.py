"""What a run finds before its first case: broken files, fixtures, and hooks that it refuses."""

from __future__ import annotations

import pytest

from ol.domain.suite import Frame, Outcome
from tests.child.plays import Stage


def test_one_broken_file_hides_no_other(stage: Stage) -> None:
    tests = {
        "test_a.py": "def test_a(): pass",
        "test_b.py": "import nowhere",
        "test_c.py": "def test_c(: pass",
        "test_d.py": "import sys\nsys.exit(0)",
        "test_e.py": "import unittest\nraise unittest.SkipTest('all of it')",
        "test_f.py": "import pytest\npytest.skip('all of it', allow_module_level=True)",
        "test_g.py": "from tinyllm.unit import x",
    }
    run = stage.completed(tests, "def f(x:\n    pass")
    errors = {error.file: error.facts for error in run.collection_errors}
    assert [result.case_id for result in run.results] == ["test_a.py::test_a"]
    assert {file: facts.exception for file, facts in errors.items()} == {
        "test_b.py": "ModuleNotFoundError",
        "test_c.py": "SyntaxError",
        "test_d.py": "SystemExit",
        "test_e.py": "unittest.case.SkipTest",
        "test_f.py": "Skipped",
        "test_g.py": "SyntaxError",
    }
    assert errors["test_b.py"].frames == (Frame("tests/test_b.py", 1, "<module>"),)
    assert errors["test_c.py"].frames[-1] == Frame("tests/test_c.py", 1, "<module>")
    assert errors["test_g.py"].frames[0] == Frame("tests/test_g.py", 1, "<module>")
    assert errors["test_g.py"].frames[-1].file == "<tinyllm.unit>"


def test_imported_tells_course_and_third_party_modules(stage: Stage) -> None:
    run = stage.completed("import json, wsgiref, msgspec\nimport tinyllm.unit\ndef test_it(): pass")
    assert {"tinyllm", "tinyllm.unit", "msgspec"} <= set(run.imported)
    assert not {"wsgiref", "tests.test_it"} & set(run.imported)


def test_a_conftest_may_hold_fixtures(stage: Stage) -> None:
    tests = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef four(): return 4",
        "sub/conftest.py": "import pytest\n@pytest.fixture\ndef five(four): return four + 1",
        "sub/test_it.py": "def test_it(five): assert five == 5",
    }
    assert stage.outcomes(tests) == {"test_it": "passed"}


@pytest.mark.parametrize(
    "conftest",
    [
        "def pytest_collection_modifyitems(items): items.clear()",
        "import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport():\n    return (yield)",
        "def pytest_sessionfinish():\n    import os\n    os._exit(0)",
        "pytest_plugins = ['pytester']",
    ],
)
@pytest.mark.parametrize("folder", ["", "sub/"])
def test_a_conftest_with_hooks_is_refused(stage: Stage, conftest: str, folder: str) -> None:
    tests = {f"{folder}conftest.py": conftest, f"{folder}test_it.py": "def test_it(): assert False"}
    run = stage.completed(tests)
    (error,) = run.collection_errors
    assert (run.results, error.file) == ((), f"{folder}conftest.py")
    assert "pytest_" in error.facts.message


@pytest.mark.parametrize(
    "tests, refused",
    [
        ("pytest_plugins = ['pytester']", "pytester.py defines"),
        ("pytest_plugins = ['tests.evil']", "evil.py defines pytest_runtest_makereport;"),
    ],
)
def test_hooks_that_a_test_file_brings_are_refused(stage: Stage, tests: str, refused: str) -> None:
    evil = "def pytest_runtest_makereport(): pass"
    run = stage.completed({"test_it.py": f"{tests}\ndef test_it(): assert False", "evil.py": evil})
    (error,) = run.collection_errors
    assert run.results == () and error.facts.message.startswith(refused)


def test_hooks_that_a_test_registers_are_refused(stage: Stage) -> None:
    tests = """
        class Liar:
            def pytest_runtest_makereport(self): pass
        def test_registers(request): request.config.pluginmanager.register(Liar())
        def test_fails(): assert False
    """
    registers, fails = stage.completed(tests).results
    assert registers.facts.message.startswith("Liar defines pytest_runtest_makereport;")
    assert fails.outcome is Outcome.FAILED


def test_a_broken_conftest_is_told(stage: Stage) -> None:
    run = stage.completed({"conftest.py": "1 / 0", "test_it.py": "def test_it(): pass"})
    (error,) = run.collection_errors
    assert (error.file, error.facts.exception) == ("conftest.py", "ZeroDivisionError")
    assert error.facts.frames == (Frame("tests/conftest.py", 1, "<module>"),)


def test_module_level_state_is_fresh_in_every_run(stage: Stage) -> None:
    tests = """
        from tinyllm import unit
        MODEL = unit.Model()
        def test_it(): assert MODEL.value() == 2
    """
    unit = "class Model:\n    def value(self): return 1 + {}"
    played = [stage.only(tests, unit.format(n)).outcome.value for n in (1, 2, 1)]
    assert played == ["passed", "failed", "passed"]
