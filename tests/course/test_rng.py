"""PCG32: published answers, and the fast forms against the frozen kit's slow generator."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import frozen.pcg32
from tinyllm.num.rng import GOLDEN, MULT, PCG32, PURPOSES, child_seed, splitmix64

# Round 1 of the published pcg32-demo, seed 42 on stream 54: draws, coins, dice and cards, in this order.
DRAWS = "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"
ROUND_2 = "74ab93ad 1c1da000 494ff896 34462f2f d308a3e5 0fa83bab"  # the draws that follow
COINS = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
DICE = "341122324324335231315141564662633"
CARDS = (
    "Qd Ks 6d 3s 3d 4c 3h Td Kc 5c Jh Kd Jd As 4s 4h Ad Th Ac Jc 7s Qs 2s 7h Kh 2d "
    "6c Ah 4d Qh 9h 6s 5s 2c 9c Ts 8d 9s 3c 8c Js 5d 2h 6h 7d 8s 9d 5h 8h Qc 7c Tc"
)
BLOCK = 4096
SEEDS = st.integers(0, 2**64 - 1)


class CountingPCG32(frozen.pcg32.PCG32):
    """The slow generator, which also counts its draws."""

    draws = 0

    def next_u32(self) -> int:
        self.draws += 1
        return super().next_u32()


def test_the_published_demo_is_reproduced() -> None:
    rng = PCG32(42, 54)
    assert " ".join(f"{rng.next_u32():08x}" for _ in range(6)) == DRAWS
    assert "".join("TH"[rng.below(2)] for _ in COINS) == COINS
    assert "".join(str(rng.below(6) + 1) for _ in DICE) == DICE
    cards = [number + suit for number in "A23456789TJQK" for suit in "hcds"]
    rng.shuffle(cards)
    assert " ".join(cards) == CARDS
    assert " ".join(f"{rng.next_u32():08x}" for _ in range(6)) == ROUND_2


def test_splitmix64_gives_the_published_outputs() -> None:
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [child_seed(1234567, i) for i in range(4)] == published


def test_splitmix64_takes_any_integer_modulo_2_to_the_64() -> None:
    assert splitmix64(-1) == splitmix64(2**64 - 1)


def test_numpys_integers_are_taken_as_pythons_are() -> None:
    """A numpy integer is 64 bits wide and would overflow, or come back where an int is promised."""
    assert splitmix64(np.int64(5)) == splitmix64(5)  # type: ignore[arg-type]
    assert child_seed(np.uint8(7), np.int64(3)) == child_seed(7, 3)  # type: ignore[arg-type]
    assert [type(PCG32(np.int64(3)).below(np.uint8(10)))] == [int]  # type: ignore[arg-type]


@given(seed=st.integers(-(2**70), 2**70), seq=st.integers(0, 2**63 - 1))
def test_any_seed_and_stream_give_the_slow_generators_draws(seed: int, seq: int) -> None:
    fast, slow = PCG32(seed, seq), frozen.pcg32.PCG32(seed, seq)
    assert [fast.next_u32() for _ in range(5)] == [slow.next_u32() for _ in range(5)]


def test_a_seed_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError):
        PCG32(1.5)  # type: ignore[arg-type]


@given(seed=SEEDS)
def test_uniform_is_made_of_the_high_bits_of_two_draws(seed: int) -> None:
    raw, rng = frozen.pcg32.PCG32(seed), PCG32(seed)
    a, b = raw.next_u32(), raw.next_u32()
    assert rng.uniform() == ((a >> 5) * 2**26 + (b >> 6)) * 2.0**-53


@pytest.mark.parametrize("n", [0, 1, 2, BLOCK // 2 - 1, BLOCK // 2, BLOCK // 2 + 1, 3 * BLOCK + 5])
def test_uniforms_are_n_calls_of_uniform_in_order(n: int) -> None:
    fast, slow = PCG32(7), frozen.pcg32.PCG32(7)
    values = fast.uniforms(n)
    assert values.dtype == np.float64
    assert values.tolist() == [slow.uniform() for _ in range(n)]
    assert fast.next_u32() == slow.next_u32()


def test_a_negative_number_of_uniforms_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        PCG32(0).uniforms(-1)


@given(seed=SEEDS, n=st.one_of(st.integers(1, 2**32), st.sampled_from([1, 3 << 30, (1 << 31) + 1, 2**32])))
def test_below_is_the_slow_generators_below(seed: int, n: int) -> None:
    fast, slow = PCG32(seed), frozen.pcg32.PCG32(seed)
    assert [fast.below(n) for _ in range(4)] == [slow.below(n) for _ in range(4)]


def test_below_is_not_biased_where_a_plain_remainder_would_be() -> None:
    rng = PCG32(5)
    low = sum(rng.below(3 << 30) < 1 << 30 for _ in range(3000))
    assert abs(low - 1000) < 4 * (3000 * 1 / 3 * 2 / 3) ** 0.5  # a plain remainder gives 1500


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_a_bound_outside_its_range(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        PCG32(0).below(n)


def as_list(n: int) -> Any:
    return list(range(n))


@pytest.mark.parametrize("make", [as_list, np.arange], ids=["list", "array"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, BLOCK, BLOCK + 1, BLOCK + 2, 10_000])
def test_shuffle_is_the_slow_generators_shuffle(n: int, make: Callable[[int], Any]) -> None:
    fast, slow = PCG32(11), frozen.pcg32.PCG32(11)
    xs, expected = make(n), list(range(n))
    fast.shuffle(xs)
    slow.shuffle(expected)
    assert list(xs) == expected
    assert fast.next_u32() == slow.next_u32()


def test_shuffle_moves_the_rows_of_an_array_as_it_moves_the_items_of_a_list() -> None:
    rows, items = np.arange(40).reshape(20, 2), list(range(20))
    PCG32(3).shuffle(rows)
    PCG32(3).shuffle(items)
    assert (rows[:, 0] // 2).tolist() == items
    assert (rows[:, 1] - rows[:, 0] == 1).all()


def test_shuffle_works_in_place_on_a_strided_view() -> None:
    whole, items = np.zeros(20, dtype=np.int32), list(range(10))
    whole[::2] = items
    PCG32(4).shuffle(whole[::2])
    PCG32(4).shuffle(items)
    assert whole[::2].tolist() == items
    assert not whole[1::2].any()


def before_a_zero(rng: PCG32, steps: int) -> None:
    """Set rng to the state whose draw number `steps` is 0: that of state 0, reached by stepping backwards."""
    _, inc, seed = rng.state()
    value = 0
    for _ in range(steps):
        value = (value - inc) * pow(MULT, -1, 2**64) % 2**64
    rng.set_state((value, inc, seed))


@pytest.mark.parametrize("steps", [0, 1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 9997])
def test_a_rejected_draw_inside_a_block_is_drawn_again(steps: int) -> None:
    n = 10_000
    fast, slow = PCG32(1), CountingPCG32(1)
    before_a_zero(fast, steps)
    slow.set_state(fast.state()[:2])
    xs, expected = list(range(n)), list(range(n))
    fast.shuffle(xs)
    slow.draws = 0
    slow.shuffle(expected)
    assert slow.draws > n - 1, "the zero was meant to be rejected"
    assert xs == expected
    assert fast.next_u32() == slow.next_u32()


def test_many_rejections_in_a_long_shuffle_are_all_drawn_again() -> None:
    n = 400_000
    fast, slow = PCG32(2), CountingPCG32(2)
    xs, expected = list(range(n)), list(range(n))
    fast.shuffle(xs)
    slow.draws = 0
    slow.shuffle(expected)
    assert slow.draws >= n + 3, "several draws were meant to be rejected"
    assert xs == expected
    assert fast.next_u32() == slow.next_u32()


@pytest.mark.parametrize("purpose", ["init", "dropout", "shuffle", "sample", "mutation"])
def test_a_substream_is_a_function_of_the_seed_and_the_purpose(purpose: str) -> None:
    rng = PCG32(9)
    rng.uniforms(100)
    p = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}[purpose]
    expected = frozen.pcg32.PCG32(frozen.pcg32.splitmix64(9 + p * GOLDEN), seq=p)
    substream = rng.substream(purpose)
    assert [substream.next_u32() for _ in range(3)] == [expected.next_u32() for _ in range(3)]


def test_an_unknown_purpose_is_a_key_error() -> None:
    assert sorted(PURPOSES) == ["dropout", "init", "mutation", "sample", "shuffle"]
    with pytest.raises(KeyError):
        PCG32(0).substream("weather")


def test_a_state_resumes_draws_and_substreams_on_another_generator_and_through_json() -> None:
    rng, other = PCG32(12, 3), PCG32(0)
    rng.uniforms(5)
    other.set_state(json.loads(json.dumps(rng.state())))
    assert other.uniforms(9).tolist() == rng.uniforms(9).tolist()
    assert other.substream("init").next_u32() == rng.substream("init").next_u32()


@pytest.mark.parametrize("state", [(1, 2, 0), (-1, 1, 0), (2**64, 1, 0), (0, 2**64 + 1, 0), (1, 3)])
def test_a_state_that_no_generator_has_is_refused(state: tuple[int, ...]) -> None:
    rng = PCG32(0)
    before = rng.state()
    with pytest.raises(ValueError):
        rng.set_state(state)
    assert rng.state() == before


@settings(max_examples=30)
@given(seed=SEEDS, steps=st.lists(st.sampled_from(["u32", "uniforms", "shuffle", "below"]), max_size=8))
def test_block_and_single_draws_mix_in_any_order(seed: int, steps: list[str]) -> None:
    def trace(rng: Any) -> list[Any]:
        xs = list(range(50))
        calls = {
            "u32": rng.next_u32,
            "uniforms": lambda: rng.uniforms(7).tolist(),
            "shuffle": lambda: rng.shuffle(xs),
            "below": lambda: rng.below(1000),
        }
        return [(calls[step](), list(xs)) for step in steps]

    assert trace(PCG32(seed)) == trace(frozen.pcg32.PCG32(seed))
