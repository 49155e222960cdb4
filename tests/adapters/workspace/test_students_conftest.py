"""Plain pytest in a workspace: on the student's own units, or stopped with one sentence."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from ol.adapters import process
from ol.domain.code.empty import empty_tests
from ol.domain.file import File
from tests.adapters.tiny_course import copied

CONFTEST = Path(__file__).parents[3] / "python" / "conftest.py"
SETTINGS = """[pytest]
testpaths = python/tests
pythonpath = python course/reference
addopts = --import-mode=importlib -p no:cacheprovider -q
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The tiny course as a student has it, with both units written and one test that tells whose unit ran."""
    root = copied(tmp_path / "clone")
    for unit in ("calc.py", "num.py"):
        text = (root / "course/reference/tinycalc" / unit).read_text(encoding="utf-8")
        put(root / "python/tinycalc" / unit, f"{text}\nMINE = True\n")
    put(
        root / "python/tests/a1-calc/test_own.py",
        "def test_mine():\n    from tinycalc import calc\n    assert calc.MINE\n",
    )
    put(root / "python/conftest.py", CONFTEST.read_text(encoding="utf-8"))
    put(root / "pytest.ini", SETTINGS)
    return root


def put(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def plain_pytest(root: Path, *arguments: str, path: str = "") -> str:
    """What pytest prints, run as a student would: in the folder, by itself.

    With a temporary folder of its own: at its end pytest clears away what earlier sessions left in the common one.
    """
    program = [
        sys.executable,
        "-c",
        "import sys, pytest; sys.stderr = sys.stdout; pytest.main(sys.argv[1:])",
        *arguments,
    ]
    temporary = root.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {**process.hermetic(), "PYTHONPATH": path, "TMPDIR": str(temporary)}
    out = process.output_of(program, folder=root, environment=environment, limit_s=60)
    assert out is not None
    return out.decode("utf-8")


def test_the_student_s_units_come_before_the_reference(root: Path) -> None:
    assert "1 passed" in plain_pytest(root)


def test_it_needs_no_settings_and_no_course_beside_it(root: Path, tmp_path: Path) -> None:
    (root / "python").rename(tmp_path / "alone")
    assert "1 passed" in plain_pytest(tmp_path / "alone", "-q", "--rootdir=.", "-p", "no:cacheprovider")


@pytest.mark.parametrize("arguments", [(), ("python/tests/a1-calc/test_own.py",), ("python/tests/a1-calc",)])
def test_a_unit_that_was_deleted_does_not_pass_on_the_reference(
    root: Path, arguments: tuple[str, ...]
) -> None:
    (root / "python/tinycalc/calc.py").unlink()
    put(
        root / "python/tests/a1-calc/test_own.py",
        "def test_it():\n    from tinycalc.calc import mean\n    assert mean([1])\n",
    )
    out = plain_pytest(root, *arguments)
    assert "python/tinycalc/calc.py is not there" in out and "passed" not in out


def test_a_need_that_is_not_there_yet_may_come_from_the_reference(root: Path) -> None:
    (root / "python/tinycalc/num.py").unlink()
    assert "1 passed" in plain_pytest(root)


def test_an_init_file_in_the_package_is_named(root: Path) -> None:
    put(root / "python/tinycalc/__init__.py")
    out = plain_pytest(root)
    assert "Delete python/tinycalc/__init__.py" in out and "passed" not in out


def test_another_installed_package_of_that_name_is_named(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "site" / "tinycalc" / "__init__.py")
    out = plain_pytest(root, path=str(tmp_path / "site"))
    assert "Uninstall the other tinycalc" in out and "passed" not in out


BLANKED = """DRAW = ...  # by hand
FILLED = 7
CASE = 'x'


def test_blank():
    assert 3 == DRAW


def test_filled():
    assert FILLED == 7 and CASE


class TestMore:
    def test_of_a_method(self):
        assert [DRAW] == [3]
"""


def test_a_test_that_names_an_open_blank_fails_by_one_readable_line(root: Path) -> None:
    put(root / "python/tests/a1-calc/test_own.py", BLANKED)
    out = plain_pytest(root)
    assert "2 failed, 1 passed" in out
    assert out.count("DRAW in test_own.py is not filled yet: work it out by hand, and write it there.") >= 2
    assert "Ellipsis" not in out and "3 ==" not in out  # nor is it said what the code gives


def test_a_blank_filled_in_is_compared_as_any_value(root: Path) -> None:
    put(root / "python/tests/a1-calc/test_own.py", BLANKED.replace("...", "3"))
    assert "3 passed" in plain_pytest(root)


EMPTY = """import pytest


def test_empty(tmp_path):
    '''It says what it is to show.'''


def test_written():
    '''It shows something.'''
    assert 1 + 1 == 2


@pytest.mark.parametrize("case", [1, 2])
class TestMore:
    def test_of_a_method(self, case):
        pass


@pytest.fixture(autouse=True)
def test_none():
    '''A fixture is no test.'''
"""


def test_an_empty_test_fails_by_one_sentence_and_a_written_one_is_run(root: Path) -> None:
    put(root / "python/tests/a1-calc/test_own.py", EMPTY)
    out = plain_pytest(root)
    assert "3 failed, 1 passed" in out
    assert "test_empty in test_own.py is still empty: write what shows what it says." in out


BODIES = (
    *("pass", "...", "'Said.'", "return", "return None", "'Said.'; pass"),
    *("assert True", "return 1", "x = 1", "print()"),
)


def test_it_finds_empty_what_ol_finds_empty(root: Path) -> None:
    marked = "import pytest\n@pytest.mark.skipif(False, reason='')\ndef test_marked(): pass\n"
    text = marked + "".join(f"def test_{at}(): {body}\n" for at, body in enumerate(BODIES))
    put(root / "python/tests/a1-calc/test_own.py", text)
    told = set(re.findall(r"(test_\w+) in test_own\.py is still empty", plain_pytest(root)))
    assert told == set(empty_tests([File("test_own.py", text.encode())]).names)
    assert told == {"test_marked", *(f"test_{at}" for at in range(6))}
