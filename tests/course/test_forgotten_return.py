"""A unit whose function forgot its return is told of None by the course tests, and not of a NaN."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.course.chapter import COURSE


class WithoutReturn(ast.NodeTransformer):
    """What was returned is worked out all the same."""

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return ast.copy_location(ast.Expr(node.value) if node.value else ast.Pass(), node)


@pytest.mark.parametrize(
    ("module", "unit", "function", "told"),
    [
        ("M11.2", "info/ppl.py", "perplexity", "perplexity: got None: "),
        ("M11.2", "info/ppl.py", "result", "'NoneType' object is not subscriptable"),
        ("M07.3", "nn/init.py", "calculate_gain", "the gain of linear: got None: "),
        ("M10.4", "optim/clip.py", "clip_grad_norm_", "the norm is a NoneType, not a float"),
        ("L0.1", "autograd/tensor.py", "__add__", "a + c: got None: "),
        ("L0.1", "autograd/tensor.py", "__mul__", "a * b: got None: "),
        ("L0.1", "autograd/tensor.py", "__neg__", "-(a ** 3): got None: "),
        ("L0.1", "autograd/tensor.py", "__rtruediv__", "1 / b: got None: "),
        ("L2.1", "lm/ngram.py", "prob", "got None at [0]: "),
        ("L0.5", "lm/bigram.py", "perplexity", "perplexity: got None: "),
    ],
)
def test_the_first_failure_is_of_none(
    module: str, unit: str, function: str, told: str, tmp_path: Path
) -> None:
    _write_without_return(unit, function, tmp_path)
    failed = re.search(r"^E +(.*)$", _course_tests(module, tmp_path), re.MULTILINE)
    assert failed and told in failed[1], failed


def _write_without_return(unit: str, function: str, folder: Path) -> None:
    tree = ast.parse((COURSE / "reference" / "tinyllm" / unit).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            node.body = [WithoutReturn().visit(each) for each in node.body]
    place = folder / "tinyllm" / unit
    place.parent.mkdir(parents=True)
    place.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")


def _course_tests(module: str, folder: Path) -> str:
    """What pytest says of the module's tests, the unit in this folder before the reference's."""
    path = os.pathsep.join(map(str, (folder, COURSE / "reference", COURSE / "tests")))
    environment = {**os.environ, "PYTHONPATH": path, "OL_COURSE_ROOT": str(COURSE.parent)}
    alone = ["-c", os.devnull, f"--rootdir={folder}", "-p", "no:cacheprovider", "--tb=short", "-qx"]
    quick = ["-k", "not corpus and not stories"]
    words = [sys.executable, "-m", "pytest", *alone, *quick, str(COURSE / "tests" / module)]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    ).stdout


@pytest.mark.parametrize("path", sorted((COURSE / "probes").glob("*.py")), ids=lambda path: path.stem)
def test_no_probe_makes_a_number_of_what_was_not_returned(path: Path) -> None:
    """`np.float64` of what a function of the unit gives would hand out NaN for None: `returned` refuses it."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    made = [node.args[0] for node in calls if ast.unparse(node.func) == "np.float64" and node.args]
    bare = [ast.unparse(each) for each in made if isinstance(each, ast.Call)]
    assert [each for each in bare if not each.startswith("returned(")] == []
