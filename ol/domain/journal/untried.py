"""Greens that no `ol tdd green` would have recorded: they close a red of a test that was edited since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ol.domain.journal.entry import Link, Phase
from ol.domain.journal.green import Open
from ol.domain.journal.history import Story, retold, story


def untried(links: Sequence[Link]) -> Mapping[str, tuple[str, ...]]:
    """By a green's line: the tests that, as they are in it, no red and no amended red shows failing."""
    found: dict[str, tuple[str, ...]] = {}
    told = Story()
    for place, link in enumerate(links):
        if link.entry.phase is Phase.GREEN:
            trials = Open.of(_known(link, links[:place], told), link.entry).trials(link.entry)
            found[link.sha256] = tuple(id for _, ids in trials.values() for id in ids)
        told = retold(told, link)
    return {line: ids for line, ids in found.items() if ids}


def _known(link: Link, before: Sequence[Link], told: Story) -> Story:
    """As it stood where the entry was written: other clones wrote what it could not know."""
    if all(link.knew(each) for each in before):
        return told
    return story(each for each in before if link.knew(each))
