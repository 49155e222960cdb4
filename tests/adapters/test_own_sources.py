from __future__ import annotations

from pathlib import Path

from ol.adapters.own_sources import own_sources


def test_a_changed_renamed_or_added_source_is_another_ol(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    seen = [own_sources(tmp_path)]
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    seen.append(own_sources(tmp_path))
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    seen.append(own_sources(tmp_path))
    (tmp_path / "c.py").touch()
    seen.append(own_sources(tmp_path))
    assert len(set(seen)) == 4


def test_what_is_no_source_does_not_count(tmp_path: Path) -> None:
    before = own_sources(tmp_path)
    (tmp_path / "a.pyc").touch()
    assert own_sources(tmp_path) == before


def test_ols_own_are_found() -> None:
    assert own_sources() == own_sources() != own_sources(Path(__file__).parent)
