"""`generate`: go on from a prompt, the same way for the same seed."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

from tinyllm.cli import directory
from tinyllm.cli.directory import Model
from tinyllm.cli.draft import draft_of
from tinyllm.cli.shard import BYTES
from tinyllm.lm.ngram import NGramLM
from tinyllm.num.rng import PCG32


def add_to(commands: Any) -> None:
    parser = commands.add_parser("generate", help="let a model of bytes go on from a prompt")
    parser.add_argument("--model", required=True, metavar="DIR")
    parser.add_argument("--prompt", required=True, metavar="TEXT")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--max-tokens", type=int, required=True, metavar="N")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--temperature", type=float, default=1.0, metavar="T")
    how.add_argument("--greedy", action="store_true", help="always the likeliest token, as temperature 0")
    parser.add_argument("--out", metavar="FILE", help="write the ids and the text there too, as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    model = directory.load(options.model)
    prompt = list(options.prompt.encode("utf-8"))
    temperature = 0.0 if options.greedy else options.temperature
    ids = going_on(model, prompt, options.max_tokens, temperature, options.seed)
    text = bytes(ids).decode("utf-8", errors="replace")
    told = {"command": "generate", "seed": options.seed, "tokens": len(ids), "ids": ids, "text": text}
    print(options.prompt + text, file=sys.stderr)
    if options.out:
        with draft_of(options.out) as draft:
            draft.write_text(json.dumps(told) + "\n", encoding="utf-8")
    return told


def going_on(model: Model, prompt: list[int], n: int, temperature: float, seed: int) -> list[int]:
    """n new ids. ValueError: a model that is not of bytes, n or temperature below 0, too short a prompt."""
    if (vocab := directory.vocabulary(model)) != BYTES:
        raise ValueError(
            f"the model has a vocabulary of {vocab}, so it has no way to write text: bytes have 256"
        )
    if not isinstance(model, NGramLM):
        return model.generate(prompt, n, temperature, seed)
    if not (n >= 0 and temperature >= 0):
        raise ValueError(f"--max-tokens and --temperature must be at least 0, got {n} and {temperature}")
    ids = list(prompt)
    for u in PCG32(seed).uniforms(n):
        ids.append(_drawn(model.logprobs(ids), temperature, u))
    return ids[len(prompt) :]


def _drawn(logprobs: Any, temperature: float, u: float) -> int:
    """As NPLM.generate draws: the first id whose running sum of weights exceeds u times their total."""
    if temperature == 0:
        return int(logprobs.argmax())
    sums = np.exp((logprobs - logprobs.max()) / temperature).cumsum()
    return int(sums.searchsorted(u * sums[-1], side="right"))
