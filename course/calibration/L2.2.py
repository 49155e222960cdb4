"""The figures behind the bars of L2.2, measured with the reference.

`ol calibrate L2.2` calls measure_<bar>(seed) for each seed of the manifest and floor_<bar>(), and writes
course/bars/L2.2.toml; the first line of a measure is its recipe.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType

from frozen import corpus
from frozen.root import course_root
from tinyllm.lm.nplm import NPLM, train_nplm
from tinyllm.num.rng import PCG32

TRAIN, VALIDATION = corpus("ms-l2", "train"), corpus("ms-l2", "val")


@lru_cache(maxsize=1)
def _ms_l2() -> ModuleType:
    """The corpus's generator, which lives in a folder that is no package."""
    path = course_root() / "course" / "corpora" / "ms-l2" / "generate.py"
    spec = importlib.util.spec_from_file_location("ms_l2_generate", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def measure_corpus_perplexity(seed: int) -> float:
    """300 steps on the first 50,000 bytes of train: c 8, m 16, h 64, direct, B 256, lr 0.1, momentum 0.9.

    An epoch has 195 batches, so that the run crosses into a second one.
    """
    rng = PCG32(seed)
    model = NPLM(256, context=8, d_emb=16, d_hidden=64, direct=True, rng=rng.substream("init"))
    shuffling = rng.substream("shuffle")
    train_nplm(model, TRAIN[:50_000], steps=300, batch_size=256, lr=0.1, rng=shuffling, momentum=0.9)
    return model.perplexity(VALIDATION)


def floor_corpus_perplexity() -> float:
    """The perplexity of the generator itself, computed from its draws.

    No model can expect to do better: one that seems to has read the token it was to predict, or has reported
    something that is no perplexity. An upper bar alone would let both pass.
    """
    generator = _ms_l2()
    _, validation = generator.split(generator.draw_stories(generator.read_grammar()))
    return float(generator.generator_perplexity(validation))


def measure_milestone_perplexity(seed: int) -> float:
    """2,400 steps on all of train: c 8, m 24, h 128, direct, B 128, lr 0.1, momentum 0.9.

    An epoch has 2,188 batches, so that the run crosses into a second one.
    """
    rng = PCG32(seed)
    model = NPLM(256, context=8, d_emb=24, d_hidden=128, direct=True, rng=rng.substream("init"))
    shuffling = rng.substream("shuffle")
    train_nplm(model, TRAIN, steps=2_400, batch_size=128, lr=0.1, rng=shuffling, momentum=0.9)
    return model.perplexity(VALIDATION)


def floor_milestone_perplexity() -> float:
    """The same floor: it belongs to the text, not to the recipe."""
    return floor_corpus_perplexity()
