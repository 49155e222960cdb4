"""The warm shape: one server per command, which forks a child for every run (Linux)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from ol.adapters import process
from ol.adapters.ending import Ending, Refused

_LEAVING_S = 10.0


def possible() -> bool:
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


class WarmRun:
    """A run in the server's child: where its records come out, and the line on which its end is told."""

    def __init__(self, results: int, line: socket.socket) -> None:
        self.results = results
        self._line = line

    def wait(self, seconds: float) -> Ending | None:
        """How the run ended, None while it runs. Refused when there was none."""
        self._line.settimeout(seconds)
        try:
            answer = self._line.recv(4096)
        except TimeoutError:
            return None
        except OSError:
            answer = b""
        self._line.close()
        if not answer:
            note = "the process that watches over the runs was ended"
            return Ending(pid=0, code=-signal.SIGKILL, note=note, lost=True)
        told = json.loads(answer)
        if "refused" in told:
            raise Refused(told["refused"])
        return Ending(**told)

    def end(self) -> None:
        """Have the server end the run's whole process tree; `wait` tells when it has."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)


class Warm:
    name = "warm"

    def __init__(self, base: Path) -> None:
        self._base = base
        self._used = False
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Let the server begin to start; the first run waits for what is left of it."""
        with self._lock:
            self._living_server()

    def begin(self, request: IO[bytes], output: IO[bytes], package: str) -> WarmRun:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        results, write_end = os.pipe()
        try:
            with self._lock, suppress(OSError):  # a server that has died is noticed on the run's line
                fds = [request.fileno(), write_end, theirs.fileno()]
                socket.send_fds(self._living_server(), [package.encode("utf-8")], fds)
                self._used = True
        finally:
            theirs.close()
            os.close(write_end)
        return WarmRun(results, ours)

    def _living_server(self) -> socket.socket:
        """The control socket of a server; one is started where none lives."""
        if self._control is None or self._process is None or self._process.poll() is not None:
            if self._control is not None:
                self._control.close()
            self._control, self._process = self._start()
        return self._control

    def _start(self) -> tuple[socket.socket, subprocess.Popen[bytes]]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            server = process.start(
                [str(process.CHILD), "warm", str(self._base), str(theirs.fileno())],
                folder=self._base,
                environment=process.hermetic(),
                pass_fds=[theirs.fileno()],
            )
        return ours, server

    def close(self) -> None:
        """Hang up: the server ends every run and leaves."""
        with self._lock:
            if self._control is None or self._process is None:
                return
            self._control.close()
            if not self._used:
                self._process.kill()  # it may be starting still, and there is no run to end
            try:
                self._process.wait(_LEAVING_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._control = self._process = None
