"""`lm train ngram` and `lm train nplm`: a model directory from a token shard."""

from __future__ import annotations

import argparse
from typing import Any

from tinyllm.cli import curve, directory, params, shard
from tinyllm.cli.progress import Progress
from tinyllm.cli.recipe import Recipe, losses
from tinyllm.cli.scoring import scored
from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM, save_nplm
from tinyllm.num.rng import PCG32

_POINTS = 40  # of a curve


def add_to(commands: Any) -> None:
    kinds = commands.add_parser("lm", help="train a language model").add_subparsers(
        metavar="train", required=True
    )
    models = kinds.add_parser("train", help="train a language model").add_subparsers(
        metavar="KIND", required=True
    )
    _add_ngram(models.add_parser("ngram", help="counts with Kneser-Ney smoothing"))
    _add_nplm(models.add_parser("nplm", help="the neural probabilistic language model"))


def _add_ngram(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, required=True, help="the order")
    parser.add_argument("--discount", type=_discount, default="modified", metavar="modified|D")
    _add_files(parser)
    parser.set_defaults(run=train_ngram)


def _add_nplm(parser: argparse.ArgumentParser) -> None:
    for name in ("--context", "--d-emb", "--hidden", "--steps", "--batch"):
        parser.add_argument(name, type=int, required=True, metavar="N")
    parser.add_argument("--lr", type=float, required=True, metavar="X")
    parser.add_argument("--momentum", type=float, default=0.0, metavar="MU")
    parser.add_argument("--weight-decay", type=float, default=0.0, metavar="WD")
    parser.add_argument("--clip", type=float, metavar="G", help="the greatest norm of all gradients together")
    parser.add_argument("--no-direct", action="store_true", help="without the path from window to logits")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--val", metavar="FILE", help="a token shard to score in the end, and along the way for --plot"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw loss and validation perplexity (needs matplotlib)"
    )
    _add_files(parser)
    parser.set_defaults(run=train_nplm)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--train", required=True, metavar="FILE", help="a token shard")
    parser.add_argument("--out", required=True, metavar="DIR")


def _discount(word: str) -> str | float:
    return word if word == "modified" else float(word)


def train_ngram(options: argparse.Namespace) -> dict[str, Any]:
    with directory.in_place_of(options.out) as folder:
        ids, vocab = shard.read(options.train)
        model = NGramLM(options.n, options.discount, vocab_size=vocab).fit(ids)
        model.save(folder, tokenizer=_tokenizer(vocab))
    return {"command": "lm train ngram", "out": options.out, "n": model.n, "vocab": vocab, "tokens": len(ids)}


def train_nplm(options: argparse.Namespace) -> dict[str, Any]:
    if options.plot:
        curve.wanted()  # before an hour of training, not after
    with directory.in_place_of(options.out) as folder:
        ids, vocab = shard.read(options.train)
        held_out = shard.read_for(options.val, vocab) if options.val else None
        rng = PCG32(options.seed)
        sizes = (options.context, options.d_emb, options.hidden)
        model = NPLM(vocab, *sizes, direct=not options.no_direct, rng=rng.substream("init"))
        recipe = Recipe.of(options)
        progress = Progress(recipe.steps, recipe.batch)
        perplexity = (lambda: model.perplexity(held_out)) if options.plot and held_out is not None else None
        points = curve.Curve(every=max(1, recipe.steps // _POINTS))
        for loss in losses(model, ids, recipe, rng.substream("shuffle")):
            progress.step(loss)
            points.step(loss, perplexity)
        seconds = progress.seconds
        save_nplm(model, folder, tokenizer=_tokenizer(vocab))
    if options.plot:
        points.draw(options.plot)
    told = scored(model, held_out, vocab) if held_out is not None else {}
    return {
        "command": "lm train nplm",
        "out": options.out,
        "steps": recipe.steps,
        "loss": points.last,
        "seconds": round(seconds, 3),
        "tokens_per_s": round(recipe.steps * recipe.batch / max(seconds, 1e-9)),
        "params": params.by_part(vocab, *sizes, direct=not options.no_direct)["total"],
        **told,
    }


def _tokenizer(vocab: int) -> str:
    return "bytes" if vocab == shard.BYTES else "file"
