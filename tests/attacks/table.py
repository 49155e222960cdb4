"""The table of attacks in docs/threat-model.md: `python -m tests.attacks.table` writes it from their files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.attacks import attack
from tests.attacks.attack import Attack

PAGE = Path(__file__).resolve().parents[2] / "docs" / "threat-model.md"
BEGIN, END = "<!-- attacks: written by `python -m tests.attacks.table` -->\n", "<!-- end of attacks -->\n"
HEAD = "| attack | what is done | verdict | held by |\n|---|---|---|---|\n"


def rows() -> Iterator[str]:
    for name in attack.names():
        plan = attack.read(name)
        told = " | ".join(each.replace("|", "\\|") for each in (plan.what, verdict(plan), plan.held_by))
        yield f"| [{name}](../tests/courses/attacks/{name}.toml) | {told} |\n"


def verdict(plan: Attack) -> str:
    gates = [f"{gate} {outcome}" for gate, outcome in plan.verdicts.items()]
    return "; ".join([f"exit {plan.exit}", *[", ".join(gates)] * bool(gates), *plan.slugs])


def page(text: str) -> str:
    """The page with its table as the files have it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "".join([before, BEGIN, "\n", HEAD, *rows(), "\n", END, after])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
