"""`python -m tinyllm`: train the language models, score them, and hear them.

The last line of standard output is one JSON object; everything said on the way goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from tinyllm.cli import embed_map, generate, params, score, tokens, train


def parser() -> argparse.ArgumentParser:
    """Every command with its options; each sets `run`, a function of the options that gives the last line."""
    top = argparse.ArgumentParser(prog="tinyllm", description="Train, score and hear language models.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in (train, score, generate, tokens, embed_map, params):
        command.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done, 2 a usage error or a file that is not there or not right, 130 interrupted."""
    options = parser().parse_args(arguments)
    try:
        told = options.run(options)
    except KeyboardInterrupt:
        print("tinyllm: interrupted; nothing was left half-written", file=sys.stderr)
        return 130
    except (ValueError, OSError, KeyError, FloatingPointError) as error:
        print(f"tinyllm: {error}", file=sys.stderr)
        return 2
    print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
