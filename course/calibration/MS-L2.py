"""The figures behind the bars of MS-L2, measured with the reference, or exact.

`ol calibrate MS-L2` calls measure_<bar>(seed) for each seed of the milestone and floor_<bar>(), or exact_<bar>()
where a bar has no seeds, and writes course/bars/MS-L2.toml; the first line of a docstring is the bar's recipe. The
files of course/oracle/MS-L2/ lie beside this one when it runs.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

from frozen import corpus
from frozen.root import course_root
from tinyllm.lm.nplm import NPLM, train_nplm
from tinyllm.num.rng import PCG32

TRAIN, VALIDATION = corpus("ms-l2", "train"), corpus("ms-l2", "val")


def _loaded(path: Path) -> ModuleType:
    """A file that lies in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def measure_nplm(seed: int) -> float:
    """2,400 steps on all of train: c 8, m 24, h 128, direct, B 128, lr 0.1, momentum 0.9."""
    rng = PCG32(seed)
    model = NPLM(256, context=8, d_emb=24, d_hidden=128, direct=True, rng=rng.substream("init"))
    shuffling = rng.substream("shuffle")
    train_nplm(model, TRAIN, steps=2_400, batch_size=128, lr=0.1, rng=shuffling, momentum=0.9)
    return model.perplexity(VALIDATION)


def floor_nplm() -> float:
    """The perplexity of the generator itself, computed from its draws: no model can expect to do better."""
    generator = _loaded(course_root() / "course" / "corpora" / "ms-l2" / "generate.py")
    _, validation = generator.split(generator.draw_stories(generator.read_grammar()))
    return float(generator.generator_perplexity(validation))


def exact_kneser_ney() -> float:
    """Interpolated modified Kneser-Ney of order 4 over all of train as one sequence, in rational arithmetic."""
    exact = _loaded(Path(__file__).with_name("kneser_ney_exact.py"))
    model = exact.Exact(exact.counted(TRAIN.tolist(), 4), vocab=256)
    return float(model.perplexity(VALIDATION.tolist()))


def exact_bigram() -> float:
    """Counts of pairs over all of train, one added to each of the 256 x 256; the first byte is not scored."""
    pairs = np.ones((256, 256))
    np.add.at(pairs, (TRAIN[:-1], TRAIN[1:]), 1)
    p = pairs / pairs.sum(axis=1, keepdims=True)
    return float(np.exp(-np.log(p[VALIDATION[:-1], VALIDATION[1:]]).mean()))
