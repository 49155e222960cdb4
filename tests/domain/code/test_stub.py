"""The stub that a student gets, and how much of it is left."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ol.domain.code.contract import breaches, contract
from ol.domain.code.stub import lacking, progress, stub
from ol.domain.course import ModuleId
from ol.domain.file import File

ID = ModuleId("L2.2")
CONTRACTS = Path(__file__).parents[3] / "course" / "contracts" / "py" / "tinyllm"
PROMISE = contract(
    "u.py",
    '''"""A unit, with an é before what is spliced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

LIMIT: int = 16


class Param(Protocol):
    """What others must have."""

    def data(self) -> int:
        """é."""
        ...


def f(a: Sequence[int], b: float = math.inf) -> int:
    """Doc."""
    ...


def bare(a: int) -> int: ...


class M:
    """A class."""

    weight: float

    def __init__(self) -> None:
        """Only a docstring."""

    @property
    def size(self) -> int:
        """The size."""
        ...
''',
)
NAMES = ("f", "bare", "M.__init__", "M.size")


def loaded(source: str) -> ModuleType:
    made = ModuleType("made")
    exec(compile(source, "made.py", "exec"), vars(made))
    return made


def test_what_is_to_be_written_raises_with_the_module_s_id_and_its_own_name() -> None:
    made = loaded(stub(PROMISE, ID))
    with pytest.raises(NotImplementedError, match=r"^L2\.2: f is not written yet$"):
        made.f([1])
    with pytest.raises(NotImplementedError, match=r"^L2\.2: bare is not written yet$"):
        made.bare(1)
    with pytest.raises(NotImplementedError, match=r"^L2\.2: M\.__init__ is not written yet$"):
        made.M()


def test_constants_docstrings_and_protocols_are_given() -> None:
    made = loaded(stub(PROMISE, ID))
    assert made.LIMIT == 16 and made.f.__doc__ == "Doc."
    assert made.Param.data(None) is None and made.M.__annotations__["weight"] == "float"


def test_all_but_the_bodies_is_the_contract_s_own_text() -> None:
    given = stub(PROMISE, ID).splitlines()
    added = [line for line in given if "NotImplementedError" in line]
    own = PROMISE.text.replace("def bare(a: int) -> int: ...", "def bare(a: int) -> int:").splitlines()
    assert len(added) == len(NAMES)
    assert [line for line in own if line not in given] == ["    ..."]  # the body of f


def test_a_stub_keeps_its_contract_and_is_wholly_unwritten() -> None:
    text = stub(PROMISE, ID)
    assert breaches(PROMISE, File("u.py", text.encode())) == ()
    assert progress(PROMISE, text).unwritten == NAMES and progress(PROMISE, text).is_stub


@pytest.mark.parametrize("path", sorted(CONTRACTS.rglob("*.pyi")), ids=lambda path: path.stem)
def test_the_stub_of_every_contract_of_the_course_keeps_it_and_compiles(path: Path) -> None:
    promise = contract(path.with_suffix(".py").name, path.read_text(encoding="utf-8"))
    text = stub(promise, ID)
    compile(text, path.name, "exec")
    assert breaches(promise, File(path.name, text.encode())) == ()
    assert progress(promise, text).is_stub and lacking(promise, ID, text).names == ()


def test_annotations_may_name_what_comes_later_though_the_contract_does_not_say_so() -> None:
    made = loaded(stub(contract("u.py", '"""Doc."""\ndef f() -> Late: ...\nclass Late: ...\n'), ID))
    assert made.__doc__ == "Doc." and made.f.__annotations__ == {"return": "Late"}


def test_a_function_that_is_written_is_counted_whatever_it_raises_on_purpose() -> None:
    text = (
        "def f(a, b=0): return 1\n"
        "def bare(a): raise NotImplementedError\n"
        "class M:\n  def __init__(self): raise NotImplementedError('a subclass says')\n"
    )
    state = progress(PROMISE, text)
    assert state.unwritten == () and not state.is_stub


def test_a_unit_partly_written_is_no_stub() -> None:
    text = stub(PROMISE, ID).replace('raise NotImplementedError("L2.2: bare is not written yet")', "return a")
    assert progress(PROMISE, text).unwritten == ("f", "M.__init__", "M.size")
    assert not progress(PROMISE, text).is_stub


def test_stubs_for_missing_names_bring_the_imports_that_they_need() -> None:
    found = lacking(PROMISE, ID, "import os\n\ndef bare(a): return a\n")
    assert found.names == ("LIMIT", "Param", "f", "M") and not found.methods
    made = loaded("from __future__ import annotations\ndef bare(a): return a\n" + found.appended)
    assert made.LIMIT == 16 and made.f.__defaults__ == (made.math.inf,)


def test_an_import_that_the_file_makes_is_not_made_twice() -> None:
    found = lacking(PROMISE, ID, "import math\nfrom typing import Protocol\nclass Param: ...\n")
    assert "import math" not in found.appended and "Protocol" not in found.appended


def test_a_missing_method_is_shown_with_its_decorators_and_never_edited_in() -> None:
    found = lacking(PROMISE, ID, "LIMIT = 16\nParam = f = bare = 0\nclass M:\n  def __init__(self): ...\n")
    assert found.names == ("M.size",) and found.appended == ""
    assert found.methods["M.size"].splitlines()[:2] == ["    @property", "    def size(self) -> int:"]


def test_a_text_that_does_not_parse_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        progress(PROMISE, "def f(")
    with pytest.raises(SyntaxError):
        lacking(PROMISE, ID, "def f(")
