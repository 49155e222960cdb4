"""The filter's instructions, carried out here as the kernel does."""

from __future__ import annotations

import errno
import struct

import pytest

from ol.child import seccomp
from ol.child.seccomp import MACHINES

ALLOWED, REFUSED = 0x7FFF0000, 0x00050000 | errno.EACCES


def ruling(instructions: list[bytes], audit: int, number: int, first_argument: int = 0) -> int:
    """What the filter answers to one call."""
    data = struct.pack("=IIQQ", number, audit, 0, first_argument)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack("=HBBI", instructions[at])
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            holds = accumulator == value if code == 0x15 else accumulator >= value
            at += if_true if holds else if_false


@pytest.mark.parametrize("name", MACHINES)
def test_every_refused_call_is_refused_and_its_neighbours_are_not(name: str) -> None:
    machine = MACHINES[name]
    instructions = [*seccomp.program(machine)]
    refused = {number for number in range(500) if ruling(instructions, machine.audit, number) == REFUSED}
    assert refused == {*machine.refused}
    assert {ruling(instructions, machine.audit, number) for number in {*range(500)} - refused} == {ALLOWED}


@pytest.mark.parametrize("name", MACHINES)
def test_limits_are_a_processs_own(name: str) -> None:
    machine = MACHINES[name]
    instructions = [*seccomp.program(machine)]
    assert ruling(instructions, machine.audit, machine.prlimit, first_argument=0) == ALLOWED
    assert ruling(instructions, machine.audit, machine.prlimit, first_argument=17) == REFUSED


@pytest.mark.parametrize("name", MACHINES)
def test_no_other_table_of_calls_leads_past_the_filter(name: str) -> None:
    machine = MACHINES[name]
    instructions = [*seccomp.program(machine)]
    assert ruling(instructions, 0x40000003, 1) == REFUSED  # a 32-bit program's
    assert ruling(instructions, machine.audit, 0x40000000 | 1) == REFUSED  # x32's
