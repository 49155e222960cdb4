"""A run sees its own surroundings and nothing of the machine, the user, or another run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.file import File
from ol.domain.run import RunRequest
from tests.child.plays import AMPLE, SHAPES, Stage, request

linux = pytest.mark.skipif(sys.platform != "linux", reason="told by Linux's /proc")


@pytest.fixture(params=SHAPES)
def poisoned(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    """A stage in an environment that steers Python and pytest in every way it can."""
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "numpy.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "evil.py").write_text("import os\nos._exit(0)", encoding="utf-8")
    (tmp_path / "conftest.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --co", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    poison = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONSTARTUP": str(tmp_path / "evil.py"),
        "PYTHONHASHSEED": "7",
        "PYTHONOPTIMIZE": "1",
        "PYTHONWARNINGS": "error",
        "PYTEST_ADDOPTS": "--collect-only",
        "PYTEST_PLUGINS": "evil",
        "OMP_NUM_THREADS": "8",
        "OPENBLAS_CORETYPE": "Haswell",
        "TZ": "Asia/Tokyo",
        "SECRET": "token",
    }
    for name, value in poison.items():
        monkeypatch.setenv(name, value)
    with SuiteRunner("tinyllm", request.param) as runner:
        yield Stage(runner)


def test_the_environment_steers_neither_python_nor_pytest(poisoned: Stage) -> None:
    tests = """
        import os, sys, time
        def test_environment():
            assert sys.flags.optimize == 0 and sys.warnoptions == [] and sys.flags.utf8_mode
            assert "SECRET" not in os.environ and "PYTHONPATH" not in os.environ
            assert os.environ["OMP_NUM_THREADS"] == os.environ["OPENBLAS_NUM_THREADS"] == "1"
            assert os.environ["OPENBLAS_CORETYPE"] == "Haswell"
            assert hash("tinyllm") == HASH and time.tzname[0] == "UTC"
        def test_fails(): assert False
    """
    seeded = {"test_environment": "passed", "test_fails": "failed"}
    hashed = poisoned.only("def test_it(record_property): record_property('hash', hash('tinyllm'))")
    assert poisoned.outcomes(tests.replace("HASH", hashed.facts.properties[0][1])) == seeded


def test_hashes_are_the_same_in_every_run(stage: Stage) -> None:
    tests = "def test_it(record_property): record_property('hash', hash('tinyllm'))"
    assert stage.only(tests).facts.properties == stage.only(tests).facts.properties


def test_unseeded_draws_differ_from_run_to_run(stage: Stage) -> None:
    tests = """
        import random
        import numpy as np
        def test_it(record_property):
            record_property("numpy", np.random.rand())
            record_property("random", random.random())
    """
    (first, second), (again, once_more) = (
        [value for _, value in stage.only(tests).facts.properties] for _ in range(2)
    )
    assert first != again and second != once_more


def test_home_temporary_and_working_folder_are_fresh_and_gone_afterwards(stage: Stage) -> None:
    tests = """
        import os, pathlib, tempfile
        def test_it(tmp_path, record_property):
            home, here = pathlib.Path.home(), pathlib.Path.cwd()
            temporary = pathlib.Path(tempfile.gettempdir())
            assert len({home, here, temporary}) == 3 and temporary in tmp_path.parents
            for folder in (home, here, temporary):
                assert not (folder / "mark").exists()
                (folder / "mark").mkdir()
                record_property("folder", folder)
            os.chmod(temporary / "mark", 0)
    """
    for _ in range(2):
        result = stage.only(tests)
        assert result.outcome.value == "passed"
        assert not [folder for _, folder in result.facts.properties if Path(folder).exists()]


def test_only_what_is_installed_can_be_imported(stage: Stage) -> None:
    tests = """
        import importlib, os, sys
        import pytest
        @pytest.mark.parametrize("name", ["course", "course.reference", "tests.child", "helper", "frozen"])
        def test_absent(name):
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)
        def test_no_folder_of_a_checkout_is_on_the_path():
            assert "" not in sys.path
            assert not [entry for entry in sys.path if os.path.exists(os.path.join(entry, "course"))]
    """
    found = stage.outcomes({"test_it.py": tests, "helper.py": "", "sub/tinyllm.py": ""})
    assert set(found.values()) == {"passed"}


def test_a_file_beside_the_tests_shadows_no_module(stage: Stage) -> None:
    tests = {"test_it.py": "import numpy, json, pytest\ndef test_it(): assert numpy.array([1]).sum() == 1"}
    shadows = dict.fromkeys(
        ("numpy.py", "json.py", "pytest.py", "sitecustomize.py"), "import os\nos._exit(0)"
    )
    assert stage.outcomes(tests | shadows) == {"test_it": "passed"}


def test_settings_of_pytest_among_the_tests_are_not_read(stage: Stage) -> None:
    tests = {
        "test_it.py": "def test_it(): pass",
        "pytest.ini": "[pytest]\naddopts = --collect-only -k nothing",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--co'",
        "setup.cfg": "[tool:pytest]\naddopts = --co",
    }
    assert stage.outcomes(tests) == {"test_it": "passed"}


@linux
def test_a_child_holds_no_file_that_is_not_its_own(stage: Stage) -> None:
    tests = """
        import os
        def test_it():
            held = []
            for fd in os.listdir("/proc/self/fd"):
                try:
                    held.append(os.path.basename(os.readlink(f"/proc/self/fd/{fd}")).split(":")[0])
                except FileNotFoundError:  # of the listing itself
                    pass
            assert set(held) == {"null", "output", "pipe", "stuck"} and held.count("pipe") == 1
    """
    result = stage.only(tests)
    assert result.outcome.value == "passed", result.facts


@linux
def test_no_child_finds_anothers_sources_in_its_memory(stage: Stage) -> None:
    search = """
        import ctypes, re
        def test_it(record_property):
            found = set()
            with open("/proc/self/maps", encoding="utf-8") as maps:
                regions = [line.split() for line in maps]
            for place, mode, _, _, _, *name in regions:
                if mode.startswith("rw") and name in ([], ["[heap]"]):
                    begin, end = (int(address, 16) for address in place.split("-"))
                    block = ctypes.string_at(begin, end - begin)
                    found |= set(re.findall(rb"needle-in-" + rb"unit-\\d", block))
            record_property("found", sorted(found))
    """
    needle = "needle-in-unit-{} does not compile"  # so it travels as text, which a search can find
    requests = [request(search, needle.format(number)) for number in range(3)]
    for index, run in stage.runner.run_all(requests, jobs=2):
        (result,) = run.results
        assert result.facts.properties == (("found", str([f"needle-in-unit-{index}".encode()])),)


def test_no_module_of_one_run_is_there_in_the_next(stage: Stage) -> None:
    stage.completed("import tinyllm.unit, wave, sqlite3\ndef test_it(): pass")
    tests = """
        import sys
        def test_it():
            stale = ("tinyllm", "frozen", "wave", "sqlite3")
            assert not [name for name in sys.modules if name.startswith(stale)]
    """
    assert stage.outcomes(tests) == {"test_it": "passed"}


def test_course_tests_find_the_frozen_kit_and_the_course(stage: Stage, tmp_path: Path) -> None:
    kit = tmp_path / "course" / "tests" / "frozen"
    kit.mkdir(parents=True)
    (kit / "__init__.py").write_text("ANSWER = 42", encoding="utf-8")
    (tmp_path / "oracle").mkdir()
    (tmp_path / "oracle" / "golden").write_text("gold", encoding="utf-8")
    tests = """
        import os, pathlib
        import frozen
        def test_it():
            assert frozen.ANSWER == 42
            root = pathlib.Path(os.environ["OL_COURSE_ROOT"])
            assert (root / "oracle" / "golden").read_text() == "gold"
    """
    assert stage.outcomes(tests, course_root=tmp_path) == {"test_it": "passed"}
    assert not (kit / "__pycache__").exists()


@pytest.mark.parametrize("name", ["../escape.py", "/escape.py", "a/../../escape.py", "c:\\escape.py"])
def test_no_test_file_is_written_outside_its_folder(stage: Stage, name: str) -> None:
    asked = RunRequest((File(name, b""),), {}, AMPLE)
    with pytest.raises(Exception, match="leads out of its folder"):
        stage.runner.run(asked)
