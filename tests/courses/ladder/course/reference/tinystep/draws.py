"""Draws of a generator."""

from tinystep.step import step


def draws(seed: int, count: int) -> list[int]:
    """The states after the seed, `count` of them."""
    found: list[int] = []
    state = seed
    for _ in range(count):
        state = step(state)
        found.append(state)
    return found


def mean(seed: int, count: int) -> float:
    """The mean of the first `count` draws; 0.0 of none."""
    return sum(draws(seed, count)) / count if count else 0.0


def pick(seed: int, words: list[str]) -> str:
    """The word at the first draw modulo the number of words."""
    return words[step(seed) % len(words)]
