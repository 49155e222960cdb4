"""M10.4 taken literally: all gradients laid end to end as one float64 vector, scaled, and cut up again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tinyllm.optim.sgd import Param


def clip_grad_norm_(params: Iterable[Param], max_norm: float) -> float:
    if max_norm > 0:
        grads = [p.grad for p in params if p.grad is not None]
    else:
        raise ValueError("max_norm is the greatest norm allowed, and has to be positive")
    vector = np.concatenate([np.zeros(0), *(np.asarray(g, dtype=np.float64).flatten() for g in grads)])
    norm = float(np.sqrt(np.square(vector).sum()))
    if norm - norm != 0:
        raise FloatingPointError("the norm is infinite or not a number")
    if norm > max_norm:
        vector *= max_norm / norm
        start = 0
        for g in grads:
            g[...] = vector[start : start + g.size].reshape(g.shape)
            start += g.size
    return norm
