"""What `ol` remembers of a workspace."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ol.adapters.workspace.settings import Settings
from ol.domain.course import ModuleId

A1, A2 = ModuleId("A.1"), ModuleId("A.2")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / ".ol")


def test_nothing_is_remembered_at_first(settings: Settings) -> None:
    assert (settings.last_started(), settings.assisted(A1), settings.hint_steps(A1)) == (None, None, ())


def test_ref_deps_are_remembered_for_the_module_they_were_given_to(settings: Settings) -> None:
    settings.remember_start(A1, "failing")
    settings.remember_start(A2, None)
    assert settings.last_started() == A2
    assert (settings.assisted(A1), settings.assisted(A2)) == ("failing", None)


def test_a_start_remembered_without_ref_deps_forgets_them(settings: Settings) -> None:
    settings.remember_start(A1, "all")
    settings.remember_start(A1, None)
    assert settings.assisted(A1) is None


def test_hints_are_kept_a_line_each_in_the_order_taken(settings: Settings) -> None:
    for mutant, step in (("s07", 1), ("s02", 1), ("s07", 2)):
        settings.remember_hint(A1, mutant, step)
    settings.remember_hint(A2, "s01", 1)
    assert settings.hint_steps(A1) == (("s07", 1), ("s02", 1), ("s07", 2))
    assert len((settings.folder / "hints.jsonl").read_bytes().splitlines()) == 4


@pytest.mark.parametrize("content", [b"", b"{", b'{"last_started": 3}', b"\xff", b"[]"])
def test_a_state_that_cannot_be_read_is_forgotten(settings: Settings, content: bytes) -> None:
    settings.remember_start(A1, "all")
    (settings.folder / "state.json").write_bytes(content)
    assert settings.last_started() is None
    settings.remember_start(A2, None)
    assert settings.last_started() == A2


def test_a_torn_line_of_hints_costs_no_other(settings: Settings) -> None:
    settings.remember_hint(A1, "s01", 1)
    with (settings.folder / "hints.jsonl").open("ab") as file:
        file.write(b'{"module": "A.1", "mut\n')
    settings.remember_hint(A1, "s02", 1)
    assert settings.hint_steps(A1) == (("s01", 1), ("s02", 1))


def test_git_is_told_to_look_away(settings: Settings) -> None:
    settings.remember_start(A1, None)
    assert (settings.folder / ".gitignore").read_bytes() == b"*\n"


def test_two_starts_at_once_are_both_remembered(tmp_path: Path) -> None:
    ids = [ModuleId(f"A{number}") for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda id: Settings(tmp_path).remember_start(id, "all"), ids))
    assert {Settings(tmp_path).assisted(id) for id in ids} == {"all"}
    assert Settings(tmp_path).last_started() in ids
