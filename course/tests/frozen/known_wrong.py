"""Values that a course test knows to be wrong, each with a sentence that says which mistake gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

KnownWrong: TypeAlias = "Mapping[str, ArrayLike | Callable[[], ArrayLike]]"
Near: TypeAlias = "Callable[[NDArray[Any]], NDArray[np.bool_]]"


class KnownMistake(AssertionError):
    """A comparison that failed on values known to be wrong; `known_wrong` is the sentence about them."""

    def __init__(self, message: str, known_wrong: str) -> None:
        super().__init__(message)
        self.known_wrong = known_wrong


def failure(message: str, got: NDArray[Any], known_wrong: KnownWrong, near: Near) -> AssertionError:
    """What a failed comparison raises: a KnownMistake where some known wrong values have got's shape and are near.

    A value that costs work may be a function of no arguments: it is called here, so only after a failure.
    """
    for sentence, value in known_wrong.items():
        wrong = np.asarray(value() if callable(value) else value)
        if wrong.shape == got.shape and near(wrong).all():
            return KnownMistake(message, sentence)
    return AssertionError(message)
