"""`params`: how many numbers an NPLM of these sizes learns, part by part."""

from __future__ import annotations

import argparse
import sys
from typing import Any


def add_to(commands: Any) -> None:
    parser = commands.add_parser("params", help="count an NPLM's parameters by part")
    for name in ("--vocab", "--context", "--d-emb", "--hidden"):
        parser.add_argument(name, type=int, required=True, metavar="N")
    parser.add_argument("--no-direct", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    sizes = (options.vocab, options.context, options.d_emb, options.hidden)
    if min(sizes) < 1:
        raise ValueError(f"every size must be at least 1, got {sizes}")
    counts = by_part(*sizes, direct=not options.no_direct)
    for part, count in counts.items():
        print(f"{part:<14} {count:>12,}", file=sys.stderr)
    return {"command": "params", **counts}


def by_part(vocab: int, context: int, d_emb: int, hidden: int, direct: bool = True) -> dict[str, int]:
    """The size of each tensor of the state dict, and their total."""
    joined = context * d_emb
    counts = {
        "emb.weight": vocab * d_emb,
        "hidden.weight": hidden * joined,
        "hidden.bias": hidden,
        "out.weight": vocab * hidden,
        "out.bias": vocab,
    }
    if direct:
        counts["direct.weight"] = vocab * joined
    return {**counts, "total": sum(counts.values())}
