"""`python -m ol` and the `ol` command."""

from __future__ import annotations

import gc
import sys

from ol.ctrl_c import CtrlC

# Classes and syntax trees, the most of what a command makes, it keeps to its end: look for cycles seldom.
_NEW_OBJECTS = 20_000


def main() -> None:
    """From the first import to the last line, Ctrl-C is one word and exit code 130."""
    gc.set_threshold(_NEW_OBJECTS)
    ctrl_c = CtrlC()
    try:
        ctrl_c.listen()
        from ol.cli import run

        code = run(sys.argv[1:])
        ctrl_c.ignore()  # what is done is done
    except BaseException:  # before the boundary in `cli`, or while the answer was shown
        if not ctrl_c.heard:
            raise
        sys.stderr.write("ol: Interrupted.\n")
        code = 130
    gc.freeze()  # what is left goes with the process: Python need not search it for cycles first
    sys.exit(code)


if __name__ == "__main__":
    main()
