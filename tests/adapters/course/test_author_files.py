from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ol.adapters.course.author_files import AuthorFiles
from ol.domain.authoring.bar_record import bars_text
from ol.domain.authoring.golden import MANIFEST, manifest_text
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong

MEASURED = Path(__file__).resolve().parents[2] / "courses" / "measured"
B1 = ModuleId("B1")


@pytest.fixture
def author(tmp_path: Path) -> AuthorFiles:
    shutil.copytree(MEASURED, tmp_path / "course")
    return AuthorFiles(tmp_path / "course")


def test_what_is_written_is_read_again_the_same(author: AuthorFiles) -> None:
    goldens, bars = author.golden_records(), author.bar_records(B1)
    author.write(MANIFEST, manifest_text(goldens).encode())
    author.write("course/bars/B1.toml", bars_text(B1, bars).encode())
    assert (author.golden_records(), author.bar_records(B1)) == (goldens, bars)


def test_what_is_not_there_yet_is_none(author: AuthorFiles, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "course" / "oracle")
    (tmp_path / "course" / "course" / "bars" / "B1.toml").unlink()
    assert author.golden_records() == {}
    assert author.bar_records(B1) == {}
    assert author.file("course/nothing") is None
    assert author.made(tmp_path, "nothing") is None


@pytest.mark.parametrize(
    ("old", "new"), [("sd =", "std ="), ("mean = ", 'mean = "" #'), ("[error]", "[error")]
)
def test_a_bars_file_that_is_none_is_named_with_the_key(
    author: AuthorFiles, tmp_path: Path, old: str, new: str
) -> None:
    path = tmp_path / "course" / "course" / "bars" / "B1.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(CourseWrong, match=r"course/bars/B1\.toml"):
        author.bar_records(B1)


def test_a_new_folder_is_made_for_what_is_written(author: AuthorFiles) -> None:
    author.write("oracle/C1/new.safetensors", b"new")
    found = author.file("oracle/C1/new.safetensors")
    assert found is not None
    assert found.content == b"new"
