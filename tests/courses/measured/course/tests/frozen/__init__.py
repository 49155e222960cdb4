"""The frozen kit: goldens and bars."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(os.environ["OL_COURSE_ROOT"])


def golden(name: str) -> tuple[dict[str, Any], float, float]:
    """A golden's tensors, and its tolerance."""
    manifest = tomllib.loads((ROOT / "oracle" / "manifest.toml").read_text(encoding="utf-8"))
    entry = manifest["goldens"][name]
    raw = (ROOT / "oracle" / name).read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    places = {name: each["data_offsets"] for name, each in header.items() if name != "__metadata__"}
    tensors = {name: np.frombuffer(raw[start + a : start + b], dtype="<f4") for name, (a, b) in places.items()}
    return tensors, entry["rtol"], entry["atol"]


def bar(module: str, name: str) -> tuple[float, float]:
    """A bar's lower and upper bound."""
    path = ROOT / "course" / "bars" / f"{module}.toml"
    entry = tomllib.loads(path.read_text(encoding="utf-8"))[name]
    return entry["lower"], entry["upper"]
