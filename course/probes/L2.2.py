"""Probes of L2.2: what an NPLM gives on inputs that nobody has seen before, for a comparison elsewhere.

Every input, the weights included, is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives
arrays, and for a choice the margin by which it was made (`<name>.margin`), in which rounding must not matter.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, read_tensors, returned
from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm, train_nplm, windows

Arrays = dict[str, ArrayLike]

V, C, M, H = 7, 3, 4, 5  # no two sizes are equal, and neither is c m
SHAPES = {
    "emb.weight": (V, M), "hidden.weight": (H, C * M), "hidden.bias": (H,), "out.weight": (V, H),
    "out.bias": (V,), "direct.weight": (V, C * M),
}  # fmt: skip
ALWAYS = np.inf  # the margin of a tie, which no rounding breaks


def drawn_ids(rng: PCG32, n: int, vocab: int = V) -> NDArray[np.int64]:
    return np.array([rng.below(vocab) for _ in range(n)], dtype=np.int64)


def drawn_model(rng: PCG32, direct: bool = True) -> NPLM:
    """A model whose every weight is drawn from (-1, 1), whatever its own start would be."""
    model = NPLM(V, C, M, H, direct=direct, rng=PCG32(0))
    shapes = {name: shape for name, shape in SHAPES.items() if direct or name != "direct.weight"}
    weights = {name: 2 * rng.uniforms(int(np.prod(shape))) - 1 for name, shape in shapes.items()}
    model.load_state_dict(
        {name: each.reshape(shapes[name]).astype(np.float32) for name, each in weights.items()}
    )
    return model


def parameters(model: NPLM) -> dict[str, Any]:
    """Each Tensor by its name, such as "hidden.bias"."""
    names = [name for name in SHAPES if model.direct is not None or name != "direct.weight"]
    return {name: getattr(getattr(model, name.split(".")[0]), name.split(".")[1]) for name in names}


def text(words: Any) -> NDArray[np.uint8]:
    """A JSON value as bytes, its keys sorted."""
    return np.frombuffer(json.dumps(words, sort_keys=True).encode("ascii"), dtype=np.uint8)


def probe_windows(seed: int) -> Arrays:
    """Windows of some lengths, from ids of two types."""
    rng, found = PCG32(seed), {}
    for context in (1, 2, 5):
        ids = drawn_ids(rng, context + 1 + rng.below(12), vocab=256)
        found[f"x{context}"], found[f"y{context}"] = windows(ids.copy(), context)
        found[f"x{context} of bytes"], found[f"y{context} of bytes"] = windows(ids.astype(np.uint8), context)
    return found


def probe_start(seed: int) -> Arrays:
    """The weights that a seed gives, and those of the default generator, with their names in order."""
    given, default = NPLM(V, C, M, H, rng=PCG32(seed)), NPLM(2 + seed % 5, C, M, H)
    found: Arrays = {"names": text(list(given.state_dict()))}
    for name, tensor in parameters(given).items():
        found[name] = tensor.data
    for name, tensor in parameters(default).items():
        found[f"default {name}"] = tensor.data
    return found


def probe_logits(seed: int) -> Arrays:
    """A batch of windows, with the direct path and without."""
    rng = PCG32(seed)
    with_path, without, ids = drawn_model(rng), drawn_model(rng, direct=False), drawn_ids(rng, 6 * C)
    x = ids.reshape(6, C)
    return {"direct": with_path(x.copy()).data, "no direct": without(x.copy()).data}


def probe_gradients(seed: int) -> Arrays:
    """The loss of a batch and the gradient of every parameter; ids repeat in and across windows."""
    rng = PCG32(seed)
    model, x, y = drawn_model(rng), drawn_ids(rng, 8 * C), drawn_ids(rng, 8)
    loss = cross_entropy(model(x.reshape(8, C)), y)
    loss.backward()
    return {"loss": loss.data, **{f"d {name}": tensor.grad for name, tensor in parameters(model).items()}}


def probe_nll(seed: int) -> Arrays:
    """Each token's cost, in one batch and in several, and the perplexity."""
    rng = PCG32(seed)
    model, ids = drawn_model(rng), drawn_ids(rng, 24)
    return {
        "costs": model.nll(ids.copy()),
        "costs by fours": model.nll(ids.copy(), batch_size=4),
        "perplexity": np.float64(returned(model.perplexity(ids.copy()), "perplexity")),
    }


def probe_generation(seed: int) -> Arrays:
    """Texts drawn at three temperatures and decoded greedily, after prompts longer than the window."""
    rng, n = PCG32(seed), 16
    model, ids, margins = drawn_model(rng), [], []
    for temperature in (0.6, 1.0, 2.5, 0.0):
        prompt, key = drawn_ids(rng, C + 3), rng.next_u32()
        drawn = np.array(model.generate(prompt.copy(), n, temperature, key), dtype=np.int64)
        ids.append(drawn)
        margins.append(margins_of(model, np.concatenate([prompt, drawn]), n, temperature, PCG32(key)))
    tied = drawn_ids(rng, C)
    for tensor in parameters(model).values():
        tensor.data[...] = 0.0
    ids.append(np.array(model.generate(tied, n, 0.0, 0), dtype=np.int64))
    margins.append(np.full(n, ALWAYS))
    return {"ids": np.stack(ids), "ids.margin": np.stack(margins)}


def margins_of(
    model: NPLM, ids: NDArray[np.int64], n: int, temperature: float, rng: PCG32
) -> NDArray[np.float64]:
    """How clear each of the last n choices was, with all that went before it."""
    x = np.lib.stride_tricks.sliding_window_view(ids[:-1], C)[-n:]
    logits = np.array(model(x.copy()).data, dtype=np.float64)
    if temperature == 0:
        low, high = np.sort(logits, axis=1)[:, -2:].T
        return np.minimum.accumulate(high - low)
    weights = np.exp((logits - logits.max(axis=1, keepdims=True)) / temperature)
    sums = weights.cumsum(axis=1) / weights.sum(axis=1, keepdims=True)
    return np.minimum.accumulate(np.abs(sums - rng.uniforms(n)[:, None]).min(axis=1))


def probe_training(seed: int) -> Arrays:
    """Ten steps over epochs of four, by momentum and decay, then ten with a clip: losses and weights."""
    rng, found = PCG32(seed), {}
    model, ids = drawn_model(rng), drawn_ids(rng, 4 * 6 + 2 + C)
    for name, clip in (("plain", None), ("clipped", 0.25)):
        losses = train_nplm(
            model, ids.copy(), 10, 6, 0.1, PCG32(rng.next_u32()), momentum=0.9, weight_decay=0.01, clip=clip
        )
        found[f"{name} losses"] = np.array(losses, dtype=np.float64)
        found |= {f"{name} {key}": np.array(tensor.data) for key, tensor in parameters(model).items()}
    return found


def probe_directory(seed: int) -> Arrays:
    """What a model's directory holds, and the logits of the model that is loaded from it."""
    rng, found = PCG32(seed), {}
    for direct in (True, False):
        model, x = drawn_model(rng, direct), drawn_ids(rng, 4 * C).reshape(4, C)
        with tempfile.TemporaryDirectory() as made:
            folder, kind = Path(made) / "model", "direct" if direct else "no direct"
            save_nplm(model, str(folder), tokenizer="bytes" if rng.below(2) else "file")
            tensors, metadata = read_tensors(folder / "model.safetensors")
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            names = sorted(path.name for path in folder.iterdir())
            found[f"{kind} words"] = text([names, config, metadata, sorted(tensors)])
            found |= {f"{kind} {name}": values for name, values in sorted(tensors.items())}
            found[f"{kind} logits"] = load_nplm(str(folder))(x.copy()).data
    return found
