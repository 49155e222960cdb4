"""The chapters of the course as tests read them: sections, tables, fenced blocks and worked numbers."""

from __future__ import annotations

import re
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2] / "course"

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

Worked = dict[str, list[float]]


def chapter(module: str) -> str:
    """The text of course/chapters/<module>.md."""
    return (COURSE / "chapters" / f"{module}.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What follows the heading that ends with this title, up to the next heading of its level or above."""
    headings = FENCED.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)  # a comment in code is none
    start = re.search(rf"^(#+) [^\n]*{re.escape(title)}\n", headings, re.MULTILINE)
    assert start, f"no heading ends with {title!r}"
    end = re.search(rf"^#{{1,{len(start[1])}}} ", headings[start.end() :], re.MULTILINE)
    return text[start.end() :][: end.start() if end else None]


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return FENCED.sub("", text)


def table(text: str) -> list[list[str]]:
    """The cells of the first table in a text, its header and rule left out."""
    rows = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert rows, "no table here"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[0].splitlines()[2:]]


def blocks(text: str, language: str) -> list[str]:
    """The contents of the fenced blocks whose first line is exactly this."""
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def worked(text: str, title: str) -> Worked:
    """The one block `numbers <title>`: a line `name = 1, 2.5  # why` is {name: [1.0, 2.5]}."""
    (block,) = blocks(text, f"numbers {title}")
    lines = (line.partition("#")[0].partition("=") for line in block.splitlines())
    return {name.strip(): [float(value) for value in values.split(",")] for name, _, values in lines}


def flat(text: str) -> str:
    """The text with every run of blanks and line ends made one blank: a sentence may be wrapped anywhere."""
    return " ".join(text.split())


def code_names(cell: str) -> list[str]:
    """What a cell holds between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def number(cell: str) -> float:
    """The number of a cell, its thousands set off by commas."""
    return float(cell.replace(",", "").strip("*"))
