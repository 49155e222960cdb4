"""The answers of F1."""

from tinystep.draws import draws, mean, pick


def answer_first_draws() -> list[int]:
    return draws(9, 3)


def answer_mean_draw() -> float:
    return mean(9, 3)


def answer_words() -> list[str]:
    return [pick(seed, ["oak", "elm", "ash", "fir", "yew"]) for seed in (9, 10, 12)]
