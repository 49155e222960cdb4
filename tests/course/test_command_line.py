"""`python -m tinyllm`, as its contract has it, typed as a student types it."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.course.chapter import section
from tests.course.typed import ROOT, SMALL, TEXT, said, trained, typed
from tinyllm.__main__ import parser
from tinyllm.io.tokens import open_tokens, write_tokens
from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM, load_nplm, train_nplm
from tinyllm.num.rng import PCG32

CONTRACT = (ROOT / "course" / "contracts" / "cli" / "tinyllm.md").read_text(encoding="utf-8")
SKELETON = ROOT / "course" / "milestones" / "MS-L2" / "skeleton"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("cli"))


def test_a_text_becomes_a_shard_of_its_bytes(place: Path) -> None:
    assert open_tokens(place / "text.bin").tolist() == list(TEXT.encode())


def test_an_ngram_model_is_the_one_that_fit_gives(place: Path) -> None:
    told = said(place, "lm train ngram --n 2 --train text.bin --out other --discount 0.75")
    assert (told["n"], told["vocab"], told["tokens"]) == (2, 256, len(TEXT))
    ids = list(TEXT.encode())
    assert (
        NGramLM.load(str(place / "other")).nll(ids).tolist()
        == NGramLM(2, 0.75, vocab_size=256).fit(ids).nll(ids).tolist()
    )


def test_an_nplm_is_trained_as_train_nplm_does_it(place: Path) -> None:
    rng = PCG32(5)
    model = NPLM(256, 3, 4, 8, rng=rng.substream("init"))
    losses = train_nplm(model, list(TEXT.encode()), 30, 16, 0.1, rng.substream("shuffle"))
    saved = load_nplm(str(place / "nplm")).state_dict()
    assert all(np.array_equal(saved[name], value) for name, value in model.state_dict().items())
    told = said(place, "lm train nplm --train text.bin --out again --steps 30 --seed 5", *SMALL)
    assert (told["steps"], told["loss"], told["params"]) == (30, losses[-1], saved_size(saved))


def saved_size(saved: dict[str, Any]) -> int:
    return sum(int(value.size) for value in saved.values())


def test_the_options_of_training_reach_it(place: Path) -> None:
    plain = said(place, "lm train nplm --train text.bin --out a --steps 8", *SMALL)["loss"]
    for option in ("--momentum 0.9", "--weight-decay 0.1", "--clip 0.01", "--no-direct", "--seed 1"):
        words = f"lm train nplm --train text.bin --out b --steps 8 {option}"
        assert said(place, words, *SMALL)["loss"] != plain, option


def test_a_perplexity_is_that_of_the_model_and_says_its_convention(place: Path) -> None:
    ids = list(TEXT.encode())
    for folder, model, first in (
        ("nplm", load_nplm(str(place / "nplm")), 3),
        ("kn", NGramLM.load(str(place / "kn")), 0),
    ):
        told = said(place, f"eval --model {folder} --data text.bin")
        assert told["ppl"] == pytest.approx(model.perplexity(ids), rel=1e-12)
        assert told["nll_mean"] == pytest.approx(np.log(told["ppl"]), rel=1e-12)
        assert told["bpb"] == pytest.approx(told["nll_mean"] / np.log(2), rel=1e-12)
        assert told["tokens"] == told["bytes"] == len(ids) - first
        assert ("first 3 tokens are read" if first else "<s>") in told["convention"]


def test_tokens_that_are_no_bytes_have_no_bits_per_byte(place: Path) -> None:
    write_tokens(place / "words.bin", [1, 2, 3, 1, 2, 3, 0] * 9, vocab=5)
    said(place, "lm train ngram --n 2 --train words.bin --out words")
    told = said(place, "eval --model words --data words.bin")
    assert (told["bpb"], told["bytes"], told["tokens"]) == (None, None, 63)


@pytest.mark.parametrize("model", ["nplm", "kn"])
def test_a_seed_tells_one_story_and_greedy_needs_none(place: Path, model: str) -> None:
    def story(*more: str) -> list[int]:
        told = said(place, f"generate --model {model} --max-tokens 40", "--prompt", "the ", *more)
        assert told["tokens"] == len(told["ids"]) == 40
        assert bytes(told["ids"]).decode("utf-8", errors="replace") == told["text"]
        ids: list[int] = told["ids"]
        return ids

    assert story("--seed", "1") == story("--seed", "1") != story("--seed", "2")
    greedy = story("--seed", "1", "--greedy")
    assert greedy == story("--seed", "2", "--temperature", "0")


def test_an_nplm_generates_as_generate_does(place: Path) -> None:
    told = said(
        place, "generate --model nplm --seed 9 --max-tokens 20 --temperature 0.5 --out s.json --prompt the"
    )
    model = load_nplm(str(place / "nplm"))
    assert told["ids"] == model.generate(list(b"the"), 20, 0.5, 9)
    assert json.loads((place / "s.json").read_text(encoding="utf-8")) == told


def test_parameters_are_counted_by_part() -> None:
    paper = said(ROOT, "params --vocab 17964 --context 4 --d-emb 30 --hidden 100")
    assert paper["total"] == 4_521_064
    assert said(ROOT, "params --vocab 8 --context 4 --d-emb 3 --hidden 8 --no-direct")["total"] == 200
    model = NPLM(8, 4, 3, 5).state_dict()
    told = said(ROOT, "params --vocab 8 --context 4 --d-emb 3 --hidden 5")
    assert {name: value.size for name, value in model.items()} == {name: told[name] for name in model}


def test_the_map_names_every_token_of_a_text_in_the_terminal(place: Path) -> None:
    done = typed(place, "embed-map --model nplm --data text.bin")
    assert json.loads(done.stdout)["rows"] == len(set(TEXT))
    letters = done.stderr.replace("\n", "").replace(" ", "")
    assert set(letters) <= {*TEXT, "␣"} and len(letters) > 8


def test_a_picture_is_drawn_of_the_run_and_of_the_table(place: Path) -> None:
    said(place, "lm train nplm --train text.bin --val text.bin --plot run.png --out p --steps 90", *SMALL)
    told = said(place, "embed-map --model nplm --data text.bin --out map.png")
    assert told["rows"] == len(set(TEXT)) and 0 < told["variance_shown"] <= 1
    for name in ("run.png", "map.png"):
        assert (place / name).read_bytes().startswith(b"\x89PNG")


def test_no_steps_have_no_loss(place: Path) -> None:
    assert said(place, "lm train nplm --train text.bin --out none --steps 0", *SMALL)["loss"] is None


def test_the_contract_names_every_command_and_option() -> None:
    commands = set(re.findall(r"^\| `([a-z][a-z -]*?) ?(?=--)", CONTRACT, re.MULTILINE))
    assert commands == {
        "lm train ngram", "lm train nplm", "eval", "generate", "tokens encode", "embed-map", "params",
    }  # fmt: skip
    for command in commands:
        (row,) = [line for line in CONTRACT.splitlines() if line.startswith(f"| `{command} ")]
        shown = set(re.findall(r"--[a-z-]+", row.split("` | ")[0]))
        assert shown == options(parser(), command.split()), command


def options(parser: Any, words: list[str]) -> set[str]:
    """The options of a command, below the subcommands of an argparse parser."""
    for word in words:
        (subcommands,) = [action for action in parser._actions if isinstance(action.choices, dict)]
        parser = subcommands.choices[word]
    return {name for action in parser._actions for name in action.option_strings} - {"-h", "--help"}


def test_the_chapter_says_how_to_hear_the_reference_and_how_to_run_the_skeleton(tmp_path: Path) -> None:
    """Word for word, and in the chapter's order: the skeleton is there before either is run."""
    told = section((ROOT / "course" / "chapters" / "MS-L2.md").read_text(encoding="utf-8"), "what is missing")
    folder = tmp_path / "python" / "tinyllm"
    folder.mkdir(parents=True)
    (folder / "__main__.py").write_bytes((SKELETON / "__main__.py").read_bytes())
    (tmp_path / "course").symlink_to(ROOT / "course", target_is_directory=True)
    typed_there = re.findall(r"^    PYTHONPATH=(\S+) python (-m tinyllm .*)$", told, re.MULTILINE)
    shown = [listed(tmp_path, path, words.split()) for path, words in typed_there]
    assert shown == [{"lm", "eval", "generate", "tokens", "embed-map", "params"}, {"tokens", "eval"}]
    assert all(f'"{path.replace(":", ";")}"' in told for path, _ in typed_there)


def listed(place: Path, path: str, words: list[str]) -> set[str]:
    """The commands that --help shows with this PYTHONPATH."""
    environment = {**os.environ, "PYTHONPATH": path.replace(":", os.pathsep), "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, *words], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^    ([a-z][a-z-]*)", done.stdout, re.MULTILINE))


@pytest.mark.parametrize(
    "folder", [ROOT / "course" / "reference" / "tinyllm", SKELETON], ids=["reference", "skeleton"]
)
def test_help_has_a_line_for_every_command(folder: Path) -> None:
    """argparse lists no subcommand that has no help of its own."""
    told = runpy.run_path(str(folder / "__main__.py"))["parser"]()
    assert {command: line for command, line in lines_of_help(told).items() if not line} == {}


def lines_of_help(parser: Any, above: str = "") -> dict[str, str]:
    """Every subcommand, at whatever depth, with the line that the help above it has for it."""
    found: dict[str, str] = {}
    for action in (action for action in parser._actions if isinstance(action.choices, dict)):
        told = {each.dest: each.help or "" for each in action._choices_actions}
        for name, below in action.choices.items():
            found |= {f"{above}{name}": told.get(name, ""), **lines_of_help(below, f"{above}{name} ")}
    return found
