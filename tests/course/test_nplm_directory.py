"""The model directory: what a save cut short leaves behind, and what load_nplm refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from tinyllm.lm import nplm
from tinyllm.lm.nplm import NPLM, load_nplm, save_nplm
from tinyllm.num.rng import PCG32

X = np.array([[0, 1], [4, 3]])


class PowerCut(Exception):
    """What stops a save in its middle."""


def model(seed: int, direct: bool = True) -> NPLM:
    return NPLM(5, 2, 3, 4, direct=direct, rng=PCG32(seed))


def cut(*args: Any, **options: Any) -> None:
    raise PowerCut


def half_written(self: Path, text: str, **options: Any) -> None:
    with Path(self).open("w", encoding="utf-8") as file:
        file.write(text[: len(text) // 2])
    raise PowerCut


def cut_at_the_old_config(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Path, "unlink", cut)


def cut_before_the_tensors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(nplm, "save_safetensors", cut)


def cut_after_the_tensors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Path, "write_text", cut)


def cut_inside_the_config(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Path, "write_text", half_written)


CUTS = [cut_at_the_old_config, cut_before_the_tensors, cut_after_the_tensors, cut_inside_the_config]


@pytest.mark.parametrize("cut_short", CUTS)
@pytest.mark.parametrize("direct", [True, False])
def test_a_save_cut_short_leaves_the_old_model_or_one_that_does_not_load(
    tmp_path: Path, direct: bool, cut_short: Callable[[pytest.MonkeyPatch], None]
) -> None:
    old, new = model(1), model(2, direct)
    save_nplm(old, str(tmp_path))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(PowerCut):
        cut_short(patch)
        save_nplm(new, str(tmp_path))
    try:
        loaded = load_nplm(str(tmp_path))
    except (ValueError, FileNotFoundError):
        assert cut_short is not cut_at_the_old_config
    else:
        assert cut_short is cut_at_the_old_config
        np.testing.assert_array_equal(loaded(X).data, old(X).data)
    save_nplm(new, str(tmp_path))
    np.testing.assert_array_equal(load_nplm(str(tmp_path))(X).data, new(X).data)


def test_the_config_has_its_keys_in_the_order_of_the_contract(tmp_path: Path) -> None:
    save_nplm(model(1), str(tmp_path))
    assert list(json.loads((tmp_path / "config.json").read_text(encoding="utf-8")).items()) == [
        ("tl_arch", "nplm"),
        ("tl_tokenizer", "bytes"),
        ("vocab_size", 5),
        ("tl_format", 1),
        ("tl_context", 2),
        ("tl_d_emb", 3),
        ("hidden_size", 4),
        ("tl_direct", True),
    ]


def test_the_official_reader_reads_the_tensors(tmp_path: Path) -> None:
    m = model(1)
    save_nplm(m, str(tmp_path))
    tensors = load_file(tmp_path / "model.safetensors")
    assert set(tensors) == set(m.state_dict())
    for name, values in m.state_dict().items():
        np.testing.assert_array_equal(tensors[name], values)


def test_a_float64_model_is_saved_as_float32(tmp_path: Path) -> None:
    m = model(1)
    for tensor in m.parameters():
        tensor.data = tensor.data.astype(np.float64)
    save_nplm(m, str(tmp_path))
    tensors = load_file(tmp_path / "model.safetensors")
    assert {values.dtype for values in tensors.values()} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tl_arch", "rnn"),
        ("tl_format", 2),
        ("tl_tokenizer", "words"),
        ("vocab_size", "5"),
        ("tl_context", 2.0),
        ("tl_d_emb", True),
        ("hidden_size", 0),
        ("tl_direct", 1),
    ],
)
def test_a_config_with_a_wrong_value_is_refused(tmp_path: Path, key: str, value: Any) -> None:
    save_nplm(model(1), str(tmp_path))
    path = tmp_path / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, key: value}), encoding="utf-8")
    with pytest.raises(ValueError):
        load_nplm(str(tmp_path))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"tl_arch": "nplm"}'])
def test_a_config_that_is_no_object_of_ours_is_refused(tmp_path: Path, text: str) -> None:
    save_nplm(model(1), str(tmp_path))
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError):
        load_nplm(str(tmp_path))


def test_tensors_of_another_size_are_refused(tmp_path: Path) -> None:
    save_nplm(model(1), str(tmp_path))
    config = (tmp_path / "config.json").read_text(encoding="utf-8")
    save_nplm(NPLM(6, 2, 3, 4, rng=PCG32(0)), str(tmp_path))
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(ValueError, match="shape"):
        load_nplm(str(tmp_path))
