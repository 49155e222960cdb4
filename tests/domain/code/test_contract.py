"""What a contract promises, and every way to break it."""

from __future__ import annotations

import pytest

from ol.domain.code.contract import breaches, contract, missing
from ol.domain.code.surface import surface
from ol.domain.code.syntax import tree_of
from ol.domain.errors import CourseWrong, WorkRefused
from ol.domain.file import File
from ol.domain.report import Reason

PROMISE = '''
"""A unit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

LIMIT: int = 0x10
TABLE: dict[str, int] = {"a": 1, "b": 2}
SIZE: int

def windows(ids: list[int], context: int = 2, *, deep: bool = False) -> int:
    """Windows."""
    ...

@contextmanager
def quiet() -> Iterator[None]: ...

@dataclass(frozen=True)
class Pair:
    left: int
    right: float = 1e-6

class Model:
    """A model."""

    weight: float

    def __init__(self, size: int) -> None: ...
    def forward(self, x: float) -> float: ...
    @property
    def shape(self) -> int: ...
    @staticmethod
    def made(size: int) -> Model: ...
    def __radd__(self, other: float) -> Model: ...
'''

KEPT = """
from dataclasses import dataclass

LIMIT = 16
TABLE = {"b": 2, "a": 1}
SIZE = 3
EXTRA = 1

def windows(ids, context=2, *, deep=False): return _helper()
def _helper(): return 0
def more(): return 1

class quiet:
    def __enter__(self): return None
    def __exit__(self, *error): return None

@dataclass
class Pair:
    left: int
    right: float = 0.000001

class _Base:
    def forward(self, x): return x

class Model(_Base):
    def __init__(me, size):
        me.weight = size
        me.shape = size
    @staticmethod
    def made(size): return Model(size)
    def __add__(self, other): return self
    __radd__ = __add__
"""


def judged(source: str, promise: str = PROMISE) -> tuple[Reason, ...]:
    return breaches(contract("u.py", promise), File("python/p/u.py", source.encode()))


def only(source: str, promise: str) -> Reason:
    (reason,) = judged(source, promise)
    return reason


def test_a_unit_that_keeps_its_promise_in_other_words_has_no_breach() -> None:
    assert judged(KEPT) == ()


def test_names_are_the_public_ones_bound_by_the_contract_itself() -> None:
    promise = contract("u.py", PROMISE + "\n_private: int = 1\n")
    assert promise.names == ("LIMIT", "TABLE", "SIZE", "windows", "quiet", "Pair", "Model")


def test_every_broken_promise_is_told() -> None:
    names = {reason.text.split(": ", 1)[1].split()[0] for reason in judged("x = 1")}
    assert names == {"LIMIT", "TABLE", "SIZE", "windows", "quiet", "Pair", "Model"}


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, c=1): ...",  # another name
        "def f(a, b=2): ...",  # another default
        "def f(a, b): ...",  # no default
        "def f(a, *, b=1): ...",  # another kind
        "def f(a, b=1, *rest): ...",  # more
        "def f(a, b=1.0): ...",  # equal as a number, not as text
        "def f(b=1, *, a): ...",
    ],
)
def test_another_signature_is_told_with_both_and_the_line(source: str) -> None:
    reason = only(f"\n{source}", "def f(a: int, b: int = 1) -> int: ...")
    assert reason.slug == "signature-differs"
    assert reason.text == "python/p/u.py:2: f has another signature than its contract."
    assert reason.detail[0] == "expected  f(a, b=1)"
    assert reason.detail[1].startswith("found     f(")


def test_a_default_of_more_digits_than_python_writes_is_another_default() -> None:
    reason = only(f"def f(a=0x{'f' * 9000}): ...", "def f(a: int = 1) -> int: ...")
    assert reason.slug == "signature-differs"
    assert only(f"N = 0x{'f' * 9000}", "N: int = 1").slug == "value-differs"


def test_defaults_are_compared_as_python_writes_them() -> None:
    assert judged("def f(a=  ( 1,2 ), b = 'x'): ...", 'def f(a=(1, 2), b: str = "x") -> int: ...') == ()


def test_a_method_is_told_by_its_qualified_name() -> None:
    reason = only("class M:\n  def f(self): ...", "class M:\n    def f(self, x: int) -> int: ...")
    assert reason.text == "python/p/u.py:2: M.f has another signature than its contract."


def test_a_missing_method_and_a_missing_function_are_told_apart_by_name() -> None:
    promise = "def f() -> int: ...\nclass M:\n    def g(self) -> int: ..."
    assert [reason.slug for reason in judged("class M: pass", promise)] == ["name-missing", "name-missing"]
    assert missing(contract("u.py", promise), surface(tree_of("class M: pass"))) == ("f", "M.g")


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("f = lambda a: a", "f = lambda a: a"),
        ("from math import floor as f", "f, bound by an import"),
        ("f, g = 1, 2", "f, bound by an assignment"),
    ],
)
def test_a_name_bound_but_not_by_def_gets_its_own_sentence(source: str, how: str) -> None:
    reason = only(source, "def f(a: int) -> int: ...")
    assert reason.slug == "name-rebound" and "not by `def`" in reason.text
    assert reason.detail[1] == f"found     {how}"


def test_a_class_bound_but_not_by_class_gets_its_own_sentence() -> None:
    reason = only("M = object", "class M: ...")
    assert reason.slug == "name-rebound" and "not by `class`" in reason.text


@pytest.mark.parametrize(
    ("source", "promise"),
    [
        ("async def f(): ...", "def f() -> int: ..."),
        ("def M(): ...", "class M: ..."),
        ("class M:\n def f(): ...", "class M:\n    @staticmethod\n    def f() -> int: ..."),
        ("class M:\n def f(self): ...", "class M:\n    @property\n    def f(self) -> int: ..."),
        ("class M:\n @classmethod\n def f(cls): ...", "class M:\n    def f(self) -> int: ..."),
        ("def LIMIT(): ...", "LIMIT: int = 1"),
    ],
)
def test_another_kind_of_thing_is_a_breach(source: str, promise: str) -> None:
    assert only(source, promise).slug == "kind-differs"


@pytest.mark.parametrize("value", ["2", "True", "1.0", "int(1)"])
def test_a_constant_has_its_contracts_value_and_type(value: str) -> None:
    reason = only(f"LIMIT = {value}", "LIMIT: int = 1")
    assert reason.slug == "value-differs"
    assert reason.detail == ("expected  LIMIT = 1", f"found     LIMIT = {value}")


def test_the_fields_of_a_dataclass_are_its_constructor() -> None:
    promise = "@dataclass\nclass P:\n    a: int\n    b: int = 1"
    assert judged("class P:\n  def __init__(self, a, b=1): ...", promise) == ()
    reason = only("@dataclass\nclass P:\n  b: int = 1\n  a: int = 0", promise)
    assert reason.detail == ("expected  P.__init__(a, b=1)", "found     P.__init__(b=1, a=0)")


def test_a_function_in_a_class_s_conditional_body_counts() -> None:
    source = "import sys\nif sys.platform:\n  def f(a): ...\nelse:\n  def f(a): ..."
    assert judged(source, "def f(a: int) -> int: ...") == ()


def test_a_unit_that_does_not_parse_is_one_reason_with_its_line() -> None:
    (reason,) = judged("x = 1\ndef f(:\n")
    assert reason.slug == "does-not-parse" and reason.text.startswith("python/p/u.py:2: ")
    assert reason.detail == ("def f(:",)


@pytest.mark.parametrize(
    "content", ["", "\x00", "(" * 5000, "x = 1" + "+1" * 2000, "@f" + "()" * 2000 + "\nclass A: 0"]
)
def test_whatever_a_unit_holds_there_is_an_answer(content: str) -> None:
    assert judged(content)


def test_another_encoding_is_refused_with_what_to_do() -> None:
    with pytest.raises(WorkRefused, match="not UTF-8") as caught:
        breaches(contract("u.py", PROMISE), File("u.py", "é".encode("latin-1")))
    assert "UTF-8" in caught.value.next_step


def test_a_byte_order_mark_and_crlf_are_no_difference() -> None:
    windows = KEPT.replace("\n", "\r\n").encode("utf-8-sig")
    assert breaches(contract("u.py", PROMISE), File("u.py", windows)) == ()


def test_a_contract_that_does_not_parse_is_the_course_s_fault() -> None:
    with pytest.raises(CourseWrong, match=r"u\.py, line 1"):
        contract("u.py", "def f(")
