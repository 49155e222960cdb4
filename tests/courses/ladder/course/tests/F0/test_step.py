"""Course tests of F0."""

from tinystep.step import step


def test_a_step_wraps() -> None:
    assert step(200) == (37 * 200 + 11) % 256


def test_a_step_adds() -> None:
    assert step(0) == 11
