"""Kernels that can do less, played by this one: what they lack is named, the rest is refused, verdicts stay."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from ol.adapters import process
from ol.adapters.runner import SuiteRunner
from ol.child import confinement, seccomp
from ol.domain.suite import Outcome
from tests.child.honest import HONEST
from tests.child.plays import SHAPES, Stage
from tests.child.ways import NETWORK, SIGNALS, WAYS_TO_READ, WAYS_TO_WRITE, tried

linux = pytest.mark.skipif(sys.platform != "linux", reason="confined by Linux's kernel")
DOOR = """
import runpy, sys
sys.path.insert(0, {root!r})
from ol.child import landlock, seccomp
here = landlock.abi()
landlock.abi = lambda: min(here, {version})
seccomp.confine = seccomp.confine if {filters} else lambda: False
runpy.run_path({child!r}, run_name="__main__")
"""
Kernel = Callable[[str, int, bool], AbstractContextManager[SuiteRunner]]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A runner whose children find this version of Landlock at most, and seccomp or not."""

    def kernel(shape: str, version: int, filters: bool) -> SuiteRunner:
        root, door = Path(__file__).parents[2], tmp_path / "door.py"
        told = {"root": str(root), "child": str(root / "ol" / "child" / "__main__.py")}
        door.write_text(DOOR.format(version=version, filters=filters, **told), encoding="utf-8")
        monkeypatch.setattr(process, "CHILD", door)
        return SuiteRunner("tinyllm", shape)

    return kernel


@pytest.mark.parametrize(
    "version, filters, missing",
    [
        (0, False, ["files", "network", "signals"]),
        (0, True, ["files", "signals"]),
        (1, True, ["files", "signals"]),
        (2, True, ["truncation", "signals"]),
        (3, True, ["signals"]),
        (5, False, ["network", "signals"]),
        (6, True, []),
        (99, True, []),
    ],
)
def test_what_a_kernel_lacks_is_named(version: int, filters: bool, missing: list[str]) -> None:
    assert [*confinement.unconfined(version, filters)] == missing


@linux
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "version, filters", [(0, False), (1, True), (2, True), (3, False), (4, True), (5, True)]
)
def test_verdicts_are_the_same_on_every_kernel(
    kernel: Kernel, shape: str, version: int, filters: bool
) -> None:
    suite = {name: text.replace("UID", str(os.getuid())) for name, text in HONEST.items()}
    with kernel(shape, version, filters) as runner:
        run = Stage(runner).completed(suite, "def double(x): return 2 * x")
        assert {*confinement.unconfined(version, filters)} <= {*runner.unconfined}
    assert {result.outcome for result in run.results} == {Outcome.PASSED}


@linux
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("version, filters", [(0, False), (2, False), (3, True), (5, True)])
def test_what_is_not_named_is_refused_and_what_is_named_is_not(
    kernel: Kernel, shape: str, version: int, filters: bool, tmp_path: Path
) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "folder"
    secret.write_text("secret", encoding="utf-8")
    folder.mkdir()
    (folder / "kept").write_text("as it was", encoding="utf-8")
    with kernel(shape, version, filters) as runner:
        stage = Stage(runner)
        stage.completed("def test_it(): pass")  # then it is known what is named
        tried(stage, {"open": WAYS_TO_READ["open"]}, "files", secret=str(secret))
        tried(stage, {"create": WAYS_TO_WRITE["create"]}, "files", folder=str(folder))
        tried(
            stage,
            {"truncate": "os.truncate(kept, 0)"},
            "truncation" if version else "files",
            kept=str(folder / "kept"),
        )
        tried(stage, {"udp": NETWORK["udp"]}, "network", PORT=9)
        tried(stage, SIGNALS, "signals")


def test_a_machine_without_numbers_for_its_calls_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "MACHINES", {})
    assert seccomp.confine() is False


def test_a_system_that_is_not_linux_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(confinement.sandbox, "LINUX", False)
    assert confinement.confine(None) == ("files", "network", "signals")
