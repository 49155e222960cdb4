"""The command line `python -m tinyllm`: train the language models, score them, and hear them.

Its contract is course/contracts/cli/tinyllm.md, and the chapter course/chapters/MS-L2.md says in which order to build
it. The last line of standard output is one JSON object; everything else that is said goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

# The units are there to be used, such as:
#   from tinyllm.io.tokens import open_tokens, read_tokens_header, write_tokens
#   from tinyllm.lm.ngram import NGramLM
#   from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm


def parser() -> argparse.ArgumentParser:
    """Every command with its options; each sets `run`, a function of the options that gives the last line."""
    top = argparse.ArgumentParser(prog="tinyllm")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    tokens = commands.add_parser("tokens", help="token shards").add_subparsers(
        metavar="encode", required=True
    )
    encode = tokens.add_parser("encode", help="the bytes of a text as a token shard")
    encode.add_argument("--text", required=True, metavar="FILE")
    encode.add_argument("--out", required=True, metavar="FILE")
    encode.set_defaults(run=encode_text)

    score = commands.add_parser("eval", help="perplexity of a token shard under a model")
    score.add_argument("--model", required=True, metavar="DIR")
    score.add_argument("--data", required=True, metavar="FILE")
    score.set_defaults(run=score_text)

    # Still to come: `lm train ngram`, `lm train nplm`, `generate`, `embed-map`, `params`.
    return top


def encode_text(options: argparse.Namespace) -> dict[str, Any]:
    raise NotImplementedError("MS-L2: tokens encode")


def score_text(options: argparse.Namespace) -> dict[str, Any]:
    raise NotImplementedError("MS-L2: eval")


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done, 2 a file that is not there or not what it should be, 130 after Ctrl-C."""
    options = parser().parse_args(arguments)
    told = options.run(options)
    print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
