"""Calls into the kernel that Python has no name for."""

from __future__ import annotations

import ctypes
import os
import struct
from functools import cache

_CAPABILITIES_VERSION = 0x20080522


def system_call(number: int, *arguments: object) -> int:
    """A system call by its number; bytes go as the place where they lie. OSError where it fails."""
    whole = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(libc().syscall(ctypes.c_long(number), *whole), f"system call {number}")


def prctl(option: int, value: int) -> int:
    """OSError where it fails."""
    return _checked(libc().prctl(option, value, 0, 0, 0), f"prctl {option}")


def keep_capabilities(mask: int) -> None:
    """Give up for good what root may do, but what `mask` has a bit for. OSError where it fails."""
    header, held = struct.pack("=Ii", _CAPABILITIES_VERSION, 0), ctypes.create_string_buffer(24)
    _checked(libc().capget(header, held), "capget")
    low = struct.unpack("=3I", held.raw[:12])  # effective, permitted, inheritable; then those from bit 32 on
    _checked(libc().capset(header, struct.pack("=6I", *(bits & mask for bits in low), 0, 0, 0)), "capset")


@cache
def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(answer: int, call: str) -> int:
    if answer < 0:
        raise OSError(code := ctypes.get_errno(), f"{call}: {os.strerror(code)}")
    return answer
