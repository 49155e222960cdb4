"""Random variables drawn from any generator of uniforms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

def normal(rng: Any, n: int) -> NDArray[np.float64]:
    """n independent draws of the standard normal law (mean 0, variance 1), by Box–Muller.

    -> float64 [n]. The only call on rng is u = rng.uniforms(m), m = n rounded up to even. Pair k is
    r cos t at place 2k and r sin t at 2k + 1, where r = sqrt(-2 ln(1 - u[2k])) and t = 2 pi u[2k + 1]; 1 - u
    is in (0, 1], so that no logarithm is infinite. An odd n drops the last sine, so that two calls with odd n
    are not one call with their sum. Machines may differ in the last bits, as their log, sin and cos do.
    Raises ValueError: n < 0.
    Source: Box and Muller, "A Note on the Generation of Random Normal Deviates" (1958).
    """
    ...
