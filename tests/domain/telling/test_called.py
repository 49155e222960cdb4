from __future__ import annotations

from ol.domain.telling.called import called
from ol.domain.telling.listing import Text

UNIT = Text(
    "python/tiny/a1.py",
    "def add(x, y):\n    return x\n\n\ndef sub(x, y):\n    return y\n\n\n"
    "class Sum:\n    def __init__(self):\n        self.n = 0\n\n"
    "    def more(self, x):\n        self.n += x\n",
)
TEST = Text(
    "course/tests/A.1/test_x.py",
    "def test_add():\n    assert add(1, 2) == 3\n\n\ndef made():\n    return Sum()\n\n\n"
    "def test_sum():\n    made().more(3)\n    assert 1 == 2\n\n\ndef test_other():\n    assert list()\n",
)


def test_the_functions_that_a_test_names_are_where_to_look() -> None:
    assert called(TEST, 2, UNIT) == "python/tiny/a1.py: add (line 1)"


def test_what_a_helper_of_the_test_names_counts_too() -> None:
    assert called(TEST, 11, UNIT) == "python/tiny/a1.py: Sum.more (line 13)"


def test_a_model_that_is_called_is_called_through_its_forward() -> None:
    unit = Text(
        "python/tiny/a1.py", "class Net:\n    def __init__(self): ...\n\n    def forward(self, x): ...\n"
    )
    test = Text(
        "t.py",
        "def made():\n    return Net()\n\n\ndef test_net():\n    net = made()\n    assert net(1) == 2\n",
    )
    assert called(test, 7, unit) == "python/tiny/a1.py: Net.forward (line 4)"


def test_what_comes_after_the_line_was_not_called() -> None:
    test = Text("t.py", "def test_both():\n    assert add(\n        1, 2) == 3\n    assert sub(1, 2) == 3\n")
    for line in (2, 3):
        assert called(test, line, UNIT) == "python/tiny/a1.py: add (line 1)"
    assert called(test, 4, UNIT) == "python/tiny/a1.py: add (line 1), sub (line 5)"


def test_where_a_class_is_only_made_its_making_is_where_to_look() -> None:
    test = Text("t.py", "def test_sum():\n    assert Sum().n == 1\n")
    assert called(test, 2, UNIT) == "python/tiny/a1.py: Sum.__init__ (line 10)"


def test_a_test_that_names_nothing_of_the_unit_points_nowhere() -> None:
    assert called(TEST, 15, UNIT) == ""
    assert called(TEST, 99, UNIT) == ""
