"""A student's workspace and the reference's package in a scratch folder, for the programs that compare runs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from machine import ONE_THREAD
from sides import command

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ol.adapters.course.files import CourseFiles  # noqa: E402

MODULE, UNIT = "L2.2", "lm/nplm.py"
PYTEST = ("-m", "pytest", "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider")
NO_AUTOLOAD = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def catalog(root: Path = ROOT) -> CourseFiles:
    return CourseFiles(root)


def workspace(scratch: Path) -> Path:
    """With the exemplar tests of the module, and no unit."""
    module = catalog().course.module(MODULE)
    made = scratch / "workspace"
    tests = made / "python" / "tests" / module.slug
    tests.mkdir(parents=True)
    (made / "python" / "tinyllm").mkdir()
    for file in catalog().exemplars(module):
        (tests / file.name).write_bytes(file.content)
    return made


def tests_of(made: Path) -> Path:
    return made / "python" / "tests" / catalog().course.module(MODULE).slug


def tree(scratch: Path, name: str, source: str) -> Path:
    """The reference's package with the module's unit replaced."""
    made = scratch / name
    shutil.copytree(ROOT / "course" / "reference", made, ignore=shutil.ignore_patterns("__pycache__"))
    (made / "tinyllm" / UNIT).write_text(source, encoding="utf-8")
    return made


def pytest(made: Path, tests: Path, extra: Mapping[str, str] = NO_AUTOLOAD, path: str = "") -> str:
    """A cold pytest over these tests on the package in `made`; it may fail, and stops at the first failure."""
    environment = {**os.environ, **ONE_THREAD, **extra, "PYTHONPATH": f"{made}{os.pathsep}{path}"}
    words = [sys.executable, *PYTEST, f"--rootdir={tests}", "-c", os.devnull, tests]
    return command(words, tests, environment, codes=(0, 1))


def ol(made: Path, scratch: Path, *words: str, course: Path = ROOT, codes: tuple[int, ...] = (0,)) -> str:
    """The command as typed in the workspace, with a trusted course; its memory lies in scratch."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(scratch / "cache")}
    return command([sys.executable, "-m", "ol", "--course", course, *words], made, environment, codes=codes)
