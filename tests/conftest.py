"""What all tests stand on, wherever they are run.

Hypothesis takes the time it needs: a deadline measures how busy the machine is, not whether a property holds.
And Ctrl-C is heard: what a shell starts in the background ignores it, and so would every program that a test starts.
One thread multiplies matrices, as in every run of `ol`: the models here are small, and where tests run side by side
threads would wait for each other's cores.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

with suppress(ImportError):  # an environment for the tests against torch alone has none
    from hypothesis import settings

    settings.register_profile("patient", deadline=None)
    settings.load_profile("patient")
