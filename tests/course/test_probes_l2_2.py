"""The probes of L2.2: rounding passes them, on any seed, and what they hand out is worth comparing.

That each differs on a mutant, and all mutants on one, is proved by `ol verify`.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen.toml_file import read_toml
from ol.child.arrays import packed
from ol.child.values import disagreement, unpacked
from tinyllm.lm import nplm

ROOT = Path(__file__).resolve().parents[2]
PROBES = {
    name.removeprefix("probe_"): each
    for name, each in runpy.run_path(str(ROOT / "course/probes/L2.2.py")).items()
    if name.startswith("probe_")
}
DECLARED = read_toml(ROOT / "course/modules/L2.2.toml")["probes"]
TOLERANCES = {each["name"]: [each.get(key, 0.0) for key in ("rtol", "atol", "margin")] for each in DECLARED}
SEEDS = range(30)

Arrays = dict[str, NDArray[Any]]


def given(probe: str, seed: int) -> Arrays:
    return unpacked(packed(PROBES[probe](seed)))


def rounded(function: Callable[..., Any], noise: np.random.Generator) -> Callable[..., Any]:
    """The same logits up to a few last bits of the greatest, as another order of sums would give them."""

    def other(*args: Any) -> Any:
        y = function(*args)
        values = y.data if isinstance(y, nplm.Tensor) else y
        values += (
            np.float32(2e-7) * np.abs(values).max() * noise.standard_normal(values.shape).astype(np.float32)
        )
        return y

    return other


@pytest.mark.parametrize("probe", PROBES)
def test_logits_that_differ_in_their_last_bits_pass(probe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {seed: given(probe, seed) for seed in SEEDS}
    noise, one_window = np.random.default_rng(0), nplm.NPLM._one_window
    monkeypatch.setattr(nplm.NPLM, "forward", rounded(nplm.NPLM.forward, noise))
    monkeypatch.setattr(nplm.NPLM, "_one_window", lambda self: rounded(one_window(self), noise))
    for seed, right in expected.items():
        assert disagreement(given(probe, seed), right, *TOLERANCES[probe]) == {}


def test_nearly_all_choices_of_a_generation_are_clear() -> None:
    margins = np.stack([given("generation", seed)["ids.margin"] for seed in SEEDS])
    assert (margins > TOLERANCES["generation"][2]).mean() > 0.95


@pytest.mark.parametrize("probe", PROBES)
def test_another_seed_gives_other_values(probe: str) -> None:
    one, other = given(probe, 1), given(probe, 2)
    assert one.keys() == other.keys()
    assert any(not np.array_equal(one[name], other[name]) for name in one)


def test_ten_steps_move_every_weight() -> None:
    """Else a training that leaves one out would agree."""
    first, then = given("training", 3), given("training", 3)
    assert all(np.array_equal(first[name], then[name]) for name in first)
    for name in (name.removeprefix("plain ") for name in first if name.startswith("plain ") and "." in name):
        assert not np.array_equal(first[f"plain {name}"], first[f"clipped {name}"])
