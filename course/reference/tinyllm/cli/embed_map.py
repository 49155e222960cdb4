"""`embed-map`: the rows of the embedding table on a plane, in a picture or in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinyllm.cli import curve, directory, shard
from tinyllm.lm.nplm import NPLM

_LINES = 24
_NAMES = {" ": "␣", "\n": "⏎", "\t": "⇥"}
_IN_A_PICTURE = {"␣": "space", "⏎": "newline", "⇥": "tab", "$": r"\$"}  # not every font has the signs
_COLOURS = {"vowel": "tab:red", "consonant": "tab:blue", "capital": "tab:green", "other": "tab:gray"}


def add_to(commands: Any) -> None:
    parser = commands.add_parser("embed-map", help="map the embedding rows of an NPLM to two dimensions")
    parser.add_argument("--model", required=True, metavar="DIR")
    parser.add_argument("--data", metavar="FILE", help="a token shard: only the tokens that occur in it")
    parser.add_argument("--out", metavar="FILE", help="a picture (needs matplotlib); else the terminal's")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    model = directory.load(options.model)
    if not isinstance(model, NPLM):
        raise ValueError(f"{options.model} holds a model of counts, which has no embedding table")
    ids = np.unique(shard.read_for(options.data, model.vocab)) if options.data else np.arange(model.vocab)
    points, share = plane(model.emb.weight.numpy()[ids])
    labels = [label(int(id), model.vocab) for id in ids]
    if options.out:
        draw(points, labels, share, options.out)
    else:
        width = min(shutil.get_terminal_size().columns, 100)
        print("\n".join(in_letters(points, labels, width, _LINES)), file=sys.stderr)
    return {"command": "embed-map", "rows": len(ids), "variance_shown": round(share, 4), "out": options.out}


def plane(rows: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
    """The two directions in which the rows differ most: points float64 [R, 2], and the share of variance in them."""
    centred = rows.astype(np.float64)
    centred -= centred.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    points = np.zeros((len(rows), 2))
    points[:, : min(2, len(s))] = (u * s)[:, :2]
    farthest = points[np.abs(points).argmax(axis=0), [0, 1]]
    points *= np.where(farthest < 0, -1.0, 1.0)  # the signs of an SVD are chance
    return points, float((s[:2] ** 2).sum() / max((s**2).sum(), 1e-300))


def label(id: int, vocab: int) -> str:
    """A byte by its character, or as 0x1f; an id of another vocabulary by its number."""
    if vocab != shard.BYTES:
        return str(id)
    character = chr(id)
    return _NAMES.get(character) or (character if character.isprintable() and id < 127 else f"0x{id:02x}")


def draw(points: NDArray[np.float64], labels: list[str], share: float, path: str) -> None:
    """Each label where its row lies; letters, capitals, digits and the rest in colours of their own."""
    pyplot = curve.wanted()
    figure, axes = pyplot.subplots(figsize=(7, 6), layout="constrained")
    axes.scatter(*points.T, s=0)  # so that the axes reach as far as the labels
    for kind, colour in _COLOURS.items():
        for (x, y), name in zip(points, labels, strict=True):
            if kind_of(name) == kind:
                shown = _IN_A_PICTURE.get(name, name)
                axes.text(x, y, shown, color=colour, ha="center", va="center", fontsize=11)
        axes.plot([], [], "s", color=colour, label=kind)
    axes.legend(frameon=False, fontsize=8)
    axes.set(title=f"Embedding rows on their first two principal axes ({share:.0%} of the variance)")
    axes.grid(True, alpha=0.25)
    curve.saved(figure, path)


def kind_of(name: str) -> str:
    if name in "aeiou":
        return "vowel"
    if len(name) == 1 and name.isascii() and name.isalpha():
        return "capital" if name.isupper() else "consonant"
    return "other"


def in_letters(points: NDArray[np.float64], labels: list[str], width: int, height: int) -> list[str]:
    """The same map as lines of text; where two labels meet, the first one stands."""
    low, span = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-12)
    canvas = [[" "] * width for _ in range(height)]
    for (x, y), name in zip((points - low) / span, labels, strict=True):
        row, column = round((1 - y) * (height - 1)), round(x * (width - len(name)))
        if all(cell == " " for cell in canvas[row][column : column + len(name)]):
            canvas[row][column : column + len(name)] = name
    return ["".join(line).rstrip() for line in canvas]
