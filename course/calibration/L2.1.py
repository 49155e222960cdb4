"""The figures behind the bar of L2.1, measured with the reference.

`ol calibrate L2.1` calls measure_<bar>(seed) for each seed of the manifest and floor_<bar>(), and writes
course/bars/L2.1.toml; the first line of a measure is its recipe. Counting draws nothing, so the seeds choose
what is read: each another stretch of the training text.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from frozen import corpus
from frozen.root import course_root
from tinyllm.lm.ngram import NGramLM

TRAIN, VALIDATION = corpus("ms-l2", "train").tobytes(), corpus("ms-l2", "val").tobytes()


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
    """Order 4 on 20,000 bytes of train from byte 50,000 s on, for seed s, one story a sequence.

    The first and the last story of a stretch may be cut.
    """
    stretch = TRAIN[50_000 * seed :][:20_000]
    model = NGramLM(4, vocab_size=256).fit(stretch.splitlines(keepends=True))
    return model.perplexity(VALIDATION.splitlines(keepends=True))


def floor_corpus_perplexity() -> float:
    """The perplexity of the generator itself, computed from its draws: no model can expect to do better."""
    generator = _ms_l2()
    _, validation = generator.split(generator.draw_stories(generator.read_grammar()))
    return float(generator.generator_perplexity(validation))
