"""The models of MS-L2 on its corpus, beside the figures that the chapter of the course quotes; parameters by part."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

from machine import ONE_THREAD, machine

os.environ.update(ONE_THREAD)  # before numpy starts its threads
ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "course" / "reference"
os.environ["OL_COURSE_ROOT"] = str(ROOT)
sys.path[:0] = [str(REFERENCE), str(ROOT / "course" / "tests")]


import numpy as np  # noqa: E402

from frozen import corpus  # noqa: E402
from tinyllm.lm.bigram import BigramLM  # noqa: E402
from tinyllm.lm.ngram import NGramLM  # noqa: E402

CHAPTER = {"bigram": 8.52, "order 4": 1.87, "NPLM": 1.54}
ORDERS = (2, 3, 4, 5, 6, 9)
SEEDS = range(5)
PARAMS = {
    "the paper's AP News": "--vocab 17964 --context 4 --d-emb 30 --hidden 100",
    "the handout's": "--vocab 8 --context 4 --d-emb 3 --hidden 8 --no-direct",
    "the milestone's": "--vocab 256 --context 8 --d-emb 24 --hidden 128",
}


def main() -> None:
    train, validation = corpus("ms-l2", "train"), corpus("ms-l2", "val")
    print(machine())
    told(
        "bigram",
        "count bigram, add-one",
        BigramLM(256).fit(train).perplexity(validation),
        len(validation) - 1,
    )
    for order in ORDERS:
        model = NGramLM(order, vocab_size=256).fit(train)
        told(
            f"order {order}",
            f"Kneser-Ney, order {order}, from <s>",
            model.perplexity(validation),
            len(validation),
        )
    measure = runpy.run_path(str(ROOT / "course" / "calibration" / "L2.2.py"))["measure_milestone_perplexity"]
    figures = [measure(seed) for seed in SEEDS]
    mean, spread = float(np.mean(figures)), float(np.std(figures, ddof=1))
    told(
        "NPLM",
        f"NPLM, mean of {len(figures)} seeds (sd {spread:.3f}), first 8 read",
        mean,
        len(validation) - 8,
    )
    for name, sizes in PARAMS.items():
        print(f"\nparameters of {name} model ({sizes})\n{params(sizes)}")


def told(name: str, what: str, perplexity: float, tokens: int) -> None:
    beside = f"; the chapter: {CHAPTER[name]}" if name in CHAPTER else ""
    print(f"{what}: {perplexity:.4f} over {tokens:,} tokens{beside}")


def params(sizes: str) -> str:
    """As `python -m tinyllm params` tells them."""
    words = [sys.executable, "-m", "tinyllm", "params", *sizes.split()]
    environment = {**os.environ, "PYTHONPATH": str(REFERENCE)}
    done = subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=True)
    return done.stderr.rstrip()


if __name__ == "__main__":
    main()
