from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.domain.code.neutral import neutral

REFERENCE = sorted((Path(__file__).parents[3] / "course" / "reference").rglob("*.py"))
STANDARD = [Path(inspect.getfile(module)) for module in (ast, inspect)] + [
    Path(inspect.getfile(inspect)).with_name(name)
    for name in ("argparse.py", "difflib.py", "dataclasses.py", "tarfile.py", "textwrap.py", "statistics.py")
]


def renamed_locals(before: str, after: str) -> set[tuple[str, str]]:
    pairs = zip(ast.walk(ast.parse(before)), ast.walk(ast.parse(after)), strict=True)
    return {
        (old.id, new.id)
        for old, new in pairs
        if isinstance(old, ast.Name) and isinstance(new, ast.Name) and old.id != new.id
    }


def code_objects(source: str) -> Iterator[types.CodeType]:
    frontier = [compile(source, "unit", "exec", dont_inherit=True)]
    while frontier:
        code = frontier.pop()
        yield code
        frontier += [each for each in code.co_consts if isinstance(each, types.CodeType)]


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("path", REFERENCE + STANDARD, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_variant_compiles_to_the_same_code_but_for_the_names_of_locals(path: Path, seed: int) -> None:
    source = path.read_text(encoding="utf-8")
    variant = neutral(source, seed)
    for old, new in zip(code_objects(source), code_objects(variant), strict=True):
        assert old.co_code == new.co_code
        assert (old.co_names, old.co_freevars, old.co_cellvars) == (
            new.co_names,
            new.co_freevars,
            new.co_cellvars,
        )
        arguments = old.co_argcount + old.co_kwonlyargcount
        assert old.co_varnames[:arguments] == new.co_varnames[:arguments]
        assert len(old.co_varnames) == len(new.co_varnames)
        assert old.co_firstlineno == new.co_firstlineno


@pytest.mark.parametrize("path", REFERENCE, ids=lambda path: path.stem)
def test_the_rest_of_the_text_stays_to_the_byte(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    variant = neutral(source, seed=3)
    for old, new in renamed_locals(source, variant):
        assert new not in source, old
        variant = variant.replace(new, old)
    assert variant == source


def test_locals_get_new_names_and_parameters_keep_theirs() -> None:
    source = "def area(width, height):\n    size = width * height\n    return size\n"
    assert {old for old, _ in renamed_locals(source, neutral(source, 0))} == {"size"}


def test_the_same_seed_gives_the_same_names_and_another_seed_others() -> None:
    source = "def f(x):\n    y = x\n    return y\n"
    assert neutral(source, 5) == neutral(source, 5)
    assert neutral(source, 5) != neutral(source, 6)


@pytest.mark.parametrize(
    "body",
    [
        "import math\n    return math.pi",
        "global total\n    total = x\n    return total",
        "y = x\n    return lambda: y",
        "y = x\n    return [y + i for i in range(3)]",
        "y = x\n    return f'{y}'",
        "y = x\n    return f'{y=}'",
        "y = x\n    return locals()",
        "y = x\n    return eval('y')",
        "try:\n        return x\n    except ValueError as y:\n        return y",
        "def y():\n        return x\n    return y",
        "__y = x\n    return __y",
        "match x:\n        case [y, *_]:\n            return y",
    ],
)
def test_a_name_that_more_than_plain_names_mention_is_left_alone(body: str) -> None:
    source = f"def f(x):\n    {body}\n"
    assert neutral(source, 0) == source


def test_decorated_and_nested_functions_are_found_by_their_line() -> None:
    source = (
        "import functools\n\n@functools.cache\ndef outer(n):\n    k = n\n"
        "    @functools.cache\n    def inner(m):\n        j = m\n        return j\n    return inner(k)\n"
    )
    assert {old for old, _ in renamed_locals(source, neutral(source, 0))} == {"k", "j"}


def test_columns_count_bytes_so_letters_of_any_script_may_stand_before_a_name() -> None:
    source = "def f(x):\n    é = 'ü'; size = 'œ', x; return size, é\n"
    scope: dict[str, object] = {}
    exec(neutral(source, 0), scope)
    assert scope["f"](1) == (("œ", 1), "ü")  # type: ignore[operator]
