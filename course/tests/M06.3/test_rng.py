"""Course tests of M06.3, a random generator that repeats: the first failure says most.

The known answers are those of O'Neill's published demo and of SplitMix64; all else is compared with the frozen
kit's generator, which is slow and plain. The ids s01 .. s14 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32 as SlowPCG32
from frozen import assert_equal
from frozen.pcg32 import splitmix64 as slow_splitmix64
from tinyllm.num.rng import GOLDEN, MULT, PCG32, PURPOSES, child_seed, splitmix64

DRAWS = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
COINS = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
DICE = "341122324324335231315141564662633"
CARDS = (
    "Qd Ks 6d 3s 3d 4c 3h Td Kc 5c Jh Kd Jd As 4s 4h Ad Th Ac Jc 7s Qs 2s 7h Kh 2d "
    "6c Ah 4d Qh 9h 6s 5s 2c 9c Ts 8d 9s 3c 8c Js 5d 2h 6h 7d 8s 9d 5h 8h Qc 7c Tc"
)
MASK32, MASK64 = 2**32 - 1, 2**64 - 1
EVEN, ODD = 2 * 54, 2 * 54 + 1  # the increment of stream 54 is the odd one
SATTOLO = (
    "position i changed places with below(i): an item then never stays where it was, so i + 1 is the bound"
)


def output(state: int) -> int:
    """XSH-RR: what a state shows of itself."""
    x, turn = (state >> 18 ^ state) >> 27 & MASK32, state >> 59
    return (x >> turn | x << 32 - turn) & MASK32


def turned_left(state: int) -> int:
    """The same, rotated to the other side."""
    x, turn = (state >> 18 ^ state) >> 27 & MASK32, state >> 59
    return (x << turn | x >> 32 - turn) & MASK32


def step(state: int, inc: int) -> int:
    return (state * MULT + inc) & MASK64


def states(begin: int, inc: int) -> list[int]:
    """Six states of the walk, one for each published draw."""
    return list(itertools.accumulate(range(5), lambda state, _: step(state, inc), initial=begin))


def published_mistakes() -> dict[str, Any]:
    """What seed 42 on stream 54 draws when one thing about a draw, or about the seeding, is wrong."""
    right = step(step(0, ODD) + 42, ODD)
    walks = {
        "each draw was made from the state after the step: it is made from the state before": step(
            right, ODD
        ),
        "the step after the seed was added is missing": step(0, ODD) + 42,
        "the seed itself was the first state": 42,
    }
    wrong = {why: [output(state) for state in states(begin, ODD)] for why, begin in walks.items()}
    wrong["the 32 bits were rotated to the left"] = [turned_left(state) for state in states(right, ODD)]
    begin = step(step(0, EVEN) + 42, EVEN)
    wrong["the increment was 2 seq, which is even"] = [output(state) for state in states(begin, EVEN)]
    return wrong


def shuffled(n: int, seed: int, less: int = 0) -> list[int]:
    """0 … n - 1 as shuffle promises it; with less = 1, by bounds that are one too small."""
    rng, items = SlowPCG32(seed), list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.below(i + 1 - less)
        items[i], items[j] = items[j], items[i]
    return items


def words(values: list[int]) -> NDArray[np.uint64]:
    return np.array(values, dtype=np.uint64)


def first(rng: Any) -> NDArray[np.uint64]:
    """The next four draws."""
    return words([rng.next_u32() for _ in range(4)])


def numbers(n: int) -> list[int]:
    return list(range(n))


def array(n: int) -> NDArray[np.int64]:
    return np.arange(n)


def test_the_published_draws() -> None:
    """Seed 42 on stream 54 gives O'Neill's six draws: a seed means the same in every language.

    Catches s01 (made from the new state), s02 (one step of the seeding left out) and s03 (rotated to the left).
    """
    rng = PCG32(42, 54)
    got = [rng.next_u32() for _ in DRAWS]
    assert all(0 <= draw < 2**32 for draw in got), f"a draw has 32 bits: {got}"
    assert_equal(np.array(got), DRAWS, of="the draws", known_wrong=published_mistakes())


def test_the_published_coins_dice_and_cards() -> None:
    """After those six, 65 coins, 33 rolls and a deck: below and shuffle spend draws as the published demo does.

    Catches s01, s02 and s03 again, and s07, whose shuffle never leaves an item in its place.
    """
    rng = PCG32(42)
    for _ in DRAWS:
        rng.next_u32()
    assert "".join("TH"[rng.below(2)] for _ in COINS) == COINS
    assert "".join(str(rng.below(6) + 1) for _ in DICE) == DICE
    cards = [number + suit for number in "A23456789TJQK" for suit in "hcds"]
    rng.shuffle(cards)
    assert " ".join(cards) == CARDS


def test_splitmix64_and_the_children_of_a_seed() -> None:
    """The published outputs from 0 and from 1234567: a purpose's stream is as good as its seed.

    Catches s11, whose children of nearby seeds overlap because the step by GOLDEN is left out.
    """
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    stepless = [slow_splitmix64(1234567 - GOLDEN), *published[:3]]
    wrong = {"the state was mixed without the step: add GOLDEN first": words(stepless)}
    got = words([child_seed(1234567, p) for p in range(4)])
    assert_equal(got, words(published), of="the children of 1234567", known_wrong=wrong)
    assert splitmix64(-1) == splitmix64(MASK64) == splitmix64(2**70 - 1)
    assert child_seed(5, 3) == splitmix64(5 + 3 * GOLDEN)


@pytest.mark.parametrize(
    ("seed", "seq"), [(0, 0), (3, 54), (2**64 - 1, 1), (-1, 2**63 - 1), (2**70 + 5, 12345)]
)
def test_any_seed_on_any_stream(seed: int, seq: int) -> None:
    """Twenty draws as the slow generator makes them: seeds are taken modulo 2^64, and streams differ.

    Catches s01, s02 and s03 where the published seed might be a special case.
    """
    rng, slow = PCG32(seed, seq), SlowPCG32(seed, seq)
    assert [rng.next_u32() for _ in range(20)] == [slow.next_u32() for _ in range(20)]
    assert PCG32(seed, seq).next_u32() != PCG32(seed, seq + 1).next_u32()
    with pytest.raises(TypeError):
        PCG32(1.5)  # type: ignore[arg-type]


def test_uniform_has_53_random_bits() -> None:
    """27 bits of one draw above 26 of the next: a float64 in [0, 1) that uses every digit it has.

    Catches s04, whose values are multiples of 2^-32.
    """
    rng, raw = PCG32(5), SlowPCG32(5)
    pairs = [(raw.next_u32(), raw.next_u32()) for _ in range(50)]
    want = np.array([((a >> 5) * 2**26 + (b >> 6)) / 2**53 for a, b in pairs])
    singles = SlowPCG32(5)
    swapped = [((b >> 5) * 2**26 + (a >> 6)) / 2**53 for a, b in pairs]
    wrong: Any = {
        "each value is one draw over 2^32: a float64 has room for 53 bits": [
            singles.next_u32() / 2**32 for _ in pairs
        ],
        "the second draw of each pair gave the high bits": swapped,
    }
    assert_equal(np.array([rng.uniform() for _ in pairs]), want, of="uniform", known_wrong=wrong)
    assert ((want >= 0) & (want < 1)).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 2047, 2048, 2049, 9000])
def test_uniforms_are_the_calls_of_uniform(n: int) -> None:
    """A block of draws is the same draws, and leaves the generator where single calls leave it.

    Weights come from blocks and choices from single calls, of one generator. Catches s05, a block that leaves the
    state where it was.
    """
    rng, slow = PCG32(7), SlowPCG32(7)
    assert_equal(rng.uniforms(n), slow.uniforms(n), of=f"uniforms({n})")
    stuck = {"these are the block's own first draws again: a block moves the state on": first(SlowPCG32(7))}
    assert_equal(first(rng), first(slow), of="the draws after it", known_wrong=stuck)
    assert_equal(rng.uniforms(3), slow.uniforms(3), of="the block after it")


def test_a_negative_number_of_uniforms_is_refused() -> None:
    """ValueError at the call, and nothing drawn: no negative block is taken for an empty one."""
    rng = PCG32(7)
    with pytest.raises(ValueError):
        rng.uniforms(-1)
    assert rng.next_u32() == PCG32(7).next_u32()


def test_below_is_without_bias() -> None:
    """Draws below 2^32 mod n are thrown away: a plain remainder gives low values too often.

    With n = 3 * 2^30 it gives a third of the values half of the time. Catches s06.
    """
    n = 3 << 30
    rng, raw = PCG32(9), SlowPCG32(9)
    draws = [raw.next_u32() for _ in range(400)]
    kept = [draw % n for draw in draws if draw >= 2**32 % n][:200]
    wrong = {
        "these are remainders of all draws: those below 2^32 mod n must be drawn again": [
            draw % n for draw in draws[:200]
        ]
    }
    assert_equal(np.array([rng.below(n) for _ in kept]), kept, of="below", known_wrong=wrong)
    for n in (1, 2, 7, 1000, 2**31 + 1, 2**32):
        rng, slow = PCG32(n), SlowPCG32(n)
        assert [rng.below(n) for _ in range(20)] == [slow.below(n) for _ in range(20)]


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_an_impossible_range(n: int) -> None:
    """ValueError unless 1 <= n <= 2^32: no remainder by 0, and no value that a draw cannot reach.

    Catches s14, which checks the upper end alone.
    """
    with pytest.raises(ValueError):
        PCG32(0).below(n)
    assert PCG32(42).below(2**32) == PCG32(42).next_u32()


@pytest.mark.parametrize("make", [numbers, array], ids=["list", "array"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 5000])
def test_shuffle_is_fisher_yates_from_the_end(n: int, make: Callable[[int], Any]) -> None:
    """The same permutation, in place, from the same draws: epochs are repeated from a seed.

    Catches s07 (below(i) for below(i + 1)). Fewer than two items draw nothing.
    """
    xs, rng, slow = make(n), PCG32(11), SlowPCG32(11)
    assert rng.shuffle(xs) is None  # type: ignore[func-returns-value]
    want = numbers(n)
    slow.shuffle(want)
    wrong = {SATTOLO: lambda: shuffled(n, 11, less=1)}
    assert_equal(np.array(xs, dtype=np.int64), np.array(want, dtype=np.int64), of="xs", known_wrong=wrong)
    assert rng.next_u32() == slow.next_u32()


def test_shuffle_moves_whole_rows() -> None:
    """Rows of a table and every other item of an array are moved as a list's items are, and none is lost.

    Two rows of an array are views: exchanged like names, one is written over the other. Catches s08.
    """
    rows = np.arange(24).reshape(12, 2)
    PCG32(3).shuffle(rows)
    assert len(set(rows[:, 0].tolist())) == 12, "a row stands twice, so another is lost"
    order = shuffled(12, 3)
    assert_equal(rows, np.arange(24).reshape(12, 2)[order], of="the rows")
    every, half = np.zeros(24, dtype=np.int64), np.arange(12)
    every[::2] = half
    PCG32(3).shuffle(every[::2])
    assert_equal(every[::2], half[order], of="a view of every other item")
    assert not every[1::2].any()


@pytest.mark.parametrize("steps", [0, 1, 40, 97])
def test_a_shuffle_draws_again_what_below_would_refuse(steps: int) -> None:
    """A draw of 0 is put in the way of a shuffle of a hundred: only that one draw is lost.

    It hardly ever happens to a thousand items, and several times to a corpus. Catches s09.
    """
    state, (_, inc, seed) = 0, PCG32(1).state()
    for _ in range(steps):  # backwards from state 0, whose draw is 0
        state = (state - inc) * pow(MULT, -1, 2**64) & MASK64
    rng, slow = PCG32(0), SlowPCG32(0)
    rng.set_state((state, inc, seed))
    slow.set_state((state, inc))
    xs, want = numbers(100), numbers(100)
    rng.shuffle(xs)
    slow.shuffle(want)
    assert_equal(np.array(xs), np.array(want), of="xs")
    assert rng.next_u32() == slow.next_u32()


@pytest.mark.parametrize("purpose", ["init", "dropout", "shuffle", "sample", "mutation"])
def test_a_substream_is_a_function_of_the_seed(purpose: str) -> None:
    """The stream of a purpose does not move with what was drawn: one dropout more changes no shuffle.

    Catches s10 (seeded from the present state) and s11 (children without the step).
    """
    rng, p = PCG32(9), PURPOSES[purpose]
    want = first(SlowPCG32(9).substream(purpose))
    drawn = SlowPCG32(slow_splitmix64(SlowPCG32(9).state()[0] + p * GOLDEN), p)
    stepless = SlowPCG32(slow_splitmix64(9 + (p - 1) * GOLDEN), p)
    wrong = {
        "its seed was made of the generator's state: it is a child of the seed": first(drawn),
        "this is the child before: the step by GOLDEN is missing in splitmix64": first(stepless),
    }
    assert_equal(first(rng.substream(purpose)), want, of="the substream", known_wrong=wrong)
    rng.uniforms(5)
    assert_equal(first(rng.substream(purpose)), want, of="the substream after other draws")
    assert child_seed(9, p) == slow_splitmix64(9 + p * GOLDEN)
    with pytest.raises(KeyError):
        rng.substream("weather")


def test_a_state_resumes_a_run() -> None:
    """Through JSON and on another generator: the same draws and the same substreams as if nothing had happened.

    Catches s12, whose substreams after a resume are those of another seed.
    """
    rng, other = PCG32(12, 3), PCG32(0)
    rng.uniforms(5)
    other.set_state(json.loads(json.dumps(rng.state())))
    assert other.state() == rng.state()
    assert [other.next_u32() for _ in range(5)] == [rng.next_u32() for _ in range(5)]
    assert other.substream("init").next_u32() == rng.substream("init").next_u32()


@pytest.mark.parametrize("state", [(1, 2, 0), (-1, 1, 0), (2**64, 1, 0), (0, 2**64 + 1, 0), (1, 3)])
def test_a_state_that_none_has_is_refused(state: tuple[int, ...]) -> None:
    """ValueError, and the generator goes on as before: an even increment would shorten the period unseen.

    Catches s13, which takes one.
    """
    rng = PCG32(4)
    with pytest.raises(ValueError):
        rng.set_state(state)
    assert rng.next_u32() == PCG32(4).next_u32()
