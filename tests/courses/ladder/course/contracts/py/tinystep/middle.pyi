"""The middle value."""

def middle(values: list[float]) -> float:
    """The middle value in order; of an even number, the mean of the two in the middle. ValueError for none."""
    ...
