"""Probes of L0.1: what tensors give on inputs that nobody has seen before, for a comparison elsewhere.

Every input, the shape of random graphs included, is drawn from the seed by the frozen PCG32. A probe judges
nothing: it gives results, the gradients that backward leaves, and what was recorded where.
"""

from __future__ import annotations

import contextlib
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.autograd.mode import is_grad_enabled, no_grad
from tinyllm.autograd.tensor import Tensor, from_op

Arrays = dict[str, ArrayLike]
Binary = Callable[[Any, Any], Any]


def drawn(rng: PCG32, *shape: int) -> NDArray[np.float64]:
    """Values of size 0.5 to 2, of either sign."""
    values = 0.5 + 1.5 * rng.uniforms(int(np.prod(shape)))
    return (values * np.array([1 - 2 * rng.below(2) for _ in values])).reshape(shape)


def leaf(values: ArrayLike, dtype: Any = np.float32) -> Tensor:
    return Tensor(values, requires_grad=True, dtype=dtype)


def grad(tensor: Tensor) -> ArrayLike:
    """The gradient, or no values at all where none came."""
    return np.zeros((0, 0, 0)) if tensor.grad is None else tensor.grad


def both_ways(name: str, rng: PCG32, op: Binary, a: tuple[int, ...], b: tuple[int, ...]) -> Arrays:
    """The result of one op, and both gradients for an upstream that is drawn."""
    x, y = leaf(drawn(rng, *a)), leaf(drawn(rng, *b))
    out = op(x, y)
    out.backward(drawn(rng, *out.shape))
    return {name: out.data, f"{name} da": grad(x), f"{name} db": grad(y)}


def probe_arithmetic(seed: int) -> Arrays:
    """Each op with operands that broadcast, then with arrays and numbers in front, powers and signs."""
    rng, found = PCG32(seed), {}
    for op in (operator.add, operator.sub, operator.mul, operator.truediv):
        for a, b in (((3, 4), (4,)), ((3, 1), (1, 2))):
            found |= both_ways(f"{op.__name__} {len(b)}d", rng, op, a, b)
        x, array = leaf(drawn(rng, 3)), drawn(rng, 3)
        out = op(array, op(2.5, x)) - op(x, array)
        out.backward(np.ones(3))
        found |= {f"{op.__name__} in front": out.data, f"{op.__name__} in front dx": grad(x)}
    x = leaf([*np.abs(drawn(rng, 3)), 0.0])
    with np.errstate(all="ignore"):
        out = -(x**3) + x**1.5 - x**0
        out.backward(drawn(rng, 4))
    return {**found, "powers": out.data, "powers dx": grad(x)}


def probe_products(seed: int) -> Arrays:
    """Products of vectors, matrices and stacks."""
    rng, found = PCG32(seed), {}
    for a, b in (((3, 4), (4, 2)), ((4,), (4, 2)), ((3, 4), (4,)), ((4,), (4,)), ((2, 1, 3, 4), (2, 4, 2))):
        found |= both_ways(f"{len(a)}d {len(b)}d", rng, operator.matmul, a, b)
    x, array = leaf(drawn(rng, 4, 2)), drawn(rng, 3, 4)
    out = array @ x
    out.backward(drawn(rng, 3, 2))
    return {**found, "array in front": out.data, "array in front dx": grad(x)}


def probe_indexing(seed: int) -> Arrays:
    """Rows and places read again, slices, new axes and a mask."""
    rng, found = PCG32(seed), {}
    rows = np.array([rng.below(3) for _ in range(7)])
    columns = np.array([rng.below(4) for _ in range(7)])
    mask = np.array([rng.below(2) == 1 for _ in range(3)])
    indices = {"rows": rows, "places": (rows, columns), "slices": (slice(1, None), None, -1), "mask": mask}
    for name, index in indices.items():
        x = leaf(drawn(rng, 3, 4))
        out = x[index]
        out.backward(drawn(rng, *out.shape))
        found |= {name: out.data, f"{name} dx": grad(x)}
    return found


def random_graph(rng: PCG32, made: list[Any], ops: int) -> Any:
    """Op upon op, each on two tensors made before; the result gathers the last three."""
    for _ in range(ops):
        a, b, kind = made[rng.below(len(made))], made[rng.below(len(made))], rng.below(4)
        safe = b * b + 1.0  # never near 0
        made.append([a + b * 0.5, a - b, a * b / safe, a / safe][kind])
    return made[-1] * 0.5 + made[-2] * made[-3]


def probe_graphs(seed: int) -> Arrays:
    """Gradients of random graphs in float64, after one backward and after two, and of a long chain."""
    rng, found = PCG32(seed), {}
    for graph in ("one", "two", "three"):
        leaves = [leaf(drawn(rng, *shape), np.float64) for shape in ((2, 3), (3,), (2, 1))]
        out = random_graph(rng, list(leaves), 9) + leaves[0] + leaves[1] + leaves[2]
        upstream = drawn(rng, 2, 3)
        for time in ("once", "twice"):
            out.backward(upstream)
            found |= {f"{graph} {time} {i}": np.array(grad(each)) for i, each in enumerate(leaves)}
        found[f"{graph} result"] = out.data
        found[f"{graph} kept"] = np.array(out.grad is not None)
    x = y = leaf(drawn(rng, 1))
    for _ in range(3000):
        y = y + 1.0
    y.backward()
    return {**found, "chain dx": grad(x)}


def probe_memory(seed: int) -> Arrays:
    """What stays as it was, while its neighbour is written to, and where backward refuses."""
    rng, found = PCG32(seed), {}
    source = drawn(rng, 3).astype(np.float32)
    x = Tensor(source)
    source[...] = 0.0
    found["data"] = np.array(x.data)
    for name, op in {"add": operator.add, "add twice": lambda a, b: (a + b) + a}.items():
        a, b, upstream = leaf(drawn(rng, 3)), leaf(drawn(rng, 3)), drawn(rng, 3).astype(np.float32)
        op(a, b).backward(upstream)
        found |= {f"{name} {key}": np.array(grad(each)) for key, each in (("da", a), ("db", b))}
        a.grad[...] = 0.0
        found |= {f"{name} db then": np.array(grad(b)), f"{name} upstream then": upstream}
    x = leaf(drawn(rng, 3))
    from_op(x.data * 2, (x, x), lambda g: (None, g * 2), "one of two").backward(drawn(rng, 3))
    found["none from a vjp"] = grad(x)
    y, z = leaf(drawn(rng, 2)), leaf(drawn(rng, 2))
    with contextlib.suppress(RuntimeError):
        (y * 2).backward()
    with contextlib.suppress(RuntimeError):
        from_op(z.data * 2, (z,), lambda g: (g.sum(),), "squash").backward([1.0, 1.0])
    return {**found, "refused": grad(y), "wrong shape": grad(z)}


def probe_recording(seed: int) -> Arrays:
    """The switch inside and outside, nested, after an error, as a decorator and in another thread; and detach."""
    x = leaf(drawn(PCG32(seed), 3))
    seen: list[bool] = []

    def look() -> None:
        seen.extend([is_grad_enabled(), (x * 2).requires_grad, (2 - x.detach()).requires_grad])

    look()
    with no_grad():
        look()
        with no_grad():
            look()
        look()
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    try:
        with no_grad():
            raise KeyError
    except KeyError:
        look()
    no_grad()(look)()
    look()
    (x * x.detach()).backward(np.ones(3))
    return {"seen": np.array(seen), "dx": grad(x)}
