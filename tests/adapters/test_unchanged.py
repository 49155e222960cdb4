"""An answer that is given again while nothing has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ol.adapters import unchanged
from ol.adapters.unchanged import Unchanged
from ol.domain.report import Page

PAGE = Page("status", ("one", "two"), {"modules": []})
VERSIONS = {"ol": "1"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course and a workspace in one folder, all of it older than can change within a tick."""
    for name in ("course/course.toml", "python/tinycalc/calc.py", "journals/A1.jsonl", ".ol/settings.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("as it was", encoding="utf-8")
    later(monkeypatch)
    return tmp_path


def later(monkeypatch: pytest.MonkeyPatch, seconds: int = 3600) -> None:
    """An hour from now: a file's own times cannot be set back in all their parts."""
    monkeypatch.setattr("time.time_ns", lambda now=time.time_ns: now() + seconds * 1_000_000_000)


def seen(place: Path) -> Unchanged:
    return Unchanged.seen_from(place, None, VERSIONS)


def test_it_is_given_again_as_it_was(place: Path) -> None:
    assert seen(place).answer() is None
    assert seen(place).keep(PAGE, place) is PAGE
    assert seen(place).answer() == PAGE


@pytest.mark.parametrize(
    "change",
    [
        lambda place: (place / "python/tinycalc/calc.py").write_text("as it wax", encoding="utf-8"),
        lambda place: (place / "course/course.toml").unlink() or (place / "course/course.toml").touch(),
        lambda place: (place / "journals/A1.jsonl").rename(place / "journals/A2.jsonl"),
        lambda place: (place / "python/tests").mkdir() or (place / "python/tests/test_it.py").touch(),
        lambda place: (place / ".ol/settings.json").write_text("other", encoding="utf-8"),
        lambda place: (place / ".ol/cache").mkdir() or (place / ".ol/cache/1f").touch(),
    ],
    ids=["unit", "course", "journal", "new test", "settings", "something remembered"],
)
def test_a_change_of_anything_ends_it(place: Path, change: Callable[[Path], object]) -> None:
    seen(place).keep(PAGE, place)
    change(place)
    assert seen(place).answer() is None


@pytest.mark.skipif(os.name != "posix", reason="the time of a change of a file's state is POSIX's")
def test_a_file_whose_time_was_set_back_has_changed(place: Path) -> None:
    unit = place / "python/tinycalc/calc.py"
    before = unit.stat()
    seen(place).keep(PAGE, place)
    unit.write_text("as it wax", encoding="utf-8")
    os.utime(unit, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert seen(place).answer() is None


def test_other_versions_end_it(place: Path) -> None:
    seen(place).keep(PAGE, place)
    assert Unchanged.seen_from(place, None, {"ol": "2"}).answer() is None


def test_nothing_is_kept_while_a_file_is_new(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    (place / "python/tinycalc/calc.py").write_text("just now", encoding="utf-8")
    seen(place).keep(PAGE, place)
    later(monkeypatch)
    assert seen(place).answer() is None


def test_bytecode_is_no_change(place: Path) -> None:
    seen(place).keep(PAGE, place)
    (place / "python/tinycalc/__pycache__").mkdir()
    (place / "python/tinycalc/__pycache__/calc.pyc").touch()
    assert seen(place).answer() == PAGE


def test_the_answer_of_another_workspace_is_not_kept(place: Path) -> None:
    seen(place).keep(PAGE, place / "elsewhere")
    assert seen(place).answer() is None


def test_without_a_course_nothing_is_kept(place: Path) -> None:
    (place / "course/course.toml").unlink()
    before = Unchanged.seen_from(place, str(place / "nowhere"), VERSIONS)
    before.keep(PAGE, place)
    assert before.answer() is None


def test_a_file_that_goes_away_while_it_is_looked_at_keeps_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another command's file of a moment, between its name and its state."""
    seen(place).keep(PAGE, place)
    monkeypatch.setattr(unchanged, "_files", lambda *_: iter(gone(place)))
    assert seen(place).state == "" and seen(place).answer() is None


def gone(place: Path) -> Iterator[tuple[str, os.stat_result]]:
    yield str(place), (place / ".ol/.settings.json.12345678").stat()


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_change_of_what_a_link_leads_to_ends_it(
    place: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path_factory.mktemp("elsewhere") / "course.toml"
    course.write_text("as it was", encoding="utf-8")
    (place / "course/course.toml").unlink()
    (place / "course/course.toml").symlink_to(course)
    (place / "course/leads-nowhere").symlink_to(place / "nowhere")
    later(monkeypatch)
    seen(place).keep(PAGE, place)
    assert seen(place).answer() == PAGE
    course.write_text("as it wax", encoding="utf-8")
    later(monkeypatch)
    assert seen(place).answer() is None


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b"null", b"[]", b"{}", b"[" * 100_000, b'{"command": 1, "lines": 2, "fields": 3}'],
    ids=["bytes", "null", "list", "empty", "deep", "numbers"],
)
def test_what_is_no_page_is_no_answer(content: bytes, place: Path) -> None:
    before = seen(place)
    before.memo.put(before.state, content)
    assert before.answer() is None
