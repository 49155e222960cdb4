"""What a workspace's pyproject.toml says to `ol`, and what it may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.workspace import declared
from ol.domain.course import ModuleId
from ol.domain.errors import WrongRequest

MS = ModuleId("MS-1")


def written(root: Path, text: str) -> Path:
    (root / "pyproject.toml").write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "text", ["", "[tool.pytest.ini_options]\n", "[tool.ol]\n", '[tool.ol.entry]\nMS-2 = ["a.py"]\n']
)
def test_what_says_nothing_of_it_names_nothing(text: str, tmp_path: Path) -> None:
    assert declared.entry(written(tmp_path, text), MS) == ()


def test_no_settings_name_nothing(tmp_path: Path) -> None:
    assert declared.entry(tmp_path, MS) == ()


def test_files_and_folders_are_named_below_the_package(tmp_path: Path) -> None:
    root = written(tmp_path, '[tool.ol.entry]\nMS-1 = ["__main__.py", "app/"]\n')
    assert declared.entry(root, MS) == ("__main__.py", "app/")


@pytest.mark.parametrize(
    "text",
    [
        "[tool.ol\n",
        "[tool.ol]\nentry = 3\n",
        '[tool]\nol = "x"\n',
        '[tool.ol.entry]\nMS-1 = "app/"\n',
        "[tool.ol.entry]\nMS-1 = [1]\n",
        '[tool.ol.entry]\nMS-1 = ["a\\u0000b"]\n',
        *(f"[tool.ol.entry]\nMS-1 = ['{path}']\n" for path in ("", "../x.py", "/x.py", "C:/x.py", "a\\b.py")),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(WrongRequest) as refused:
        declared.entry(written(tmp_path, text), MS)
    assert refused.value.slug == "wrong-entry" and refused.value.next_step


def test_another_encoding_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(WrongRequest):
        declared.entry(tmp_path, MS)
