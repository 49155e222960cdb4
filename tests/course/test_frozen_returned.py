"""The frozen kit tells of None as None, of which numpy makes NaN."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from frozen import as_array, assert_close, assert_equal, returned

NOTHING = "the function returned nothing; is a return missing?"


@pytest.mark.parametrize(
    "compare",
    [lambda got: assert_close(got, 27.0, 1.0, 1.0, "value"), lambda got: assert_equal(got, 27.0, "value")],
)
def test_none_is_told_as_none_and_never_as_a_number(compare: Any) -> None:
    for got in (None, as_array(None, np.float64), as_array(None, np.int64)):
        with pytest.raises(AssertionError) as caught:
            compare(got)
        assert str(caught.value) == f"value: got None: {NOTHING}"


def test_a_none_among_numbers_is_told_with_its_place() -> None:
    with pytest.raises(AssertionError, match=rf"^got None at \[1\]: {re.escape(NOTHING)}$"):
        assert_close(as_array([1.0, None], np.float64), np.array([1.0, 2.0]), rtol=1.0, atol=1.0)
    with pytest.raises(AssertionError, match=r"^got None at \[0, 1\]: "):
        assert_equal([[1.0, None]], np.array([[1.0, 2.0]]))


def test_as_array_gives_what_is_no_none_the_dtype() -> None:
    assert_equal(as_array([1, 2.5], np.float64), np.array([1.0, 2.5]))
    assert_equal(as_array(3, np.float32), np.float32(3))
    assert_equal(as_array([], np.int64), np.zeros(0, np.int64))


def test_returned_hands_on_everything_but_none() -> None:
    assert returned(0.0, "it") == 0.0 and returned([], "it") == []
    with pytest.raises(AssertionError) as caught:
        returned(None, "a + b")
    assert str(caught.value) == f"a + b: got None: {NOTHING}"
