"""Initial values of parameters: float32 arrays drawn from one generator, with the laws of torch.nn.init.

Every function draws the product of `shape` values, in C order, by one call of normal(rng, n) or
rng.uniforms(n), and rounds each float64 value to float32 once, at the end. `rng` is any object with PCG32's
drawing methods.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight: how many inputs an output sums, and how many outputs an input feeds.

    shape [out, in] or [out, in, *kernel] -> (in * K, out * K), K the product of the kernel's sizes.
    Raises ValueError: fewer than two sizes, or one below 1.
    """
    ...

def calculate_gain(nonlinearity: str) -> float:
    """The factor on the standard deviation that keeps a signal's scale through the nonlinearity.

    "linear" 1, "sigmoid" 1, "tanh" 5/3, "relu" sqrt(2), "leaky_relu" sqrt(2 / (1 + 0.01^2)), "selu" 3/4.
    Raises ValueError: another name.
    Source: torch.nn.init.calculate_gain.
    """
    ...

def normal_init(shape: tuple[int, ...], std: float, rng: Any) -> NDArray[np.float32]:
    """Normal values with mean 0 and standard deviation std, std * normal(rng, n): float32 [*shape].

    Raises ValueError: std below 0 or NaN.
    """
    ...

def xavier_uniform(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> NDArray[np.float32]:
    """Uniform values in [-a, a], a = gain sqrt(6 / (fan_in + fan_out)): float32 [*shape].

    They are a (2 u - 1) with u = rng.uniforms(n); their standard deviation is that of xavier_normal.
    Raises ValueError: as fans does.
    Source: Glorot and Bengio, "Understanding the Difficulty of Training Deep Feedforward Neural
    Networks" (2010).
    """
    ...

def xavier_normal(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> NDArray[np.float32]:
    """Normal values with standard deviation gain sqrt(2 / (fan_in + fan_out)): float32 [*shape].

    Raises ValueError: as fans does. Source: Glorot and Bengio (2010).
    """
    ...

def kaiming_normal(shape: tuple[int, ...], rng: Any, gain: float = math.sqrt(2.0)) -> NDArray[np.float32]:
    """Normal values with standard deviation gain / sqrt(fan_in): float32 [*shape]; the default is for ReLU.

    Raises ValueError: as fans does.
    Source: He, Zhang, Ren and Sun, "Delving Deep into Rectifiers" (2015).
    """
    ...
