"""Whether a milestone was passed by a tree of units and command line: remembered by content, as all that is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from ol.commands.steps.versions import versions
from ol.domain.file import File
from ol.domain.milestone.milestone import Milestone
from ol.ports import Ports


def remember_pass(ports: Ports, milestone: Milestone, tree: Sequence[File]) -> None:
    """For `ol status` alone: a milestone itself is always played anew."""
    if place := _key(ports, milestone, tree):
        ports.memo.put(place, b"passed")


def has_passed(ports: Ports, milestone: Milestone, tree: Sequence[File]) -> bool:
    place = _key(ports, milestone, tree)
    return bool(place) and ports.memo.get(place) is not None


def _key(ports: Ports, milestone: Milestone, tree: Sequence[File]) -> str:
    """Empty where no lock says what the milestone was judged by."""
    if not ports.catalog.lock_hash:
        return ""
    files = sorted((file.name, file.sha256) for file in tree)
    facts = ["milestone", milestone.id, ports.catalog.lock_hash, sorted(versions().items()), files]
    return hashlib.sha256(json.dumps(facts).encode("utf-8")).hexdigest()
