"""The wheats of L2.2 agree with the reference bit for bit where the contract promises bits."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tinyllm.lm import nplm as reference
from tinyllm.num.rng import PCG32

WHEATS = sorted((Path(__file__).parents[2] / "course" / "wheats" / "L2.2").glob("*.py"))
IDS = [(i * i + i // 3) % 9 for i in range(60)]


@pytest.fixture(params=WHEATS, ids=[path.stem for path in WHEATS])
def wheat(request: pytest.FixtureRequest) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"wheat_{request.param.stem}", request.param)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trained(unit: Any, direct: bool) -> tuple[Any, list[float]]:
    model = unit.NPLM(9, 3, 4, 5, direct=direct, rng=PCG32(1))
    settings = {"momentum": 0.9, "weight_decay": 0.01, "clip": 1.0}
    return model, unit.train_nplm(model, IDS, 23, 8, 0.2, PCG32(2), **settings)


def test_there_are_two_wheats() -> None:
    assert [path.stem for path in WHEATS] == ["w01", "w02"]


@pytest.mark.parametrize("direct", [True, False])
def test_a_wheat_trains_to_the_reference_s_very_bits(wheat: ModuleType, direct: bool) -> None:
    (mine, losses), (theirs, expected) = trained(wheat, direct), trained(reference, direct)
    assert losses == expected
    for name, values in theirs.state_dict().items():
        np.testing.assert_array_equal(mine.state_dict()[name], values)


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0, 3.0])
def test_a_wheat_draws_the_reference_s_ids(wheat: ModuleType, direct: bool, temperature: float) -> None:
    (mine, _), (theirs, _) = trained(wheat, direct), trained(reference, direct)
    for seed in range(5):
        assert mine.generate(IDS[:5], 60, temperature, seed) == theirs.generate(
            IDS[:5], 60, temperature, seed
        )


def test_a_wheat_reads_what_the_reference_wrote_and_is_read_by_it(wheat: ModuleType, tmp_path: Path) -> None:
    x, _ = reference.windows(IDS, 3)
    for writer, reader in ((wheat, reference), (reference, wheat)):
        model, _ = trained(writer, direct=True)
        writer.save_nplm(model, str(tmp_path))
        np.testing.assert_array_equal(reader.load_nplm(str(tmp_path))(x).data, model(x).data)


@pytest.mark.parametrize("text", ["[]", "[1]", "null", "3", '"nplm"', "{}", "{"])
def test_a_wheat_refuses_a_config_that_is_no_object_as_the_reference_does(
    wheat: ModuleType, tmp_path: Path, text: str
) -> None:
    reference.save_nplm(trained(reference, direct=True)[0], str(tmp_path))
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    for unit in (reference, wheat):
        with pytest.raises(ValueError):
            unit.load_nplm(str(tmp_path))
