"""Draws, one at a time."""

from tinystep.step import step


def _walk(state: int, count: int):
    while count:
        state, count = step(state), count - 1
        yield state


def draws(seed: int, count: int) -> list[int]:
    """All of them."""
    return [*_walk(seed, count)]


def mean(seed: int, count: int) -> float:
    """Of none, none."""
    total = 0.0
    for each in _walk(seed, count):
        total += each
    return total / max(count, 1)


def pick(seed: int, words: list[str]) -> str:
    """By its number."""
    (first,) = _walk(seed, 1)
    return words[first % len(words)]
