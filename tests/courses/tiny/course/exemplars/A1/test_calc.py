import pytest
from tinycalc.calc import Running, clamp, mean


def test_mean_of_two():
    assert mean([1.0, 3.0]) == 2.0


def test_mean_of_nothing():
    with pytest.raises(ValueError):
        mean([])


@pytest.mark.parametrize(("x", "expected"), [(-2.0, 0.0), (0.5, 0.5), (3.0, 1.0)])
def test_clamp(x, expected):
    assert clamp(x, 0.0, 1.0) == expected


def test_clamp_of_an_empty_interval():
    with pytest.raises(ValueError):
        clamp(0.5, 1.0, 0.0)


def test_running():
    running = Running()
    running.add(2.0)
    running.add(4.0)
    assert running.count == 2
    assert running.mean() == pytest.approx(3.0)
