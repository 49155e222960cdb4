"""The wheats of L2.1 and the reference read each other's directories, and agree far below any tolerance."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tinyllm.lm import ngram as reference

WHEATS = sorted((Path(__file__).parents[2] / "course" / "wheats" / "L2.1").glob("*.py"))
LINES = [[(i * i + j) % (5 + j) for i in range(9 * j + 1)] for j in range(6)]


@pytest.fixture(params=WHEATS, ids=[path.stem for path in WHEATS])
def wheat(request: pytest.FixtureRequest) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"wheat_{request.param.stem}", request.param)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_two_wheats() -> None:
    assert [path.stem for path in WHEATS] == ["w01", "w02"]


@pytest.mark.parametrize("discount", ["modified", 0.7])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_a_wheat_reads_what_the_reference_wrote_and_is_read_by_it(
    wheat: Any, n: int, discount: str | float, tmp_path: Path
) -> None:
    scored = [*LINES, [11, 0, 11], []]
    want = reference.NGramLM(n, discount, vocab_size=12).fit(LINES).nll(scored)
    for writer, reader in ((wheat, reference), (reference, wheat)):
        model = writer.NGramLM(n, discount, vocab_size=12).fit(LINES)
        model.save(str(tmp_path))
        loaded = reader.NGramLM.load(str(tmp_path))
        np.testing.assert_allclose(loaded.nll(scored), want, rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(model.logprobs([3, 1]), loaded.logprobs([3, 1]), rtol=1e-13, atol=1e-15)
