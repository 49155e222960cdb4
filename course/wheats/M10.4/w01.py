"""M10.4 by lengths of lengths: numpy's norm of each gradient, and the hypotenuse of them all."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tinyllm.optim.sgd import Param


def clip_grad_norm_(params: Iterable[Param], max_norm: float) -> float:
    if math.isnan(max_norm) or max_norm <= 0:
        raise ValueError(f"a bound of {max_norm} bounds nothing")
    found = [p.grad for p in params]
    present = [grad for grad in found if grad is not None]
    lengths = [float(np.linalg.norm(np.ravel(grad).astype(np.float64))) for grad in present]
    whole = math.hypot(*lengths)
    if math.isnan(whole) or math.isinf(whole):
        raise FloatingPointError("no finite norm")
    factor = max_norm / whole if whole > max_norm else 1.0
    if factor < 1.0:
        for grad in present:
            np.multiply(grad, factor, out=grad, casting="same_kind")
    return whole
