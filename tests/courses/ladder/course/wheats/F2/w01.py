"""The middle value, from both ends."""


def middle(values: list[float]) -> float:
    """The mean of the two middle ones, which are one for an odd number."""
    left = list(values)
    if not left:
        raise ValueError("nothing")
    left.sort()
    while len(left) > 2:
        left = left[1:-1]
    return sum(left) / len(left)
