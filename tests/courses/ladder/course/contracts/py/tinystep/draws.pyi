"""Draws of a generator."""

def draws(seed: int, count: int) -> list[int]:
    """The states after the seed, `count` of them."""
    ...

def mean(seed: int, count: int) -> float:
    """The mean of the first `count` draws; 0.0 of none."""
    ...

def pick(seed: int, words: list[str]) -> str:
    """The word at the first draw modulo the number of words."""
    ...
