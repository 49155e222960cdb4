from __future__ import annotations

import pytest

from ol.domain.code.syntax import parsed
from ol.domain.file import File
from ol.domain.report import Reason
from ol.domain.sentence import sentence


@pytest.mark.parametrize(
    ("text", "told"),
    [("it ends", "it ends."), ("it ended.", "it ended."), ("does it?", "does it?"), ("it does!", "it does!")],
)
def test_a_sentence_ends_once(text: str, told: str) -> None:
    assert sentence(text) == told


@pytest.mark.parametrize("source", ["x = [1 2]\n", "def f(:\n", "if x = 1:\n    pass\n"])
def test_what_python_says_of_a_syntax_error_is_ended_once(source: str) -> None:
    reason = parsed(File("a.py", source.encode()))
    assert isinstance(reason, Reason)
    assert reason.text[-1] in ".?" and reason.text[-2] not in ".?"
