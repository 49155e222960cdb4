from tinycalc.line import values


def test_a_line_through_zero():
    assert values([0.0], 2.0, 0.0)[0] == 0.0
