"""The walk of docs/authors.md, from nothing to a module that `ol verify` accepts, played from its own blocks."""

from __future__ import annotations

from pathlib import Path

from tests.cli.student import begun
from tests.course.chapter import section
from tests.docs.walk import blocks, change, run, write

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "authors.md"
WALK = section(GUIDE.read_text(encoding="utf-8"), "From nothing to a module")


def test_an_author_who_follows_the_page_gets_what_it_shows(tmp_path: Path) -> None:
    author = begun(tmp_path)
    for block in blocks(WALK):
        if block.kind == "console":
            run(block, author)
        elif block.kind == "diff":
            change(block, author.root)
        else:
            write(block, author.root)
    assert "PROVED" in author.does("verify").last


def test_it_shows_a_module_wrong_on_the_way_and_right_in_the_end() -> None:
    verdicts = [
        ("WRONG" in each.text, "PROVED" in each.text) for each in blocks(WALK) if "verify" in each.text[:12]
    ]
    assert verdicts == [(True, False)] * 3 + [(False, True)]


def test_every_block_is_played() -> None:
    assert WALK.count("```") == 2 * len(list(blocks(WALK)))
