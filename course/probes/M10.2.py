"""Probes of M10.2: where SGD leads from drawn starts along drawn gradients, and what it leaves behind.

Everything is drawn from the seed by the frozen PCG32: starts, gradients, rates, momentum and decay.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.optim.sgd import SGD

Arrays = dict[str, ArrayLike]
Array = NDArray[Any]

SHAPES: list[tuple[int, ...]] = [(3, 4), (5,), (), (2, 1, 2)]
STEPS = 9


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, data: Array) -> None:
        self.data: Array = data
        self.grad: Array | None = None


def drawn(rng: PCG32, shape: tuple[int, ...]) -> Array:
    """float32 values in (-1, 1)."""
    return (2 * rng.uniforms(int(np.prod(shape))) - 1).astype(np.float32).reshape(shape)


def drawn_weights(rng: PCG32) -> list[Weight]:
    return [Weight(drawn(rng, shape)) for shape in SHAPES]


def drawn_settings(rng: PCG32) -> dict[str, dict[str, Any]]:
    """The six kinds of descent, each with numbers of its own."""
    kinds: dict[str, dict[str, Any]] = {}
    for decay in (False, True):
        for momentum in ("plain", "momentum", "nesterov"):
            settings: dict[str, Any] = {"momentum": 0.3 + 0.6 * rng.uniform()} if momentum != "plain" else {}
            settings |= {"nesterov": True} if momentum == "nesterov" else {}
            settings |= {"weight_decay": 0.5 * rng.uniform()} if decay else {}
            kinds[f"{momentum} decay" if decay else momentum] = settings
    return kinds


def walk(opt: SGD, params: list[Weight], rng: PCG32, missing: bool) -> None:
    """STEPS steps, each at a rate of its own; one gradient in four is 0, with missing another one in four None."""
    for _ in range(STEPS):
        opt.lr = 0.02 + 0.2 * rng.uniform()
        for p in params:
            gradient, kind = drawn(rng, p.data.shape), rng.below(4)
            p.grad = None if missing and kind == 0 else gradient * np.float32(kind != 1)
        opt.step()


def named(params: list[Weight], before: str) -> Arrays:
    return {f"{before} {i}": np.array(p.data) for i, p in enumerate(params)}


def probe_steps(seed: int) -> Arrays:
    """Every kind of descent with all gradients there, and with some missing."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        for missing in (False, True):
            params = drawn_weights(rng)
            walk(SGD(params, lr=1.0, **settings), params, rng, missing)
            found |= named(params, f"{kind}{' with some missing' if missing else ''}:")
    return found


def probe_buffers(seed: int) -> Arrays:
    """What a state holds, before the run goes on and after: it is a copy."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        params = drawn_weights(rng)
        opt = SGD(params, lr=1.0, **settings)
        walk(opt, params, rng, missing=False)
        state = opt.state_dict()
        walk(opt, params, rng, missing=False)
        found[f"{kind}: settings"] = np.array(
            [state[name] for name in ("lr", "momentum", "nesterov", "weight_decay")], dtype=np.float64
        )
        for i, buffer in enumerate(state["buffers"]):
            found[f"{kind}: b {i}"] = np.zeros(0) if buffer is None else buffer
    return found


def probe_resumed(seed: int) -> Arrays:
    """Runs that stop and go on in another optimizer, two of them from one state, and that state afterwards."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        params = drawn_weights(rng)
        opt = SGD(params, lr=1.0, **settings)
        walk(opt, params, rng, missing=True)
        state = opt.state_dict()
        for turn in ("once", "twice"):
            second = SGD(params, lr=2.0)
            second.load_state_dict(state)
            found[f"{kind} {turn}: rate"] = np.float64(second.lr)
            walk(second, params, rng, missing=True)
            found |= named(params, f"{kind} {turn}:")
    return found


def probe_arrays(seed: int) -> Arrays:
    """One array for all gradients of a parameter: what the last step leaves in it, and the array that data was."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        params = drawn_weights(rng)
        held, own = [p.data for p in params], [np.zeros_like(p.data) for p in params]
        opt = SGD(params, lr=0.1, **settings)
        for _ in range(4):
            for p, array in zip(params, own, strict=True):
                array[...] = drawn(rng, array.shape)
                p.grad = array
            opt.step()
        found |= {f"{kind}: gradient {i}": array for i, array in enumerate(own)}
        found |= {f"{kind}: held {i}": array for i, array in enumerate(held)}
    return found


def probe_zero_grad(seed: int) -> Arrays:
    """Steps after zero_grad, where only some parameters get a new gradient."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        params = drawn_weights(rng)
        opt = SGD(params, lr=0.1, **settings)
        walk(opt, params, rng, missing=False)
        opt.zero_grad()
        for p in params[rng.below(2) :: 2]:
            p.grad = drawn(rng, p.data.shape)
        opt.step()
        found |= named(params, f"{kind}:")
    return found


def probe_refused(seed: int) -> Arrays:
    """Parameters after a step that met a gradient of another shape, which numpy would broadcast."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, settings in drawn_settings(rng).items():
        params = drawn_weights(rng)
        opt = SGD(params, lr=0.1, **settings)
        for p in params:
            p.grad = drawn(rng, p.data.shape)
        params[1].grad = drawn(rng, (1,))
        with contextlib.suppress(ValueError):
            opt.step()
        found |= named(params, f"{kind}:")
    return found
