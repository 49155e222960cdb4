"""Which tests are still empty, and how that is said."""

from __future__ import annotations

import pytest

from ol.domain.code.empty import Empty, empty_tests
from ol.domain.errors import WorkRefused
from ol.domain.file import File
from tests.made import texts


def names(text: str, file: str = "test_a.py") -> tuple[str, ...]:
    return empty_tests(texts({file: text})).names


@pytest.mark.parametrize(
    "body",
    [
        '"""What it shows."""',
        "pass",
        "...",
        '"""Doc."""\n    pass',
        "return",
        "return None",
        "1",
        "# so\n    pass",
    ],
)
def test_a_body_that_cannot_fail_is_empty(body: str) -> None:
    assert names(f"def test_it(tmp_path):\n    {body}\n") == ("test_it",)


@pytest.mark.parametrize(
    "body", ["assert True", "f()", "x = 1", "return f()", '"""Doc."""\n    f()', "raise E"]
)
def test_a_body_that_does_something_is_written(body: str) -> None:
    assert empty_tests(texts({"test_a.py": f"def test_it():\n    {body}\n"})) == Empty((), 1)


def test_a_mark_leaves_a_test_empty_and_another_decorator_may_make_one_of_it() -> None:
    marked = "@pytest.mark.parametrize('x', [1, 2])\n@pytest.mark.skipif(False)\ndef test_it(x): ...\n"
    assert names(marked) == ("test_it",)
    assert empty_tests(texts({"test_a.py": marked})).alone
    assert names("@checked\ndef test_it(): ...\n") == ()


def test_methods_of_test_classes_count_and_what_pytest_does_not_collect_does_not() -> None:
    text = (
        "class TestIt:\n    def test_in(self): ...\n    def helper(self): ...\n"
        "class Other:\n    def test_out(self): ...\n"
        "async def test_later(): ...\n"
        "def helper():\n    def test_inner(): ...\n"
    )
    assert names(text) == ("TestIt.test_in", "test_later")
    assert (
        empty_tests(texts({"conftest.py": "def test_no(): ...\n", "notes.txt": "def test_no(): ..."})).of == 0
    )


def test_the_first_three_are_named_and_the_others_counted() -> None:
    assert Empty((), 3).told == ""
    assert Empty(("test_a",), 1).told == "1 of 1 test is still empty: test_a"
    assert Empty(("test_a",), 4).told == "1 of 4 tests is still empty: test_a"
    assert Empty(("a", "b", "c"), 12).told == "3 of 12 tests are still empty: a, b, c"
    assert Empty(("a", "b", "c", "d", "e"), 5).told == "5 of 5 tests are still empty: a, b, c and 2 more"


def test_a_file_that_does_not_parse_is_refused() -> None:
    with pytest.raises(WorkRefused):
        empty_tests([File("test_a.py", b"def (")])


HANDED_OUT = """\"\"\"Tests.\"\"\"
import numpy as np
LIMIT = 3

def file_of(content):
    return bytes(content)

class TestIt:
    \"\"\"Of one kind.\"\"\"
    def test_a(self): ...

def test_b(tmp_path):
    \"\"\"What it shows.\"\"\"
"""


def test_a_folder_as_it_was_handed_out_holds_empty_tests_alone() -> None:
    assert empty_tests(texts({"test_a.py": HANDED_OUT, "notes.txt": "def f(): g()"})).alone
    assert not empty_tests(texts({"test_a.py": "import numpy\n"})).alone


@pytest.mark.parametrize(
    "more",
    [
        "def test_c():\n    assert True\n",
        "@pytest.fixture(autouse=True)\ndef checked():\n    assert f()\n",
        "def setup_module():\n    assert f()\n",
        "class TestMore:\n    def setUp(self):\n        assert f()\n",
        "assert f()\n",
        "class TestMore:\n    def setup_method(self):\n        assert f()\n",
        "@halved(3)\ndef test_c():\n    pass\n",
        "test_c = file_of\n",
        "class TestMore:\n    test_c = file_of\n",
        "setup_module = file_of\n",
        "checked = pytest.fixture(autouse=True)(file_of)\n",
        "RIGHT = file_of(b'')\n",
        "def test_c(right=file_of(b'')): ...\n",
    ],
)
def test_where_anything_else_could_fail_they_are_not_alone(more: str) -> None:
    assert not empty_tests(texts({"test_a.py": HANDED_OUT + more})).alone
    assert not empty_tests(texts({"test_a.py": HANDED_OUT, "conftest.py": more})).alone
