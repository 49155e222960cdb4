"""Course tests of F2."""

from tinystep.middle import middle


def test_the_middle_of_three() -> None:
    assert middle([9.0, 1.0, 2.0]) == 2.0


def test_the_middle_of_four() -> None:
    assert middle([9.0, 1.0, 2.0, 3.0]) == 2.5


def test_the_values_stay_as_they_are() -> None:
    values = [3.0, 1.0, 2.0]
    middle(values)
    assert values == [3.0, 1.0, 2.0]
