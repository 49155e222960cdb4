"""The torch twin of L2.2 still gives the golden values that are in the tree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from frozen import golden, read_tensors

ROOT = Path(__file__).parents[2]


@pytest.mark.torch
def test_the_torch_program_gives_the_golden_values_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OL_COURSE_ROOT", str(ROOT))
    program = ROOT / "course" / "oracle" / "L2.2" / "nplm_torch.py"
    command = [sys.executable, str(program), str(tmp_path), "20260901"]
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    expected = golden("L2.2/nplm.safetensors")
    tensors, _ = read_tensors(tmp_path / "nplm.safetensors")
    assert set(tensors) == set(expected.tensors)
    for name, values in expected.tensors.items():
        np.testing.assert_allclose(tensors[name], values, rtol=expected.rtol, atol=expected.atol)
