from __future__ import annotations

import threading

import pytest

from ol.commands.steps.side_by_side import side_by_side


def test_each_answer_comes_with_its_item() -> None:
    assert dict(side_by_side(lambda number: number * number, [1, 2, 3], at_once=2)) == {1: 1, 2: 4, 3: 9}


def test_as_many_at_once_as_asked_for() -> None:
    both = threading.Barrier(2, timeout=20)
    assert len(list(side_by_side(lambda _: both.wait(), [1, 2, 3, 4], at_once=2))) == 4


def test_after_one_that_raises_none_begins() -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        raise ValueError(number)

    with pytest.raises(ValueError, match="1"):
        list(side_by_side(work, range(1, 50), at_once=1))
    assert len(begun) < 49
