"""The answers of M06.3: what stands in the place of each blank, computed with the reference."""

from __future__ import annotations

from tinyllm.num.rng import PCG32


def answer_seeded_state() -> int:
    """Increment 1; 0 becomes 1, with the seed 3, and then 3 MULT + 1 modulo 2^64."""
    return PCG32(2, seq=0).state()[0]


def answer_first_uniform() -> float:
    """(0xA15C02B7 >> 5) 2^26 + (0x7B47F409 >> 6), over 2^53."""
    return PCG32(42).uniform()


def answer_tickets() -> list[int]:
    """The last three decimal digits of each of the first three draws: none is below 2^32 mod 1000."""
    rng = PCG32(42)
    return [rng.below(1000) for _ in range(3)]


def answer_after_a_refusal() -> int:
    """2^32 mod n is 2^31 - 1: the second draw is below it, the third is not."""
    rng = PCG32(42)
    rng.below(2**31 + 1)
    return rng.below(2**31 + 1)


def answer_shuffled() -> list[str]:
    """Draws modulo 5, 4, 3 and 2, each changing places from the end."""
    trees = ["oak", "elm", "ash", "fir", "yew"]
    PCG32(42).shuffle(trees)
    return trees
