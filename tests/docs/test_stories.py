"""The walk to a story: its commands do what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "stories.md").read_text(encoding="utf-8")
CONSOLES = "\n".join(re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL))
TYPED = re.findall(r"^\$ (.*)$", CONSOLES, re.MULTILINE)
OURS = [shlex.split(line)[2:] for line in TYPED if line.startswith("python -m ")]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, dict[str, object]]]:
    """What each `python -m tinyllm …` of the page says: its words, and its last line."""
    place = tmp_path_factory.mktemp("stories")
    (place / "course").symlink_to(ROOT / "course", target_is_directory=True)
    environment = {
        **os.environ,
        "PYTHONPATH": "course/reference",
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    told = []
    for words in OURS:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=place,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append((done.stderr, json.loads(done.stdout.splitlines()[-1])))
    return told


def test_the_page_types_every_kind_of_command() -> None:
    assert [" ".join(words[1:3]) for words in OURS] == [
        "tokens encode", "tokens encode", "lm train", "eval --model", "lm train",
        "generate --model", "generate --model", "embed-map --model",
    ]  # fmt: skip
    assert TYPED[0] == "export PYTHONPATH=course/reference OPENBLAS_NUM_THREADS=1"
    assert TYPED[-1].startswith("ol milestone MS-L2")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="asks git")
def test_what_is_read_is_in_a_fresh_clone() -> None:
    read = [word for words in OURS for word in words if word.startswith("course/")]
    tracked = ["git", "-C", str(ROOT), "ls-files", "--error-unmatch", *read]
    assert read and subprocess.run(tracked, capture_output=True, check=False).returncode == 0


def test_the_counts_cost_what_the_page_says(said: list[tuple[str, dict[str, object]]]) -> None:
    words, told = said[3]
    assert words.strip() in PAGE and told["tokens"] == 14675


def test_the_neural_model_comes_out_below_the_counts(said: list[tuple[str, dict[str, object]]]) -> None:
    told = said[4][1]
    assert told["params"] == 113024 and told["tokens"] == 14667
    assert 1.12 < float(str(told["ppl"])) < 1.57


def test_the_stories_are_told_to_the_length_asked_for(said: list[tuple[str, dict[str, object]]]) -> None:
    assert [told["tokens"] for _, told in said[5:7]] == [280, 280]


def test_the_map_is_of_the_letters_of_the_stories(said: list[tuple[str, dict[str, object]]]) -> None:
    assert said[7][1]["rows"] == 48


def test_the_pictures_are_there() -> None:
    for name in re.findall(r"\]\((pictures/[^)]+)\)", PAGE):
        assert (ROOT / "docs" / name).read_bytes().startswith(b"\x89PNG")
