"""The judge of MS-L2: what it computes is right, what is right passes it, and each claim fails what it is against."""

from __future__ import annotations

import math
import runpy
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from frozen import corpus
from ol.child.judge import Work, loaded
from tinyllm.io.safetensors import load_safetensors, save_safetensors
from tinyllm.io.tokens import write_tokens
from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm, train_nplm
from tinyllm.num.rng import PCG32

ROOT = Path(__file__).resolve().parents[2]
SEED, FRESH, N = 5, 77, 20
PROMPT = "One day a "


@pytest.fixture(scope="module")
def judge() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_COURSE_ROOT", str(ROOT))
        patch.syspath_prepend(str(ROOT / "course/tests"))
        patch.setattr("sys.dont_write_bytecode", True)
        yield loaded(ROOT, "course/milestones/MS-L2/judge.py")


@pytest.fixture(scope="module")
def right(judge: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Work:
    """What honest commands leave, with ten steps of training."""
    files, reference = (tmp_path_factory.mktemp(name) for name in ("files", "reference"))
    train, val = corpus("ms-l2", "train"), corpus("ms-l2", "val")
    write_tokens(files / "train.bin", train, 256)
    write_tokens(files / "val.bin", val, 256)
    NGramLM(4, vocab_size=256).fit(train).save(str(files / "ngram"))
    rng = PCG32(SEED)
    model = NPLM(256, 8, 24, 128, rng=rng.substream("init"))
    train_nplm(model, train, 10, 128, 0.1, rng.substream("shuffle"), momentum=0.9)
    for folder in (files / "nplm", files / "fresh", reference / "fresh"):
        save_nplm(model, str(folder))
    ids = model.generate(list(PROMPT.encode()), N, 1.0, FRESH)
    words = {"seed": str(SEED), "fresh": str(FRESH), "prompt": PROMPT, "tokens": str(N), "short": "10"}
    loss = {judge.SHORT_RUN: {"loss": 2.5}}
    return Work(files, reference, words, {"tell a story": {"ids": ids}, **loss}, loss)


@pytest.fixture
def work(right: Work, tmp_path: Path) -> Work:
    """A copy to spoil."""
    import shutil

    shutil.copytree(right.files, tmp_path / "files")
    said = {step: dict(fields) for step, fields in right.said.items()}
    return replace(right, files=tmp_path / "files", said=said)


CLAIMS = ["shards", "table_moved", "fresh_run", "story"]


@pytest.mark.parametrize("name", CLAIMS)
def test_what_honest_commands_leave_meets_every_claim(judge: ModuleType, right: Work, name: str) -> None:
    assert getattr(judge, f"claim_{name}")(right) is None


def test_the_perplexity_of_the_neural_model_is_that_of_the_saved_weights(
    judge: ModuleType, right: Work
) -> None:
    own = load_nplm(str(right.files / "nplm")).perplexity(corpus("ms-l2", "val"))
    assert judge.figure_nplm(right) == pytest.approx(own, rel=1e-6)


def test_the_perplexity_of_the_counts_is_that_of_the_model_and_of_the_oracle(
    judge: ModuleType, right: Work
) -> None:
    own = NGramLM.load(str(right.files / "ngram")).perplexity(corpus("ms-l2", "val"))
    bar = (ROOT / "course/bars/MS-L2.toml").read_text(encoding="utf-8").partition("[kneser_ney]")[2]
    figure = float(bar.partition("mean = ")[2].split()[0])
    assert judge.figure_kneser_ney(right) == pytest.approx(own, rel=1e-9)
    assert figure == pytest.approx(own, rel=1e-9)


def test_the_saved_counts_are_those_that_the_oracle_counts(judge: ModuleType, right: Work) -> None:
    exact = runpy.run_path(str(ROOT / "course/oracle/MS-L2/kneser_ney_exact.py"))
    counted = exact["counted"](corpus("ms-l2", "train").tolist(), 4)
    assert judge._saved_counts(right.files / "ngram") == counted


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_oracle_agrees_with_the_model_on_short_texts(n: int) -> None:
    exact = runpy.run_path(str(ROOT / "course/oracle/MS-L2/kneser_ney_exact.py"))
    rng = PCG32(n)
    train, val = ([rng.below(rng.below(7) + 1) for _ in range(size)] for size in (300, 40))
    found = exact["Exact"](exact["counted"](train, n), 8).perplexity(val)
    assert found == pytest.approx(NGramLM(n, vocab_size=8).fit(train).perplexity(val), rel=1e-12)


def test_the_distributions_of_the_oracle_sum_to_one() -> None:
    exact = runpy.run_path(str(ROOT / "course/oracle/MS-L2/kneser_ney_exact.py"))
    model = exact["Exact"](exact["counted"]([0, 1, 0, 2, 0, 1, 1, 3, 0, 1], 3), 5)
    for context in ((), (0,), (0, 1), (3, 3), (-1,)):
        assert sum(model.prob(context, token) for token in range(5)) == 1


def changed(work: Work, place: str, name: str, change: Callable[[Any], Any]) -> None:
    path = work.files / place / "model.safetensors"
    tensors = {key: np.array(values) for key, values in load_safetensors(path).items()}
    tensors[name] = change(tensors[name])
    save_safetensors(path, tensors)


def start(work: Work) -> Any:
    return NPLM(256, 8, 24, 128, rng=PCG32(SEED).substream("init")).emb.weight.data


def test_a_shard_that_lacks_a_byte_is_told(judge: ModuleType, work: Work) -> None:
    write_tokens(work.files / "val.bin", corpus("ms-l2", "val")[:-1], 256)
    assert "val.bin is not the text" in judge.claim_shards(work)


def test_a_table_that_never_moved_is_told(judge: ModuleType, work: Work) -> None:
    changed(work, "nplm", "emb.weight", lambda table: start(work))
    assert "lies where it began" in judge.claim_table_moved(work)


def test_a_table_of_another_seed_is_told(judge: ModuleType, work: Work) -> None:
    other = replace(work, words={**work.words, "seed": str(SEED + 1)})
    assert "did not begin at its seed" in judge.claim_table_moved(other)


def test_a_row_that_is_no_number_began_nowhere(judge: ModuleType, work: Work) -> None:
    """Rows of bytes that never occur touch no figure."""
    changed(work, "nplm", "emb.weight", lambda table: np.where(~isin_train()[:, None], np.nan, table))
    assert "did not begin at its seed" in judge.claim_table_moved(work)


def isin_train() -> Any:
    return np.isin(np.arange(256), corpus("ms-l2", "train"))


@pytest.mark.parametrize("call", ["figure_nplm", "claim_story"])
def test_a_model_of_other_sizes_than_those_asked_for_has_no_figure(
    judge: ModuleType, work: Work, call: str
) -> None:
    save_nplm(NPLM(256, 8, 24, 129, rng=PCG32(SEED)), str(work.files / "nplm"))
    with pytest.raises(ValueError, match="not those of its options"):
        getattr(judge, call)(work)


@pytest.mark.parametrize("name", ["emb.weight", "hidden.bias", "direct.weight"])
def test_a_short_run_that_ends_elsewhere_is_told(judge: ModuleType, work: Work, name: str) -> None:
    changed(work, "fresh", name, lambda values: values + np.float32(3e-4))
    assert f"{name} is up to" in judge.claim_fresh_run(work)


def test_rounding_is_no_other_end(judge: ModuleType, work: Work) -> None:
    changed(work, "fresh", "emb.weight", lambda values: values * np.float32(1 + 1e-6))
    assert judge.claim_fresh_run(work) is None


@pytest.mark.parametrize("loss", [2.501, None, "2.5", math.nan])
def test_a_loss_that_is_not_the_runs_is_told(judge: ModuleType, work: Work, loss: object) -> None:
    work.said[judge.SHORT_RUN]["loss"] = loss
    assert "the loss of its last step" in judge.claim_fresh_run(work)


def test_tensors_that_are_not_numbers_or_not_there_are_told(judge: ModuleType, work: Work) -> None:
    changed(work, "fresh", "out.bias", lambda values: values * np.float32(math.nan))
    assert "out.bias is up to nan" in judge.claim_fresh_run(work)
    changed(work, "fresh", "out.bias", lambda values: values[:-1])
    assert "out.bias has shape (255,)" in judge.claim_fresh_run(work)


def test_a_story_that_the_model_does_not_tell_is_told_with_the_token(judge: ModuleType, work: Work) -> None:
    ids = work.said["tell a story"]["ids"]
    ids[7] = (ids[7] + 1) % 256
    assert "token 7 of the story" in judge.claim_story(work)


@pytest.mark.parametrize("ids", [None, [], [1] * (N + 1), [256] * N, [True] * N, "a" * N])
def test_ids_that_are_no_story_are_told(judge: ModuleType, work: Work, ids: object) -> None:
    work.said["tell a story"]["ids"] = ids
    assert f"no list of {N} bytes" in judge.claim_story(work)
