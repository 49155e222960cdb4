"""The warm parent: pytest configured once, one fork per run, each run's whole process tree ended and reaped.

Linux only. For a run `ol` sends the course's package and three file descriptors on the control socket: the
request, the pipe for its records, and the run's own line. The server never reads a request, so no child finds
another's sources in its memory. On the line it answers once, when the run has ended; when `ol` hangs up the
line, it ends the run.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NoReturn

from ol.child import sandbox, session, tree
from ol.child.request import Request
from ol.child.run import Run

assert sys.platform == "linux"

PROCESSES = 64
_COUNT_EVERY_S = 0.25


@dataclass(slots=True)
class Child:
    """A run in its own process, and the line to `ol` about it."""

    pid: int
    pidfd: int
    line: socket.socket
    note: str = ""  # why the server ended it


class Server:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._children: dict[int, Child] = {}
        self._poll = select.epoll()
        self._acts: dict[int, Callable[[], Run | None]] = {}
        self._count_at = 0.0
        self._listen(control.fileno(), self._hear)

    def next_run(self) -> Run | None:
        """In a fork: the run it is to carry out. In the server: None, once `ol` hung up and all ended."""
        gc.freeze()  # what is here now is shared by all forks: let no collection touch it
        while self._control.fileno() >= 0 or self._children:
            for fd, _ in self._poll.poll(_COUNT_EVERY_S if self._children else None):
                run = self._acts[fd]() if fd in self._acts else None
                if run is not None:
                    return run
            if monotonic() >= self._count_at:
                self._count_at = monotonic() + _COUNT_EVERY_S
                self._end_crowds()
        return None

    def _listen(self, fd: int, act: Callable[[], Run | None]) -> None:
        self._poll.register(fd, select.EPOLLIN)
        self._acts[fd] = act

    def _deaf(self, fd: int) -> None:
        if self._acts.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def _hear(self) -> Run | None:
        """A run to start, or the end of them all."""
        package, fds, _, _ = socket.recv_fds(self._control, 1024, 3)
        if not package:
            self._hang_up()
            return None
        request_fd, results_fd, line_fd = fds
        line = socket.socket(fileno=line_fd)
        pid = self._fork(line, package.decode("utf-8"))
        if pid == 0:
            return self._become(request_fd, results_fd, line)
        os.close(request_fd)
        os.close(results_fd)
        if pid is not None:
            self._follow(Child(pid, os.pidfd_open(pid), line))
        return None

    def _fork(self, line: socket.socket, package: str) -> int | None:
        """Fork a fresh start; where it could not be one, refuse the run on its line."""
        try:
            if tree.threads() != 1:
                raise OSError("the server has a second thread")
            if any(name.partition(".")[0] == package for name in sys.modules):
                raise OSError(f"the server has a module of {package}")
            return os.fork()
        except OSError as unfit:
            tell(line, refused=str(unfit))
            return None

    def _become(self, request_fd: int, results_fd: int, line: socket.socket) -> Run:
        """In the fork: a session of its own, and nothing kept of what is the server's."""
        os.setsid()
        sandbox.die_with_parent()
        for child in self._children.values():
            os.close(child.pidfd)
            child.line.close()
        line.close()
        self._control.close()
        self._poll.close()
        return Run(Request.read(request_fd), results_fd)

    def _follow(self, child: Child) -> None:
        self._children[child.pid] = child
        self._listen(child.line.fileno(), lambda: self._end(child))
        self._listen(child.pidfd, lambda: self._bury(child))

    def _end(self, child: Child) -> None:
        self._deaf(child.line.fileno())
        tree.end_group(child.pid)

    def _end_crowds(self) -> None:
        for child in self._children.values():
            if not child.note and tree.more_than(PROCESSES, child.pid):
                child.note = f"ended, for it had more than {PROCESSES} processes"
                self._end(child)

    def _bury(self, child: Child) -> None:
        """The run's process has ended: end what it left behind, reap it, answer."""
        self._deaf(child.pidfd)
        self._deaf(child.line.fileno())
        os.close(child.pidfd)
        tree.end_group(child.pid)
        _, status, used = os.wait4(child.pid, 0)
        del self._children[child.pid]
        tree.end_orphans(alive=set(self._children))
        code = os.waitstatus_to_exitcode(status)
        cpu_s, peak_bytes = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        tell(child.line, pid=child.pid, code=code, cpu_s=cpu_s, peak_bytes=peak_bytes, note=child.note)

    def _hang_up(self) -> None:
        self._deaf(self._control.fileno())
        self._control.close()
        for child in self._children.values():
            self._end(child)


def tell(line: socket.socket, **answer: object) -> None:
    """Say the one thing there is to say on a run's line, and hang up."""
    with line, suppress(OSError):  # `ol` may have hung up before
        line.send(json.dumps(answer).encode("ascii"))


def serve(base: Path, control_fd: int) -> None:
    """Serve until `ol` hangs up, then leave nothing in its folder, for `ol` may have been killed."""
    sandbox.narrow_import_path()
    sandbox.adopt_orphans()
    sandbox.hide_memory()
    sandbox.most_tasks()
    tree.children(os.getpid())  # fails here where /proc cannot tell, before any run
    server = Server(socket.socket(fileno=control_fd))
    session.hold(base, lambda: server.next_run() or _leave(base))


def _leave(base: Path) -> NoReturn:
    """At once: `ol` waits for this process, and nothing in it is worth taking down piece by piece."""
    shutil.rmtree(base, ignore_errors=True)
    os._exit(0)
