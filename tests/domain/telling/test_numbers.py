from __future__ import annotations

import numpy as np
import pytest

from frozen.close import assert_close
from ol.domain.telling.numbers import Numbers

GOT = np.array([[1.0, 2.0, 3.0], [4.0, 5.5, 7.0]])
WANT = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def message_of(compare: object, *arguments: object) -> str:
    with pytest.raises(AssertionError) as caught:
        compare(*arguments)  # type: ignore[operator]
    return str(caught.value)


def test_numpys_message_gives_the_greatest_differences() -> None:
    numbers = Numbers.told_by(message_of(np.testing.assert_allclose, GOT, WANT, 1e-6))
    assert numbers is not None
    assert (numbers.bad, numbers.absolute) == ("2 of 6", "1")
    assert float(numbers.relative) == pytest.approx(1 / 6)


def test_numpys_message_gives_the_first_bad_index() -> None:
    new = (
        "\nNot equal to tolerance rtol=1e-06, atol=0\n\nMismatched elements: 2 / 6 (33.3%)\n"
        "Mismatch at indices:\n [1, 1]: 5.5 (ACTUAL), 5.0 (DESIRED)\n [1, 2]: 7.0 (ACTUAL), 6.0 (DESIRED)\n"
        "Max absolute difference among violations: 1.\nMax relative difference among violations: 0.16666667\n"
        " ACTUAL: array([[1. , 2. ],\n       [4. , 5.5]])\n DESIRED: array([[1., 2.],\n  [4., 5.]])"
    )
    assert Numbers.told_by(new) == Numbers("2 of 6", "1", "0.16666667", "1, 1", "5.5", "5.0")


def test_an_older_numpys_message_is_read_too() -> None:
    old = (
        "\nNot equal to tolerance rtol=1e-06, atol=0\n\nMismatched elements: 1 / 3 (33.3%)\n"
        "Max absolute difference: 0.5\nMax relative difference: 0.25\n"
        " x: array([1. , 2.5, 3. ])\n y: array([1, 2, 3])"
    )
    assert Numbers.told_by(old) == Numbers("1 of 3", "0.5", "0.25")


def test_the_frozen_kits_message_is_read() -> None:
    numbers = Numbers.told_by(message_of(assert_close, GOT, WANT, 1e-6, 0.0))
    assert numbers == Numbers("2 of 6", "1", "0.167", "1, 1", "5.5", "5.0")


def test_the_name_that_the_frozen_kit_is_given_is_read() -> None:
    numbers = Numbers.told_by(message_of(assert_close, GOT, WANT, 1e-6, 0.0, "grad/emb.weight"))
    assert numbers == Numbers("2 of 6", "1", "0.167", "1, 1", "5.5", "5.0", of="grad/emb.weight")


def test_the_lines_say_what_is_known_and_nothing_else() -> None:
    assert Numbers("1 of 3", "0.5", "0.25").lines() == (
        "1 of 3 values differ",
        "greatest difference: 0.5 absolute, 0.25 relative",
    )
    assert Numbers("2 of 6", "1", "", "1, 1", "5.5", "5.0").lines()[-1] == (
        "first bad value at [1, 1]: got 5.5, expected 5.0"
    )


def test_another_message_is_no_comparison_of_arrays() -> None:
    assert Numbers.told_by("assert 3 == 4") is None
    assert Numbers.told_by(message_of(np.testing.assert_allclose, np.zeros(3), np.zeros(2))) is None
