import pytest
from tinycalc.line import fit, values


def test_a_line_through_zero():
    assert values([0.0], 2.0, 0.0)[0] == 0.0


def test_values():
    assert values([0.0, 1.0], 2.0, 1.0).tolist() == [1.0, 3.0]


def test_an_untrained_line_is_off_by_the_mean_square():
    assert fit(0, 1) == pytest.approx(2.3, abs=0.4)


def test_a_trained_line_is_off_by_the_noise():
    assert 0.004 < fit(60, 1) < 0.02
