"""What student code may import and touch: each way round the rule, and each honest use."""

from __future__ import annotations

import pytest

from ol.domain.code.contract import contract
from ol.domain.code.imports import forbidden_in_tests, forbidden_in_units
from ol.domain.course import ImportRules
from ol.domain.file import File
from ol.domain.report import Reason

RULES = ImportRules(standard=("__future__", "dataclasses", "json", "math", "os", "typing"))
CONTRACTS = {
    "tiny.lm.nplm": contract("lm/nplm.py", "def windows() -> int: ...\nclass NPLM: ..."),
    "tiny.nn.layers": contract("nn/layers.py", "class Linear: ..."),
}


def in_test(source: str, *others: str) -> tuple[Reason, ...]:
    files = [File("test_a.py", source.encode()), *(File(name, b"") for name in others)]
    return forbidden_in_tests(files, RULES, "tiny", CONTRACTS)


def in_unit(source: str) -> tuple[Reason, ...]:
    return forbidden_in_units([File("python/tiny/u.py", source.encode())], RULES, "tiny", CONTRACTS)


HONEST = [
    "import json, math, os.path\nimport numpy as np\nfrom numpy.testing import assert_allclose",
    "from tiny.lm.nplm import NPLM, windows",
    "import tiny.lm.nplm as m\nm.NPLM(); m.windows",
    "import tiny.lm.nplm\ntiny.lm.nplm.NPLM",
    "from tiny.lm import nplm\nfrom tiny import nn\nnplm.NPLM.forward; nn.layers.Linear",
    "model = 1\nmodel.eval()\nopen('x')\nmodel.__class__.__name__",
    "class Fake:\n  def __init__(self): self._seen = 0\n  def f(self): return Fake()._seen",
    "pair = None\npair._replace(a=1)",
    '"""This says __file__ and __code__."""\ndef f():\n  "and __loader__"',
    "def pytestish(): ...\nself = None\nself.sys = 1\nself.sys",
]


@pytest.mark.parametrize("source", HONEST)
def test_honest_code_is_let_alone(source: str) -> None:
    assert in_test(source) == () and in_unit(source) == ()


def test_pytest_is_for_tests_only() -> None:
    assert in_test("import pytest") == ()
    assert in_unit("import pytest")[0].slug == "forbidden-import"


@pytest.mark.parametrize(
    "module",
    ["sys", "inspect", "ast", "dis", "gc", "importlib.util", "ctypes", "subprocess", "torch", "frozen"],
)
def test_a_module_that_the_course_does_not_allow_is_refused_with_file_and_line(module: str) -> None:
    for source in (f"\nimport {module}", f"\nfrom {module} import x"):
        (reason,) = in_test(source)
        assert reason.slug == "forbidden-import"
        assert reason.text.startswith(
            f"test_a.py:2: The course does not allow {module.split('.')[0]} in a test: "
        )
        assert in_unit(source)[0].text.startswith("python/tiny/u.py:2: ")


@pytest.mark.parametrize(
    "source",
    [
        "import dataclasses\ndataclasses.inspect.getsource",
        "from os import sys",
        "import numpy as np\nnp.ctypeslib",
        "import numpy.f2py",
        "from numpy import f2py as g",
        "import typing\ntyping.sys.modules",
    ],
)
def test_a_module_carried_by_an_allowed_one_is_no_way_in(source: str) -> None:
    assert [reason.slug for reason in in_test(source)] == ["forbidden-import"]


def test_what_is_no_contract_name_is_refused_with_the_nearest_one() -> None:
    (reason,) = in_test("from tiny.lm.nplm import window")
    assert reason.text == "test_a.py:1: window is not in the contract of tiny.lm.nplm."
    assert reason.next_step == "Did you mean windows?"


def test_a_module_that_reads_code_is_refused_with_the_reason() -> None:
    (reason,) = in_test("import inspect")
    assert reason.text.endswith("a test looks at what code does, not at how it is written or run.")
    assert "the course allows" in reason.next_step


@pytest.mark.parametrize(
    ("source", "near"),
    [
        ("import maths", "Did you mean math?"),
        ("import nmpy", "Did you mean numpy?"),
        ("import numpi", "Did you mean numpy?"),
        ("import torch", ""),
        ("import copy", ""),
        ("import cupy", ""),
        ("import sympy", ""),
    ],
)
def test_only_what_is_really_near_is_asked_for(source: str, near: str) -> None:
    (reason,) = in_test(source)
    assert reason.next_step == near or (not near and "Did you mean" not in reason.next_step)


def test_another_library_is_no_standard_module_misspelt() -> None:
    rules = ImportRules(standard=("copy", "enum"))
    for line in ("import scipy", "from numba import jit"):
        (reason,) = forbidden_in_units([File("python/tiny/u.py", line.encode())], rules, "tiny", CONTRACTS)
        assert reason.next_step == "Beside contract names and some standard modules you may import numpy."


@pytest.mark.parametrize(
    "source",
    [
        "import tiny.zoo\ntiny.zoo.f()\ntiny.zoo.g()",
        "from tiny import zoo\nzoo.f()",
        "from tiny.lm import npl\nnpl.f()",
        "import tiny.lm.nplm2 as m\nm.f()",
        "import numpy.f2py\nnumpy.f2py.compile",
    ],
)
def test_a_wrong_import_is_told_where_it_is_imported_and_not_where_it_is_used(source: str) -> None:
    (reason,) = in_test(source)
    assert reason.text.startswith("test_a.py:1: ")


def test_a_name_that_another_unit_promises_is_to_be_taken_from_there() -> None:
    (reason,) = in_test("from tiny.lm.nplm import Linear")
    assert reason.next_step == "Write `from tiny.nn.layers import Linear`."


@pytest.mark.parametrize(
    "source",
    [
        "from tiny.lm.nplm import _softmax",
        "import tiny.lm.nplm as m\nm._softmax",
        "import tiny.lm.nplm\ntiny.lm.nplm.SGD",
        "from tiny import lm\nlm.nplm.SGD.step",
        "from tiny.lm import nplm as m\nprint(m)",  # the module as a value
        "import tiny.lm.nplm as m\ngetattr(m, 'SGD')",
        "import tiny.zoo",
        "from tiny.zoo import Zoo",
        "from tiny.lm.nplm import *",
    ],
)
def test_only_contract_names_of_a_unit_may_be_reached(source: str) -> None:
    assert len(in_test(source)) == 1 and len(in_unit(source)) == 1


@pytest.mark.parametrize(
    "word", ["__code__", "__globals__", "__subclasses__", "__closure__", "f_back", "co_code"]
)
def test_attributes_that_lead_to_code_are_refused_however_spelled(word: str) -> None:
    for source in (f"f.{word}", f"getattr(f, '{word}')" if word.startswith("__") else f"f.{word}.x"):
        assert in_test(source)[0].slug == "forbidden-name"
        assert in_unit(source)[0].slug == "forbidden-name"


@pytest.mark.parametrize(
    "source", ["__file__", "__loader__", "__builtins__", "__import__('sys')", "eval('1')", "exec('')"]
)
def test_names_that_lead_into_the_interpreter_are_refused(source: str) -> None:
    assert in_test(source)[0].slug == "forbidden-name" and in_unit(source)[0].slug == "forbidden-name"


def test_a_format_string_is_no_way_to_code() -> None:
    assert in_test("'{0.__code__}'.format(f)")[0].slug == "forbidden-name"
    assert in_test("f'{f.__code__}'")[0].slug == "forbidden-name"


@pytest.mark.parametrize(
    "text",
    [
        "from numpy import __builtins__ as b",
        "from math import __loader__",
        "from typing import eval",
        "match f:\n    case object(__code__=code):\n        pass",
    ],
)
def test_nor_by_an_import_from_or_a_pattern(text: str) -> None:
    assert in_test(text)[0].slug == "forbidden-name"


@pytest.mark.parametrize("source", ["m.__dict__", "vars(m)", "globals()", "pytest.importorskip('sys')"])
def test_a_test_may_not_walk_what_a_unit_may(source: str) -> None:
    assert in_test(source)[0].slug == "forbidden-name" and in_unit(source) == ()


def test_a_private_attribute_is_for_the_files_that_bind_it() -> None:
    assert in_test("model._parents")[0].text == "test_a.py:1: _parents is private to another file."
    assert in_test("model._parents = 1")[0].slug == "private-name"
    assert in_test("from numpy._core import multiarray")[0].slug == "private-name"
    own = "class A:\n  __slots__ = ('_left',)\n  def _f(self): self._x = 1\nA()._x; A()._f; A()._left"
    assert in_test(own) == () and in_unit(own) == ()


def test_the_units_of_one_module_share_their_private_names() -> None:
    files = [File("a.py", b"class A:\n  def _f(self): ..."), File("b.py", b"def g(a): return a._f()")]
    assert forbidden_in_units(files, RULES, "tiny", CONTRACTS) == ()
    assert len(forbidden_in_units(files[1:], RULES, "tiny", CONTRACTS)) == 1


@pytest.mark.parametrize(
    "source", ["import tools", "from tools import x", "from . import tools", "from conftest import x"]
)
def test_a_sibling_of_a_test_is_refused_with_the_advice_to_use_conftest(source: str) -> None:
    (reason,) = in_test(source, "tools.py", "conftest.py")
    assert reason.slug == "sibling-import" and "conftest.py" in reason.next_step


def test_a_unit_names_other_units_in_full() -> None:
    (reason,) = in_unit("from .layers import Linear")
    assert "relative" in reason.text and "from tiny." in reason.next_step


@pytest.mark.parametrize("source", ["def pytest_runtest_call(item): ...", "pytest_plugins = ['x']"])
def test_pytest_hooks_are_refused_in_a_test_folder(source: str) -> None:
    assert [reason.slug for reason in in_test(source)] == ["conftest-hook"]


def test_one_word_on_one_line_is_one_finding_and_findings_come_in_order() -> None:
    reasons = in_test("import sys\nfrom tiny.lm.nplm import _a\nf.__code__, g.__code__")
    assert [reason.text.split(":")[1] for reason in reasons] == ["1", "2", "3"]


def test_a_file_that_does_not_parse_is_told_beside_what_the_others_do() -> None:
    files = [File("test_a.py", b"def f("), File("test_b.py", b"import sys"), File("data.json", b"{")]
    slugs = [reason.slug for reason in forbidden_in_tests(files, RULES, "tiny", CONTRACTS)]
    assert slugs == ["does-not-parse", "forbidden-import"]


def test_an_empty_folder_breaks_no_rule() -> None:
    assert forbidden_in_tests([], RULES, "tiny", CONTRACTS) == ()
