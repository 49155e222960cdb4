"""Losses: each one node whose gradient is its closed form.

reduction is "mean" (over the values that count, 0 when there are none), "sum", or "none" (one loss each);
another raises ValueError. Losses are in nats where they are logarithms. Source of conventions:
torch.nn.functional.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from tinyllm.autograd.tensor import Tensor

def cross_entropy(
    logits: Tensor,
    targets: ArrayLike,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """-sum_v q_v ln p_v for each row, p = softmax(logits), in nats.

    logits [..., V], targets integer [...] -> 0-d, or [...] with reduction "none". With label smoothing s, q
    is s/V everywhere and 1 - s more at the target. The gradient at the logits is (p - q) times the row's
    weight. A row whose target is ignore_index has loss and gradient 0 and does not count in the mean; when
    every row is ignored, the mean is 0. (The classes are the last axis; torch has them second.)
    Raises ValueError: shapes that do not fit, targets that are no integers, a target outside 0 .. V-1 that
    is not ignored, label_smoothing outside [0, 1].
    """
    ...

def mse(prediction: Tensor, target: Tensor | ArrayLike, reduction: str = "mean") -> Tensor:
    """(prediction - target)^2, [...] and [...] -> 0-d, or [...] with reduction "none".

    A target Tensor gets its gradient too. Raises ValueError: two shapes that differ (nothing broadcasts).
    """
    ...

def bce_with_logits(logits: Tensor, targets: Tensor | ArrayLike, reduction: str = "mean") -> Tensor:
    """-t ln sigmoid(z) - (1 - t) ln(1 - sigmoid(z)), z the logits, without overflow, in nats.

    logits [...], targets [...] in [0, 1] -> 0-d, or [...] with reduction "none". A target Tensor gets its
    gradient too.
    Raises ValueError: two shapes that differ (nothing broadcasts).
    """
    ...
