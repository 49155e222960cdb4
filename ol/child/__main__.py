"""The child's front door, started by its path: `python ol/child/__main__.py warm|cold|keep|step …`.

So neither the working folder nor the way `ol` was installed matters. `ol` is found by the way this file lies;
student code then sees an import path of what is installed, and nothing else.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    shape, base = sys.argv[1], Path(sys.argv[2])
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    if shape == "step":
        from ol.child import step

        step.run()
    elif shape == "keep":
        from ol.child import keeper  # Linux only

        keeper.keep(base)
    elif shape == "warm":
        from ol.child import server  # Linux only

        server.serve(base, control_fd=int(sys.argv[3]))
    else:
        results_fd = os.dup(1)  # first of all: no library's remark may come among the records
        os.dup2(2, 1)
        from ol.child import cold

        cold.run(base, results_fd)
