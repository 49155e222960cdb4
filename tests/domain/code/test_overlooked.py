"""Tests that no run sees, or that show nothing: which they are, and how that is said."""

from __future__ import annotations

import pytest

from ol.domain.code.overlooked import overlooked
from ol.domain.file import File
from tests.made import texts

TEST = "def test_x():\n    assert False\n"
METHOD = "    def test_x(self):\n        assert False\n"


def remarks(text: str, file: str = "test_a.py") -> list[str]:
    return list(overlooked("python/tests/a1", texts({file: text})))


@pytest.mark.parametrize("file", ["more.py", "tests_more.py", "more_tests.py", "sub/testing.py", "Test_a.py"])
@pytest.mark.parametrize("text", [TEST, f"class TestIt:\n{METHOD}", f"import numpy\n\n\nasync {TEST}"])
def test_a_file_with_tests_that_pytest_does_not_look_into_is_named(file: str, text: str) -> None:
    (told,) = remarks(text, file)
    assert told == (
        f"python/tests/a1/{file} is passed over, tests and all: test files are named test_*.py; rename it"
    )


def test_several_are_one_remark() -> None:
    (told,) = overlooked("t", texts({f"{name}.py": TEST for name in "abcd"}))
    assert told.startswith("t/a.py, t/b.py, t/c.py and 1 more are passed over") and told.endswith("them")


def test_a_conftest_keeps_its_name() -> None:
    (told,) = remarks(TEST, "conftest.py")
    assert told.endswith("they are passed over: move them to a file named test_*.py")


@pytest.mark.parametrize("file", ["test_more.py", "more_test.py", "sub/test_more.py", "notes.txt"])
def test_what_pytest_looks_into_and_what_is_no_python_is_not_told(file: str) -> None:
    assert remarks(TEST, file) == []


@pytest.mark.parametrize(
    "text",
    [
        "def made(): ...\nLIMIT = 3\n",
        "def testing(): ...\n",
        "import pytest\n@pytest.fixture\ndef test_data(): ...\n",
        "class TestData:\n    size = 3\n    def made(self): ...\n",
        "class Maker:\n    def test_it(self): ...\n",
        "def (",
    ],
)
def test_a_helper_without_tests_is_not_told(text: str) -> None:
    assert remarks(text, "more.py") == []


def test_a_file_that_cannot_be_read_is_left_to_what_runs_it() -> None:
    assert list(overlooked("t", [File("more.py", b"# \xff\n" + TEST.encode())])) == []


def test_a_class_with_tests_and_another_name_is_told() -> None:
    assert remarks(f"class CalcTests:\n{METHOD}") == [
        "python/tests/a1/test_a.py: class CalcTests is passed over, tests and all: "
        "such classes are named Test…; rename it"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"class TestIt:\n{METHOD}",
        f"class Shared:\n{METHOD}\nclass TestIt(Shared):\n    size = 3\n",
        f"class Calc(unittest.TestCase):\n{METHOD}",
        "class Unit:\n    def forward(self): ...\n",
    ],
)
def test_a_class_that_pytest_reaches_or_that_holds_no_test_is_not_told(text: str) -> None:
    assert remarks(text) == []


@pytest.mark.parametrize(
    "body", ["return f(1) == 2", "x = f(1)\n    return x == 2", "if x:\n        return 1"]
)
def test_a_test_that_returns_what_it_should_assert_is_told(body: str) -> None:
    assert remarks(f"@pytest.mark.skipif(False)\ndef test_it():\n    {body}\n") == [
        "python/tests/a1/test_a.py: test_it returns a value that nobody looks at: write `assert` for `return`"
    ]


def test_several_tests_of_a_file_that_return_are_one_remark() -> None:
    text = "class TestIt:\n    def test_a(self): return 1\ndef test_b(): return 1\n"
    (told,) = remarks(text)
    assert "TestIt.test_a, test_b return a value" in told


@pytest.mark.parametrize(
    "text",
    [
        "def test_it():\n    assert f(1) == 2\n    return\n",
        "def test_it():\n    assert f(1) == 2\n    return None\n",
        "def test_it():\n    def double(x):\n        return 2 * x\n    assert double(1) == 2\n",
        "@checked\ndef test_it():\n    return f(1) == 2\n",
        "def made():\n    return 3\n",
    ],
)
def test_a_return_of_nothing_or_of_another_function_is_not_told(text: str) -> None:
    assert remarks(text) == []
