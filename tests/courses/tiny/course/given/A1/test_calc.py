from tinycalc.calc import mean


def test_mean_of_two():
    assert mean([1.0, 3.0]) == 2.0
