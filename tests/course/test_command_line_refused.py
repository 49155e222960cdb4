"""What `python -m tinyllm` refuses in one sentence, and what a command that was stopped leaves as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.course.typed import ROOT, SMALL, said, trained, typed
from tinyllm.__main__ import main
from tinyllm.cli.directory import in_place_of
from tinyllm.lm.nplm import load_nplm


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("cli"))


def test_a_picture_without_matplotlib_is_refused_before_the_training(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    words = ["lm", "train", "nplm", "--train", "t.bin", "--out", "x", "--steps", "1", "--plot", "p.png"]
    assert main([*words, *SMALL]) == 2
    assert "needs matplotlib" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("eval --model nowhere --data text.bin", "nowhere holds no model"),
        ("eval --model nplm --data nothing.bin", "nothing.bin"),
        ("eval --model nplm --data text.txt", "is not a token file"),
        ("generate --model nplm --prompt t --seed 1 --max-tokens 5", "longer prefix"),
        ("generate --model kn --prompt t --seed 1 --max-tokens -5", "at least 0"),
        ("embed-map --model kn", "no embedding table"),
        ("lm train ngram --n 0 --train text.bin --out x", "at least 1"),
        ("lm train ngram --n 2 --train text.bin --out .", "holds no model, so it is not written over"),
        ("lm train nplm --train text.bin --out x --steps 1 --batch 9999 --lr 1 --context 3 --d-emb 4 --hidden 8",
         "9999"),
        ("params --vocab 0 --context 4 --d-emb 3 --hidden 8", "at least 1"),
        ("eval --model nplm", "--data"),
        ("sing", "sing"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_one_sentence_and_exit_2(place: Path, words: str, told: str) -> None:
    before = sorted(path.name for path in place.iterdir())
    done = typed(place, words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and "Traceback" not in done.stderr
    assert sorted(path.name for path in place.iterdir()) == before


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as a signal is POSIX's")
@pytest.mark.parametrize("before", [False, True], ids=["nothing there", "a model there"])
def test_ctrl_c_leaves_the_old_model_or_none(place: Path, before: bool) -> None:
    out = place / f"late-{before}"
    if before:
        said(place, f"lm train nplm --train text.bin --out {out.name} --steps 1", *SMALL)
    kept = {path.name: path.read_bytes() for path in out.iterdir()} if before else None
    words = f"lm train nplm --train text.bin --out {out.name} --steps 100000000".split()
    child = subprocess.Popen(
        [sys.executable, "-m", "tinyllm", *words, *SMALL],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT / "course" / "reference")},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    while not [*place.glob(f".{out.name}-*/new")]:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    said_, told = child.communicate(timeout=30)
    assert (child.returncode, said_) == (130, b"") and b"Traceback" not in told
    assert ({path.name: path.read_bytes() for path in out.iterdir()} if out.exists() else None) == kept
    assert not [*place.glob(".late-*")]


def test_the_old_model_comes_back_when_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "config.json").write_text("old", encoding="utf-8")
    rename = Path.rename

    def interrupted(path: Path, to: Path) -> Path:
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), in_place_of(str(tmp_path / "m")) as folder:
        Path(folder, "config.json").write_text("new", encoding="utf-8")
    assert (tmp_path / "m" / "config.json").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_picture_that_cannot_be_drawn_costs_neither_the_model_nor_an_old_picture(place: Path) -> None:
    (place / "run.sound").write_text("old", encoding="utf-8")
    done = typed(place, "lm train nplm --train text.bin --plot run.sound --out q --steps 3", *SMALL)
    assert done.returncode == 2 and "sound" in done.stderr
    assert (place / "run.sound").read_text(encoding="utf-8") == "old"
    assert load_nplm(str(place / "q")).context == 3
