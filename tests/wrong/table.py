"""The table of wrong courses in docs/authors.md: `python -m tests.wrong.table` writes it from their files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.wrong import wrong

PAGE = Path(__file__).resolve().parents[2] / "docs" / "authors.md"
BEGIN, END = (
    "<!-- wrong courses: written by `python -m tests.wrong.table` -->\n",
    "<!-- end of wrong courses -->\n",
)
HEAD = "| what is wrong | caught by | told |\n|---|---|---|\n"


def rows() -> Iterator[str]:
    """By proof, in the order in which proofs are tried."""
    plans = {name: wrong.read(name) for name in wrong.names()}
    order = wrong.proofs()
    for name, plan in sorted(plans.items(), key=lambda each: order.index(each[1].fails[0])):
        link = f"[{plan.what.rstrip('.')}](../tests/courses/wrong/{name}.toml)"
        yield f"| {link} | {plan.fails[0]} | [{plan.slug}](messages.md#{plan.slug}) |\n"


def page(text: str) -> str:
    """The page with its table as the files have it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "".join([before, BEGIN, "\n", HEAD, *rows(), "\n", END, after])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
