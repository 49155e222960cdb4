"""Your tests of M06.3. Each ... below is a value to work out by hand, and to write in its place, before you build.

The first draws from seed 42 on stream 54 are 0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E.
"By hand" is with paper and any calculator that knows whole numbers of 64 bits (a Python prompt does).
"""

import numpy as np
import pytest

from tinyllm.num.rng import MULT, PCG32, child_seed, splitmix64

SEEDED_STATE = ...  # by hand: the state of PCG32(2, seq=0) before its first draw; an int below 2**64
FIRST_UNIFORM = ...  # by hand: the first uniform() from seed 42; at least twelve digits
TICKETS = ...  # by hand: the first three calls of below(1000) from seed 42; a list
AFTER_A_REFUSAL = (
    ...
)  # by hand: the SECOND call of below(2**31 + 1) from seed 42 (which draws are thrown away?)
SHUFFLED = ...  # by hand: ["oak", "elm", "ash", "fir", "yew"], shuffled from seed 42; a list


def test_the_first_draws():
    """The six published draws, each of 32 bits."""
    rng = PCG32(42, 54)
    draws = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
    assert [rng.next_u32() for _ in draws] == draws


def test_the_state_that_a_seed_gives():
    """One step from 0, the seed added, one step; the increment is odd. And the next step is a draw's."""
    rng = PCG32(2, seq=0)
    assert rng.state() == (SEEDED_STATE, 1, 2)
    rng.next_u32()
    assert rng.state()[0] == (SEEDED_STATE * MULT + 1) % 2**64


def test_a_uniform_takes_two_draws():
    """27 bits of the first draw, 26 of the second, and the third draw is the next."""
    rng = PCG32(42)
    assert rng.uniform() == pytest.approx(FIRST_UNIFORM, rel=1e-11)
    assert rng.next_u32() == 0xBA1D3330


def test_a_block_is_the_single_calls():
    """Values and the state after them."""
    block, single = PCG32(3), PCG32(3)
    assert block.uniforms(5).tolist() == [single.uniform() for _ in range(5)]
    assert block.state() == single.state()


def test_below():
    """Remainders, where no draw is refused."""
    rng = PCG32(42)
    assert [rng.below(1000) for _ in range(3)] == TICKETS


def test_below_throws_away_what_would_make_it_unfair():
    """Nearly half of all draws, for this bound."""
    rng = PCG32(42)
    rng.below(2**31 + 1)
    assert rng.below(2**31 + 1) == AFTER_A_REFUSAL


def test_shuffle():
    """From the end, in place; and rows of an array go the way of a list's items."""
    trees = ["oak", "elm", "ash", "fir", "yew"]
    PCG32(42).shuffle(trees)
    assert trees == SHUFFLED
    rows, items = np.arange(10).reshape(5, 2), [0, 1, 2, 3, 4]
    PCG32(8).shuffle(rows)
    PCG32(8).shuffle(items)
    assert (rows[:, 0] // 2).tolist() == items


def test_substreams_and_states():
    """A function of the seed alone, and kept by state and set_state."""
    rng, other = PCG32(5), PCG32(0)
    rng.uniforms(4)
    assert rng.substream("init").next_u32() == PCG32(child_seed(5, 1), seq=1).next_u32()
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    other.set_state(rng.state())
    assert other.next_u32() == rng.next_u32()
    assert other.substream("sample").next_u32() == PCG32(5).substream("sample").next_u32()
