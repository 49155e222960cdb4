"""The package under test is what the request says: from memory, and nothing else of its name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ol.child.overlay import Overlay
from tests.child.plays import Stage

FIND_SOURCE = """
    import inspect, linecache, traceback
    import pytest
    from tinyllm import unit

    def test_inspect_does_not_find_it():
        with pytest.raises((OSError, TypeError)):
            inspect.getsource(unit.double)
        with pytest.raises((OSError, TypeError)):
            inspect.getsource(unit)
        assert unit.double.__code__.co_filename == "<tinyllm.unit>"

    def test_no_file_and_no_loader_gives_it():
        assert not hasattr(unit, "__file__")
        assert not hasattr(unit.__loader__, "get_source")
        assert not hasattr(unit.__loader__, "get_data")

    def test_a_traceback_shows_no_line_of_it():
        try:
            unit.double(None)
        except TypeError:
            assert "return" not in traceback.format_exc()
        assert not any("tinyllm" in name for name in linecache.cache)
"""


def test_units_import_each_other_through_namespace_packages(stage: Stage) -> None:
    sources = {
        "tinyllm.lm.nplm": "from tinyllm.num.rng import SEED\nVALUE = SEED + 1",
        "tinyllm.num.rng": "SEED = 41",
    }
    tests = """
        import tinyllm, tinyllm.lm
        from tinyllm.lm import nplm

        def test_value():
            assert nplm.VALUE == 42
            assert nplm.__name__ == "tinyllm.lm.nplm" and nplm.__package__ == "tinyllm.lm"
            assert list(tinyllm.__path__) == [] and not hasattr(tinyllm.lm, "VALUE")
    """
    assert stage.outcomes(tests, sources=sources) == {"test_value": "passed"}


def test_a_source_cannot_be_read_by_the_code_that_runs_on_it(stage: Stage) -> None:
    unit = "def double(x):\n    return x * 2 + x - x"
    assert set(stage.outcomes(FIND_SOURCE, unit).values()) == {"passed"}


def test_what_is_not_among_the_units_is_not_found_anywhere(stage: Stage) -> None:
    tests = """
        import importlib, sys
        import pytest

        @pytest.mark.parametrize("name", ["tinyllm.other", "tinyllm.unit.deeper", "tinyllm.lm"])
        def test_absent(name, tmp_path):
            (tmp_path / "tinyllm" / "lm").mkdir(parents=True)
            (tmp_path / "tinyllm" / "other.py").write_text("", encoding="utf-8")
            sys.path.insert(0, str(tmp_path))
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)
    """
    assert set(stage.outcomes(tests).values()) == {"passed"}


def test_a_package_of_that_name_on_disk_is_never_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tinyondisk").mkdir()
    (tmp_path / "tinyondisk" / "unit.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [Overlay("tinyondisk", {}), *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match=r"tinyondisk\.unit"):
        __import__("tinyondisk.unit")
    monkeypatch.delitem(sys.modules, "tinyondisk", raising=False)


def test_names_that_only_begin_alike_are_left_to_others() -> None:
    overlay = Overlay("tinyllm", {"tinyllm.unit": ""})
    assert overlay.find_spec("tinyllmore") is None
    assert overlay.find_spec("numpy") is None


def test_sources_of_one_size_run_their_own_code_in_quick_succession(stage: Stage) -> None:
    tests = "from tinyllm.unit import f\ndef test_f():\n    assert f(3) == 5"
    units = {
        f"def f(x): return x {sign} 2": outcome for sign, outcome in [("+", "passed"), ("-", "failed")] * 4
    }
    for unit, outcome in [*units.items(), *units.items()]:
        assert stage.only(tests, unit).outcome.value == outcome


def test_tests_of_one_size_run_their_own_code_in_quick_succession(stage: Stage) -> None:
    for number in (1, 2, 1, 2):
        result = stage.only(f"def test_f():\n    assert {number} == 1")
        assert (result.outcome.value == "passed") == (number == 1)
