"""Layers: the parameter names, shapes and initial laws that every model of the course shares.

rng draws the initial values: None means PCG32(0).substream("init"), a new one for each layer, so a model of
several layers must hand them one generator. A size below 1 raises ValueError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from numpy.typing import ArrayLike

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.module import Module

class Linear(Module):
    """x W^T + b: `weight` [d_out, d_in], `bias` [d_out], or None without one."""

    weight: Tensor
    bias: Tensor | None

    def __init__(self, d_in: int, d_out: int, bias: bool = True, rng: Any = None) -> None:
        """weight is drawn normal with std 1 / sqrt(d_in), row by row; bias is 0 and draws nothing."""
        ...

    def forward(self, x: Tensor) -> Tensor:
        """[..., d_in] -> [..., d_out]. Raises ValueError: another last size."""
        ...

class Embedding(Module):
    """A table of vectors: `weight` [n, d]."""

    weight: Tensor

    def __init__(self, n: int, d: int, rng: Any = None) -> None:
        """weight is drawn normal with std 1, row by row."""
        ...

    def forward(self, ids: ArrayLike) -> Tensor:
        """ids integer [...] -> [..., d]. Raises ValueError: as F.embedding does."""
        ...

class LayerNorm(Module):
    """(x - mean) / sqrt(var + eps) * weight + bias over the last axis, the variance divided by d.

    `weight` [d] is 1 at first and `bias` [d] is 0. Source: Ba, Kiros and Hinton, "Layer Normalization"
    (2016).
    """

    weight: Tensor
    bias: Tensor
    eps: float

    def __init__(self, d: int, eps: float = 1e-5) -> None:
        """Draws nothing."""
        ...

    def forward(self, x: Tensor) -> Tensor:
        """[..., d] -> [..., d]. Raises ValueError: another last size."""
        ...

class Dropout(Module):
    """F.dropout with this p and rng while `training`, else x itself."""

    p: float
    rng: Any

    def __init__(self, p: float = 0.5, rng: Any = None) -> None:
        """rng None means PCG32(0).substream("dropout"). Raises ValueError: p outside [0, 1)."""
        ...

    def forward(self, x: Tensor) -> Tensor:
        """[...] -> [...]."""
        ...

class ReLU(Module):
    """F.relu as a part."""

    def forward(self, x: Tensor) -> Tensor:
        """[...] -> [...]."""
        ...

class Tanh(Module):
    """F.tanh as a part."""

    def forward(self, x: Tensor) -> Tensor:
        """[...] -> [...]."""
        ...

class GELU(Module):
    """F.gelu with this `approximate` as a part."""

    approximate: str

    def __init__(self, approximate: str = "none") -> None:
        """Draws nothing."""
        ...

    def forward(self, x: Tensor) -> Tensor:
        """[...] -> [...]. Raises ValueError: as F.gelu does."""
        ...

class ModuleList(Module):
    """A list of modules, parts by the names "0", "1", and so on."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        """The modules, in order."""
        ...

    def append(self, module: Module) -> None:
        """Add one at the end."""
        ...

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, index: int) -> Module:
        """Number `index`, negative from the end. Raises IndexError: there is none."""
        ...

    def __iter__(self) -> Iterator[Module]:
        """One after another."""
        ...

class Sequential(ModuleList):
    """A list of modules, each applied to what the one before it returned."""

    def __init__(self, *modules: Module) -> None:
        """The modules, in order."""
        ...

    def forward(self, x: Any) -> Any:
        """The last one's result; x itself when there are none."""
        ...
