"""Ctrl-C from the first import to the last line: heard once, and never dropped."""

from __future__ import annotations

import signal
import sys

_AGAIN_S = 0.01


class CtrlC:
    heard = False
    _raised = False

    def listen(self) -> None:
        """Not in the background of a shell, where it is ignored."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            sys.unraisablehook = self._dropped
            signal.signal(signal.SIGINT, self._hear)

    def ignore(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _hear(self, *_: object) -> None:
        """Once: what follows ends runs and clears scratch away, and a second Ctrl-C must not cut that short."""
        if not self._raised:
            self.heard = self._raised = True
            raise KeyboardInterrupt

    def _dropped(self, what: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised in a callback, of an import's lock say: it is heard a moment later."""
        if what.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(what)
            return
        import threading

        threading.Thread(target=self._again, args=[threading.main_thread().ident], daemon=True).start()

    def _again(self, main_thread: int) -> None:
        """Not while the main thread is still in the hook, from which Python would drop it without a word."""
        import time

        time.sleep(_AGAIN_S)
        while self._in_the_hook(main_thread):
            time.sleep(_AGAIN_S)
        self._raised = False
        _interrupt(main_thread)

    def _in_the_hook(self, main_thread: int) -> bool:
        frame = sys._current_frames().get(main_thread)
        while frame is not None and frame.f_code is not CtrlC._dropped.__code__:
            frame = frame.f_back
        return frame is not None


def _interrupt(main_thread: int) -> None:
    """By a signal where there are threads to send one to, for it ends a wait too."""
    if sys.platform == "win32":
        import _thread

        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)
