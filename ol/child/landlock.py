"""Landlock: the kernel keeps this process, and all that it starts, to the paths named. Linux, no root needed.

Numbers and names are those of linux/landlock.h (https://docs.kernel.org/userspace-api/landlock.html).
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from contextlib import suppress

from ol.child.libc import system_call

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_TCP = _SCOPE = 0b11  # bind and connect; abstract sockets and signals

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
LIST = READ_DIR
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)  # everything but devices, which would be doors for root
USE = READ_FILE | WRITE_FILE | TRUNCATE

MAY_RENAME, MAY_NOT_TRUNCATE, HAS_TCP, MAY_NOT_SIGNAL = 2, 3, 4, 6  # the first version that can
_KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}  # by version; 16 from the fifth on


def abi() -> int:
    """The version of Landlock that this kernel has; 0 where it has none or keeps it from us."""
    with suppress(OSError):
        return system_call(_CREATE_RULESET, None, 0, _VERSION)
    return 0


def confine(version: int, allowed: Iterable[tuple[str, int]]) -> None:
    """Refuse every access to files but those `allowed`, by path; what is not there is passed over.

    From version 4 on also TCP, from 6 on signals and abstract sockets to processes outside. For good:
    needs no_new_privs, and holds for whatever this process starts.
    """
    handled = (1 << _KINDS_OF_ACCESS.get(version, 16)) - 1
    attributes = [handled, *[_TCP] * (version >= HAS_TCP), *[_SCOPE] * (version >= MAY_NOT_SIGNAL)]
    told = struct.pack(f"={len(attributes)}Q", *attributes)
    ruleset = system_call(_CREATE_RULESET, told, len(told), 0)
    try:
        for path, access in allowed:
            with suppress(FileNotFoundError, PermissionError):
                _allow(ruleset, path, access & handled)
        system_call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            access &= OF_A_FILE
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, place), 0)
    finally:
        os.close(place)
