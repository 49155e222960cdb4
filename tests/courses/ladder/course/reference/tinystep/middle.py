"""The middle value."""


def middle(values: list[float]) -> float:
    """The middle value in order; of an even number, the mean of the two in the middle. ValueError for none."""
    if not values:
        raise ValueError("no value has no middle")
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2
