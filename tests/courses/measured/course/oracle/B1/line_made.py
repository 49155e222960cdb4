"""`python line_made.py OUT_DIR SEED` writes OUT_DIR/line.safetensors: x, and y = 2 x + 1, float32 [8]."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np


def main(out_dir: str, seed: str) -> None:
    x = np.random.default_rng(int(seed)).standard_normal(8).astype("<f4")
    tensors = {"x": x, "y": np.float32(2) * x + np.float32(1)}
    versions = {"torch": "none", "numpy": np.__version__, "blas": "none"}
    header = {"__metadata__": {"made_with": json.dumps(versions)}}
    body = b""
    for name, values in tensors.items():
        place = [len(body), len(body) + values.nbytes]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": place}
        body += values.tobytes()
    head = json.dumps(header).encode("ascii")
    content = len(head).to_bytes(8, "little") + head + body
    (Path(out_dir) / "line.safetensors").write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
