"""What the kernel here could not keep student code from, in words: a remark, never a verdict."""

from __future__ import annotations

from collections.abc import Sequence

_FROM = {
    "files": "files outside its folder",
    "truncation": "emptying files outside its folder",
    "network": "the network",
    "signals": "signals to other processes",
}


def remark(names: Sequence[str]) -> str:
    """Nothing where there is nothing to tell."""
    if not names:
        return ""
    told = ", ".join(_FROM.get(name, name) for name in names)
    return f"the kernel here does not keep student code from: {told} (Linux 6.12 does)"
