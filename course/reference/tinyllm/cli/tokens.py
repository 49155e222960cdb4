"""`tokens encode`: a text as a token shard, a byte a token."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from tinyllm.cli.draft import draft_of
from tinyllm.cli.shard import BYTES
from tinyllm.io.tokens import write_tokens


def add_to(commands: Any) -> None:
    verbs = commands.add_parser("tokens", help="token shards").add_subparsers(metavar="VERB", required=True)
    parser = verbs.add_parser("encode", help="write the bytes of a text as a token shard")
    parser.add_argument("--text", required=True, metavar="FILE", help="any file")
    parser.add_argument("--out", required=True, metavar="FILE", help="the shard, *.bin")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    ids = np.frombuffer(Path(options.text).read_bytes(), dtype=np.uint8)
    with draft_of(options.out) as draft:
        write_tokens(draft, ids, BYTES)
    return {"command": "tokens encode", "out": options.out, "tokens": len(ids), "vocab": BYTES}
