"""A walk of a guide, played: its files written, its edits made, its commands run and compared with what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.cli.student import Student, edited

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LEFT_OUT = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block: a file to write, a `diff` of one, or what a `console` shows."""

    kind: str
    path: str
    text: str

    @property
    def asked(self) -> list[str]:
        """The words after `ol` of the command that a console shows."""
        return self.text.splitlines()[0].removeprefix("$ ol ").split()

    @property
    def shown(self) -> list[str]:
        """What it prints, in pieces that follow on one another with lines left out between them."""
        lines = "\n".join(self.text.splitlines()[1:])
        return [piece.strip("\n") for piece in re.split(rf"^{_LEFT_OUT}$", lines, flags=re.MULTILINE)]


def blocks(text: str) -> Iterator[Block]:
    return (Block(*found.groups(default="")) for found in _BLOCK.finditer(text))


def write(block: Block, root: Path) -> None:
    path = root / block.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8", newline="\n")


def change(block: Block, root: Path) -> None:
    """The lines after `-`, which stand there once, become those after `+`."""
    old, new = (
        "".join(line[1:] + "\n" for line in block.text.splitlines() if line[0] == sign) for sign in "-+"
    )
    edited(root / block.path, old, new)


def run(block: Block, author: Student) -> None:
    """Each piece stands in the output, as whole lines, after the one before."""
    told = author.ol(*block.asked)
    assert told.code == (5 if " WRONG — " in block.text else 0), told.out + told.err
    assert told.out.startswith(block.shown[0]), told.out
    rest = f"\n{told.out}"
    for piece in filter(None, block.shown):
        _, found, rest = rest.partition(f"\n{piece}\n")
        assert found, f"{piece}\n\nis not what {' '.join(block.asked)} prints here:\n{told.out}"
        rest = f"\n{rest}"
    assert not block.shown[-1] or not rest.strip(), rest
