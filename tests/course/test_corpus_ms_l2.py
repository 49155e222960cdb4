"""The MS-L2 corpus: what its generator makes is what the chapter says of it."""

from __future__ import annotations

import hashlib
import importlib.util
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from frozen.pcg32 import PCG32
from tinyllm.lm.ngram import NGramLM

FOLDER = Path(__file__).resolve().parents[2] / "course" / "corpora" / "ms-l2"


@pytest.fixture(scope="module")
def ms_l2() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ms_l2_generate", FOLDER / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_corpus_is_the_one_the_sums_name(ms_l2: ModuleType) -> None:
    lines = (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    recorded = {name: digest for digest, name in (line.split("  ") for line in lines)}
    made = {name: hashlib.sha256(content).hexdigest() for name, content in ms_l2.make_files().items()}
    assert made == recorded


def test_the_sizes_are_those_the_chapter_quotes(ms_l2: ModuleType) -> None:
    train, validation = ms_l2.corpus()
    assert len(validation) == 14_675
    assert (train.count(b"\n"), validation.count(b"\n")) == (1045, 55)
    assert train.isascii() and validation.isascii()


def test_no_validation_story_occurs_in_train(ms_l2: ModuleType) -> None:
    train, validation = (set(text.splitlines()) for text in ms_l2.corpus())
    assert not train & validation


def test_the_add_one_bigram_has_the_perplexity_the_chapter_quotes(ms_l2: ModuleType) -> None:
    train, validation = (np.frombuffer(text, np.uint8).astype(int) for text in ms_l2.corpus())
    counts = np.bincount(train[:-1] * 256 + train[1:], minlength=256 * 256).reshape(256, 256)
    probs = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 256)
    assert math.exp(-np.log(probs[validation[:-1], validation[1:]]).mean()) == pytest.approx(8.52, abs=0.005)


def test_the_generator_is_worth_about_a_fifth_of_a_bit_a_byte(ms_l2: ModuleType) -> None:
    _, validation = ms_l2.split(ms_l2.draw_stories(ms_l2.read_grammar()))
    assert ms_l2.generator_perplexity(validation) == pytest.approx(1.122, abs=0.0005)


TINY = {
    "opening": ["{name} had a {obj}.", "{name} saw {friend}."],
    "liking": ["{His} {obj2} and {obj}."],
    "ending": ["They {acted}.", "{~obj}!"],
    "plots": {"only": [["He met {friend}."]]},
    "names": {"boys": ["Tom"], "girls": ["Mia", "Zoe"]},
    "words": {"obj": ["cup", "bell"], "act": ["hop"]},
    "kinds": {"friend": "name"},
    "pronouns": {"His": ["His", "Her"]},
    "past": {"hop": "hopped"},
}


def test_the_generators_perplexity_is_that_of_a_distribution_counted_by_hand(ms_l2: ModuleType) -> None:
    """2 openings, 3 names, 2 friends, 2 ways to lay out two things; ending: 1 way, or 2 fresh things."""
    stories = ms_l2.draw_stories(TINY, seed=0, stories=2000)
    ways = {False: 2 * 3 * 2 * 2 * 2, True: 2 * 3 * 2 * 2 * 2 * 2}
    for story in stories:
        assert story.nats == pytest.approx(math.log(ways[story.text.endswith("!")]))
    assert len({story.text for story in stories}) == 24 + 48  # every story the grammar can tell
    letters = sum(len(story.text) + 1 for story in stories)
    expected = math.exp(sum(story.nats for story in stories) / letters)
    assert ms_l2.generator_perplexity(stories) == pytest.approx(expected)


def test_the_variables_of_one_list_differ_and_the_pronoun_follows_the_name(ms_l2: ModuleType) -> None:
    for i in range(100):
        teller = ms_l2.Storyteller(TINY, PCG32(1, seq=i))
        text, kept = teller.tell().text, teller.kept
        assert kept["name"] != kept["friend"]
        assert kept["obj"] != kept["obj2"]
        assert ("His" in text) == (kept["name"] == "Tom")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_program_writes_the_files_and_the_shards_hold_the_texts_bytes(tmp_path: Path) -> None:
    done = run("--out", str(tmp_path / "made"))
    assert done.returncode == 0, done.stderr
    for part in ("train", "val"):
        text = (tmp_path / "made" / f"{part}.txt").read_bytes()
        shard = (tmp_path / "made" / f"{part}.bin").read_bytes()
        header = np.frombuffer(shard[:1024], "<i4")
        assert header[:4].tolist() == [20240520, 1, len(text), 256] and not header[4:].any()
        assert np.frombuffer(shard[1024:], "<u2").astype(np.uint8).tobytes() == text


def test_check_writes_nothing_and_refuses_a_changed_corpus(
    ms_l2: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made"
    assert ms_l2.main(["--check", "--out", str(out)]) == 0
    assert not out.exists()
    monkeypatch.setattr(ms_l2, "corpus", lambda: (b"a\n", b"b\n"))
    assert ms_l2.main(["--check"]) == 1
    assert "not the one SHA256SUMS names" in capsys.readouterr().out


def test_kneser_ney_has_the_perplexities_the_readme_tells(ms_l2: ModuleType) -> None:
    train, validation = ms_l2.corpus()
    told = {3: 3.11, 4: 1.87, 5: 1.61, 6: 1.52, 9: 1.35}
    measured = {n: NGramLM(n, vocab_size=256).fit(train).perplexity(validation) for n in told}
    assert measured == pytest.approx(told, abs=0.005)


def test_the_texts_beside_the_generator_are_those_it_makes(ms_l2: ModuleType) -> None:
    train, val = ms_l2.corpus()
    assert (FOLDER / "train.txt").read_bytes() == train
    assert (FOLDER / "val.txt").read_bytes() == val
