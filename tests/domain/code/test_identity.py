from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ol.domain.code.identity import code_hash, identify, is_test_file
from ol.domain.errors import WorkRefused
from ol.domain.file import File

PLAIN = '''
import math
import pytest


@pytest.fixture
def model():
    """The one under test."""
    return {"a": 1}


@pytest.mark.parametrize("x", [1, 2])
def test_adds(model, x):
    """Says what it says."""
    assert model["a"] + x == x + 1, f"{x:>{10}} is wrong"


class TestScaling:
    """Scaling."""

    factor = 2.0

    def test_doubles(self):
        assert math.sqrt(4.0) == self.factor

    class TestDeep:
        async def test_inner(self):
            del self.gone
            assert await self.other(*[1], **{"k": None})
'''

RESTYLED = """# a comment
import math; import pytest
@pytest.fixture
def model():
    "Another docstring"
    return {'a': 0x1}
@pytest.mark.parametrize('x',
                         [1, 2,])
def test_adds(model, x):
    assert (model['a'] + x) == (x + 1), (
        f'{x:>{10}} is ' f'wrong')
class TestScaling:
    factor = 2.
    def test_doubles(self): assert math.sqrt(4.00) == self.factor
    class TestDeep:
        async def test_inner(self):

            del self.gone
            assert await self.other(*[1], **{u'k': None,})
"""


def folder(text: str, name: str = "test_calc.py"):
    return identify([File(name, text.encode("utf-8"))])


def test_functions_are_found_at_the_top_and_in_test_classes_however_deep():
    assert set(folder(PLAIN).functions) == {
        "test_calc.py::test_adds",
        "test_calc.py::TestScaling::test_doubles",
        "test_calc.py::TestScaling::TestDeep::test_inner",
    }


def test_a_restyled_file_is_the_same_folder():
    assert folder(PLAIN) == folder(RESTYLED)


def test_a_byte_order_mark_and_windows_line_ends_change_nothing():
    windows = b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode("utf-8")
    assert identify([File("test_calc.py", windows)]) == folder(PLAIN)


# The same figures came from Python 3.10.13, 3.11.7, 3.12.1 and 3.13.0.
def test_the_hashes_do_not_depend_on_the_version_of_python():
    found = folder(PLAIN)
    assert found.functions["test_calc.py::test_adds"][:12] == "46434facf5ab"
    assert found.rests["test_calc.py"][:12] == "4f60783dbb78"


def test_a_new_name_keeps_the_hash():
    before, after = folder(PLAIN), folder(PLAIN.replace("test_adds", "test_sums"))
    assert after.functions["test_calc.py::test_sums"] == before.functions["test_calc.py::test_adds"]
    assert after.rests == before.rests


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[1, 2]", "[1, 3]"),  # a decorator
        ("== x + 1", "== x + 2"),  # the body
        ("(model, x)", "(x, model)"),  # what it asks for
        ('"k": None', '"k": 0'),
        ("await self.other", "self.other"),
        ("is wrong", "is right"),
    ],
)
def test_an_edit_of_a_function_changes_a_function_and_no_rest(old: str, new: str):
    before, after = folder(PLAIN), folder(PLAIN.replace(old, new))
    assert sum(after.functions[id] != hash for id, hash in before.functions.items()) == 1
    assert after.rests == before.rests


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"a": 1}', '{"a": 2}'),  # a fixture
        ("factor = 2.0", "factor = 3.0"),  # a class attribute
        ("class TestScaling:", "class TestScaling(Base):"),  # its bases
        ("import math\n", "import math\nimport json\n"),
    ],
)
def test_an_edit_of_the_rest_changes_the_rest_and_no_function(old: str, new: str):
    before, after = folder(PLAIN), folder(PLAIN.replace(old, new))
    assert after.functions == before.functions
    assert after.rests != before.rests


def test_a_fixture_named_like_a_test_belongs_to_the_rest():
    text = "import pytest\n@pytest.fixture()\ndef test_values():\n    return {}\n"
    before, after = folder(text.format(3)), folder(text.format(4))
    assert not before.functions
    assert before.rests != after.rests


def test_the_second_of_two_functions_of_one_name_does_not_hide_the_first():
    one, other = (f"def test_a():\n    assert {n}\ndef test_a():\n    assert 2\n" for n in (1, 3))
    assert folder(one).functions.keys() == {"test_calc.py::test_a"}
    assert folder(one) != folder(other)


def test_an_inherited_test_is_known_by_the_rest_of_its_file():
    text = "class Base:\n    def test_a(self):\n        assert {}\nclass TestB(Base):\n    pass\n"
    before, after = folder(text.format(1)), folder(text.format(2))
    id = "test_calc.py::TestB::test_a"
    assert not before.functions
    assert before.hash_of(id) != after.hash_of(id)
    assert before.hash_of(id) == folder(text.format(1), "test_other.py").hash_of(id.replace("calc", "other"))
    assert before.hash_of(id) != before.hash_of("test_calc.py::TestC::test_a")
    assert before.hash_of("test_gone.py::test_a") == ""


def test_conftest_is_one_rest_and_other_files_are_bytes():
    files = [File("conftest.py", b"def test_no_test():\n    pass\n"), File("table.txt", b"1 2\r\n")]
    found = identify(files)
    assert not found.functions
    assert found.rests["table.txt"] == files[1].sha256
    assert (
        found.rests["conftest.py"] == folder("def test_no_test(): pass", "conftest.py").rests["conftest.py"]
    )


def test_a_file_that_does_not_parse_is_refused_with_file_and_line():
    with pytest.raises(WorkRefused, match=r"test_calc\.py:2: this is not Python") as caught:
        folder("x = 1\ndef test_a(:\n")
    assert caught.value.slug == "does-not-parse"
    assert caught.value.next_step


def test_a_deep_expression_has_a_hash():
    deep = "+".join(["x"] * 900)
    assert code_hash(f"y = {deep}") == code_hash(f"y = ({deep})")


def test_a_units_docstrings_count_and_its_comments_do_not():
    unit = code_hash('def f():\n    "doc"\n    return 1')
    assert unit == code_hash('def f():  # a comment\n    """doc"""\n    return 1\n')
    assert unit != code_hash('def f():\n    "other"\n    return 1')
    assert code_hash("def f(:") != code_hash("def g(:")


@pytest.mark.parametrize("name", ["test_a.py", "sub/test_a.py", "a_test.py"])
def test_files_that_pytest_looks_into(name: str):
    assert is_test_file(name)


@pytest.mark.parametrize("name", ["conftest.py", "tests.py", "test_a.txt", "test_dir/a.py", "mytest_a.py"])
def test_files_that_pytest_leaves(name: str):
    assert not is_test_file(name)


_NAMES = st.sampled_from(["x", "y", "total", "model"])
_ATOMS = st.one_of(
    _NAMES,
    st.integers(0, 99).map(str),
    st.floats(0, 9, allow_nan=False).map(repr),
    st.text(alphabet="ab'\"\\\né", max_size=4).map(repr),
    st.sampled_from(["None", "True", "...", "b'z'", "f'{x!r:>{y}}'"]),
)
_EXPRESSIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "@", "==", "and"]), inner)
        .map(" ".join)
        .map("({})".format),
        st.lists(inner, max_size=3).map(lambda items: f"call({', '.join(items)})"),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner).map(lambda t: f"{{{t[0]}: {t[1]}}}"),
    ),
    max_leaves=8,
)


def _written(expressions: list[str]) -> str:
    body = "\n".join(f"    assert {each}" for each in expressions)
    return f"import math\n\n\ndef test_it(x, *, y=None):\n{body}\n"


@settings(deadline=None, max_examples=60)
@given(st.lists(_EXPRESSIONS, min_size=1, max_size=3))
def test_written_again_by_another_hand_a_file_is_the_same(expressions: list[str]):
    text = _written(expressions)
    assert folder(ast.unparse(ast.parse(text))) == folder(text)


@settings(deadline=None, max_examples=60)
@given(_EXPRESSIONS, _EXPRESSIONS)
def test_two_functions_are_the_same_exactly_when_their_trees_are(one: str, other: str):
    first, second = (folder(_written([each])).functions["test_calc.py::test_it"] for each in (one, other))
    assert (first == second) == (ast.dump(ast.parse(one)) == ast.dump(ast.parse(other)))
