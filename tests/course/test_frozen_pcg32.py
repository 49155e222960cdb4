"""The frozen generator against published answers, and against itself where a law fixes the answer."""

from __future__ import annotations

import numpy as np
import pytest

from frozen.pcg32 import GOLDEN, PCG32, PURPOSES, splitmix64

# Round 1 of pcg32-demo, the output O'Neill publishes for seed 42, stream 54.
DEMO_DRAWS = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
DEMO_COINS = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
DEMO_ROLLS = [
    3,
    4,
    1,
    1,
    2,
    2,
    3,
    2,
    4,
    3,
    2,
    4,
    3,
    3,
    5,
    2,
    3,
    1,
    3,
    1,
    5,
    1,
    4,
    1,
    5,
    6,
    4,
    6,
    6,
    2,
    6,
    3,
    3,
]
DEMO_CARDS = (
    "Qd Ks 6d 3s 3d 4c 3h Td Kc 5c Jh Kd Jd As 4s 4h Ad Th Ac Jc 7s Qs 2s 7h Kh 2d "
    "6c Ah 4d Qh 9h 6s 5s 2c 9c Ts 8d 9s 3c 8c Js 5d 2h 6h 7d 8s 9d 5h 8h Qc 7c Tc"
)


def test_the_first_draws_are_those_of_the_published_demo() -> None:
    rng = PCG32(42, 54)
    assert [rng.next_u32() for _ in DEMO_DRAWS] == DEMO_DRAWS


def test_coins_dice_and_cards_are_those_of_the_published_demo() -> None:
    rng = PCG32(42)
    for _ in DEMO_DRAWS:
        rng.next_u32()
    assert "".join("TH"[rng.below(2)] for _ in DEMO_COINS) == DEMO_COINS
    assert [rng.below(6) + 1 for _ in DEMO_ROLLS] == DEMO_ROLLS
    cards = [number + suit for number in "A23456789TJQK" for suit in "hcds"]
    rng.shuffle(cards)
    assert " ".join(cards) == DEMO_CARDS


def test_splitmix64_gives_the_published_outputs() -> None:
    outputs = [splitmix64(1234567 + i * GOLDEN) for i in range(3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix64(0) == 0xE220A8397B1DCDAF


def test_a_uniform_is_two_draws_with_53_bits() -> None:
    a, b = DEMO_DRAWS[:2]
    assert PCG32(42).uniform() == ((a >> 5) * 2.0**26 + (b >> 6)) * 2.0**-53


def test_uniforms_are_the_calls_of_uniform_in_order() -> None:
    block, single = PCG32(7), PCG32(7)
    values = block.uniforms(5)
    assert values.dtype == np.float64
    assert values.tolist() == [single.uniform() for _ in range(5)]
    assert block.state() == single.state()


def test_below_throws_away_the_draws_that_would_bias_it() -> None:
    n = 2**31 + 1  # 2**32 mod n = 2**31 - 1: nearly half of all draws are refused
    rng, raw = PCG32(42), PCG32(42)
    kept = [r % n for r in (raw.next_u32() for _ in range(200)) if r >= 2**31 - 1]
    assert 70 < len(kept) < 130
    assert [rng.below(n) for _ in kept] == kept


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_an_impossible_range(n: int) -> None:
    with pytest.raises(ValueError, match="1 <= n <= 2"):
        PCG32(0).below(n)


def test_below_takes_the_whole_range_of_a_draw() -> None:
    assert PCG32(42).below(2**32) == DEMO_DRAWS[0]
    assert PCG32(42).below(1) == 0


def test_each_purpose_has_its_own_stream_that_the_draws_so_far_do_not_move() -> None:
    rng = PCG32(3)
    before = {purpose: rng.substream(purpose).next_u32() for purpose in PURPOSES}
    rng.next_u32()
    assert {purpose: rng.substream(purpose).next_u32() for purpose in PURPOSES} == before
    assert len(set(before.values())) == len(PURPOSES) == 5
    assert rng.substream("init").state() == PCG32(splitmix64(3 + GOLDEN), seq=1).state()
    with pytest.raises(KeyError):
        rng.substream("lunch")


def test_a_saved_state_resumes_in_another_generator() -> None:
    rng = PCG32(9)
    rng.next_u32()
    other = PCG32(1, seq=2)
    other.set_state(rng.state())
    assert [other.next_u32() for _ in range(4)] == [rng.next_u32() for _ in range(4)]
