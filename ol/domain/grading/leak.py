"""Where a value that students are to work out stands in what they read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ol.domain.course import Blank
from ol.domain.grading.literal import Value, agree, leaves

_NUMBER = re.compile(r"(?<![\w.])(?:0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.]*\w)")
_GROUPS = re.compile(r"(?<=\d)[, \u00a0\u202f](?=\d{3}(?!\d))")


def stands_in(value: Value, blank: Blank, text: str) -> bool:
    """Whether a text holds the value: a number as one, a list as its elements in a row, words as words.

    A sign hides no number: whoever sees 3 guesses -3. A truth value cannot be kept, and is not looked for.
    """
    sought = list(leaves(value))
    numbers = [abs(each) for each in sought if isinstance(each, (int, float)) and not isinstance(each, bool)]
    words = [each for each in sought if isinstance(each, str)]
    if sought and len(words) == len(sought):
        return _words_stand(words, text)
    if not sought or len(numbers) < len(sought):
        return False
    return any(_in_a_row(numbers, blank, found) for found in _readings(text))


def _words_stand(words: Sequence[str], text: str) -> bool:
    """With quotes, commas and the like between them."""
    pattern = r"\W{1,6}".join(map(re.escape, words))
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None


def _readings(text: str) -> Iterator[list[float]]:
    """A text's numbers in order; and once more, where digits stand in groups of three, with those as one number."""
    for each in (text, _GROUPS.sub("", text)):
        yield [_number(found) for found in _NUMBER.findall(each)]


def _number(text: str) -> float:
    try:
        return int(text, 0) if text[:2] in ("0x", "0X") else int(text)
    except ValueError:  # a fraction, or an underscore at its end
        return float(text.rstrip("_"))


def _in_a_row(sought: Sequence[float], blank: Blank, found: Sequence[float]) -> bool:
    starts = range(len(found) - len(sought) + 1)
    return any(
        all(agree(one, other, blank) for one, other in zip(found[at:], sought, strict=False)) for at in starts
    )
