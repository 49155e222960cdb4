"""`eval --model DIR --data FILE`: what a text costs a model."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tinyllm.cli import directory, shard
from tinyllm.cli.scoring import scored


def add_to(commands: Any) -> None:
    parser = commands.add_parser("eval", help="perplexity of a token shard under a model")
    parser.add_argument("--model", required=True, metavar="DIR")
    parser.add_argument("--data", required=True, metavar="FILE", help="a token shard")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    model = directory.load(options.model)
    vocab = directory.vocabulary(model)
    told = scored(model, shard.read_for(options.data, vocab), vocab)
    print(
        f"perplexity {told['ppl']:.4f} over {told['tokens']:,} tokens ({told['convention']})", file=sys.stderr
    )
    return {"command": "eval", "model": options.model, "data": options.data, **told}
