"""Course tests of L0.5, batches: their rows, their order, their copies.

The ids s01 .. s25 name the mutants that a test is there to catch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_equal
from tinyllm.train.loop import DataLoader

ROWS = {"x": np.arange(10), "y": np.arange(10) * 10}


def test_batches_by_hand() -> None:
    """Ten rows by fours: two batches, or three with the rest; columns stay together, in order.

    Catches s17 (an empty batch where the rows come out even) and s18 (the rest always comes).
    """
    loader = DataLoader(ROWS, 4, shuffle=False, rng=None)
    assert [batch["x"].tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert [batch["y"].tolist() for batch in loader] == [[0, 10, 20, 30], [40, 50, 60, 70]]
    assert len(loader) == 2
    kept = DataLoader(ROWS, 4, shuffle=False, rng=None, drop_last=False)
    assert [len(batch["y"]) for batch in kept] == [4, 4, 2] and len(kept) == 3
    even = DataLoader(ROWS, 5, shuffle=False, rng=None, drop_last=False)
    assert [len(batch["x"]) for batch in even] == [5, 5] and len(even) == 2
    few = DataLoader(ROWS, 11, shuffle=False, rng=None)
    assert list(few) == [] and len(few) == 0


def test_each_epoch_is_a_new_shuffle_of_the_first_order() -> None:
    """Epoch by epoch the order is np.arange(10) after rng.shuffle, the same for every column.

    A seed then names every batch of a run. Catches s06 (one order for all epochs), s19 (each epoch shuffles
    the last one's order on) and s04 (each column shuffled apart: x and y belong together no more).
    """
    loader = DataLoader(ROWS, 5, shuffle=True, rng=PCG32(3))
    epochs = [list(loader) for _ in range(3)]
    x, y = (np.stack([np.concatenate([batch[name] for batch in each]) for each in epochs]) for name in "xy")
    want = orders(chained=False)
    known = {
        "every epoch has the first one's order: each is to draw a new one": np.stack([want[0]] * 3),
        "an epoch goes on shuffling the order of the one before it": orders(chained=True),
    }
    assert_equal(y, x * 10, of="y beside x")
    assert_equal(x, want, of="the rows of three epochs", known_wrong=known)


def orders(chained: bool) -> NDArray[Any]:
    """The order of three epochs; chained, each shuffles the one before it."""
    rng, order, found = PCG32(3), np.arange(10), []
    for _ in range(3):
        order = order.copy() if chained else np.arange(10)
        rng.shuffle(order)
        found.append(order)
    return np.stack(found)


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_batch_is_a_copy(shuffle: bool) -> None:
    """Writing into a batch leaves the data alone: a mask or a noise is for one step. Catches s08."""
    x = np.zeros((4, 2))
    next(iter(DataLoader({"x": x}, 2, shuffle, PCG32(0))))["x"][...] = 1.0
    assert_equal(x, np.zeros((4, 2)), of="the loader's data, after a batch was written into")
