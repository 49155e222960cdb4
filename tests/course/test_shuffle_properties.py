"""Properties of the shuffle: whatever is shuffled, hypothesis finds no list for which they fail."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import frozen.pcg32
from tinyllm.num.rng import PCG32

SEEDS = st.integers(0, 2**64 - 1)
LISTS = st.lists(st.integers(-5, 5), max_size=60)


def shuffled(seed: int, xs: Any) -> Any:
    PCG32(seed).shuffle(xs)
    return xs


@given(seed=SEEDS, xs=LISTS)
def test_nothing_is_lost_and_nothing_doubled(seed: int, xs: list[int]) -> None:
    assert Counter(shuffled(seed, list(xs))) == Counter(xs)


@given(seed=SEEDS, xs=LISTS)
def test_places_depend_on_the_seed_and_the_length_alone(seed: int, xs: list[int]) -> None:
    order = shuffled(seed, list(range(len(xs))))
    assert shuffled(seed, list(xs)) == [xs[i] for i in order]


@given(seed=SEEDS, xs=LISTS)
def test_a_list_an_array_and_the_slow_generator_agree(seed: int, xs: list[int]) -> None:
    slow, array = list(xs), np.array(xs, dtype=np.int64)
    generator = frozen.pcg32.PCG32(seed)
    generator.shuffle(slow)
    fast = PCG32(seed)
    fast.shuffle(array)
    assert array.tolist() == slow == shuffled(seed, list(xs))
    assert fast.next_u32() == generator.next_u32()


@given(seed=SEEDS, n=st.integers(0, 200))
def test_it_can_be_undone_by_its_own_swaps(seed: int, n: int) -> None:
    """Fisher-Yates from the end: the same draws, applied in reverse, give the order back."""
    draws = PCG32(seed)
    swaps = [(i, draws.below(i + 1)) for i in range(n - 1, 0, -1)]
    xs = shuffled(seed, list(range(n)))
    for i, j in reversed(swaps):
        xs[i], xs[j] = xs[j], xs[i]
    assert xs == list(range(n))


@given(seed=SEEDS, first=LISTS, second=LISTS)
def test_two_shuffles_in_a_row_go_on_with_one_stream(seed: int, first: list[int], second: list[int]) -> None:
    fast, slow = PCG32(seed), frozen.pcg32.PCG32(seed)
    results = []
    for rng in (fast, slow):
        a, b = list(first), list(second)
        rng.shuffle(a)  # type: ignore[attr-defined]
        rng.shuffle(b)  # type: ignore[attr-defined]
        results.append((a, b))
    assert results[0] == results[1]


def test_every_order_of_four_is_as_frequent_as_any_other() -> None:
    """24 orders, 24,000 shuffles: chi-squared with 23 degrees of freedom is above 49.7 once in a thousand."""
    rng = PCG32(2026)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        xs = [0, 1, 2, 3]
        rng.shuffle(xs)
        seen[tuple(xs)] += 1
    assert set(seen) == set(permutations(range(4)))
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 49.7
