"""What a snapshot contradicts without a run."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ol.domain.journal.entry import FileRecord, Phase
from ol.domain.journal.snapshot import changes
from tests.domain.journal.snapshots import A1, ALL_PASS, snapshot


def test_an_honest_snapshot_has_no_contradiction() -> None:
    assert snapshot(Phase.GREEN, ALL_PASS).contradictions(A1) == ()


_NAME = st.text("ab._-", min_size=1, max_size=4).filter(lambda name: name.strip("."))


@given(
    st.lists(_NAME, min_size=1, max_size=4),
    st.integers(0, 3),
    st.sampled_from(["", ".", "..", "C:", "a\\b", "\n"]),
)
def test_a_name_with_one_wrong_part_is_found(parts: list[str], place: int, wrong: str) -> None:
    assert not misnamed("/".join(parts))
    assert misnamed("/".join([*parts[:place], wrong, *parts[place:]]))


def test_a_file_that_is_also_a_folder_is_found() -> None:
    assert misnamed("a/b", "a")


def misnamed(*names: str) -> bool:
    honest = snapshot(Phase.GREEN, ALL_PASS)
    files = {**honest.entry.files, **{name: FileRecord("0", "0") for name in names}}
    link = replace(honest.link, entry=replace(honest.entry, files=files))
    found = replace(honest, link=link).contradictions(A1)
    return any(each.what == "a file" for each in found)


def test_only_versions_that_the_entry_names_can_have_changed() -> None:
    entry = replace(snapshot(Phase.RED, ALL_PASS).entry, versions={"numpy": "1.0", "python": "3.11"})
    today = {"numpy": "2.0", "python": "3.11", "ol": "9"}
    assert changes(entry, today) == {"numpy": ("1.0", "2.0")}
