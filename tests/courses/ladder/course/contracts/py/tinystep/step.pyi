"""One step of a generator."""

def step(state: int) -> int:
    """The next state: 37 times the state and 11, modulo 256."""
    ...
