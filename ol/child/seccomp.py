"""A filter on system calls: no way to another process or machine but through files. Linux, no root needed.

Sockets of every kind, System V and POSIX queues, shared memory, keyrings, and another process's limits are refused;
io_uring too, for it opens sockets without asking the filter. Pipes and threads stay. Numbers are those of the
kernel's unistd.h, per machine.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from ol.child.libc import system_call

_SET_MODE_FILTER, _SPEC_ALLOW = 1, 1 << 2  # else older kernels slow the whole process down
_REFUSE, _ALLOW = 0x00050000 | errno.EACCES, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16  # where struct seccomp_data has them
_OTHER_TABLE = 0x40000000  # x32's calls on x86_64


@dataclass(frozen=True, slots=True)
class Machine:
    """How the kernel numbers a machine, and on it these calls."""

    audit: int
    seccomp: int
    prlimit: int
    refused: tuple[int, ...]


# socket, socketpair, shmget, semget, msgget, mq_open, add_key, request_key, keyctl, io_uring_setup
MACHINES = {
    "x86_64": Machine(0xC000003E, 317, 302, (41, 53, 29, 64, 68, 240, 248, 249, 250, 425)),
    "aarch64": Machine(0xC00000B7, 277, 261, (198, 199, 194, 190, 186, 180, 217, 218, 219, 425)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def confine() -> bool:
    """Whether the filter holds now: for good, for this process and all that it starts. Needs no_new_privs."""
    machine = MACHINES.get(os.uname().machine) if sys.maxsize > 2**32 else None
    if machine is None:
        return False
    instructions = b"".join(program(machine))
    filter = _Program(len(instructions) // 8, instructions)
    try:
        system_call(machine.seccomp, _SET_MODE_FILTER, _SPEC_ALLOW, ctypes.byref(filter))
    except OSError:
        return False
    return True


def program(machine: Machine) -> Iterator[bytes]:
    """The filter in the kernel's own instructions; a jump counts those that it passes over."""
    count = len(machine.refused)
    yield _instruction(_LOAD, _MACHINE)
    yield _instruction(_EQUAL, machine.audit, 0, count + 6)
    yield _instruction(_LOAD, _NUMBER)
    yield _instruction(_AT_LEAST, _OTHER_TABLE, count + 4, 0)
    for at, call in enumerate(machine.refused):
        yield _instruction(_EQUAL, call, count - at + 3, 0)
    yield _instruction(_EQUAL, machine.prlimit, 0, 2)
    yield _instruction(_LOAD, _FIRST_ARGUMENT)
    yield _instruction(_EQUAL, 0, 0, 1)  # a process's own limits
    yield _instruction(_RETURN, _ALLOW)
    yield _instruction(_RETURN, _REFUSE)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
