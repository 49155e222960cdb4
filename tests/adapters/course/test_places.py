"""Where the course is: found from any folder below it, or asked for in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.course.places import find_course
from ol.domain.errors import WrongRequest


def test_the_course_is_found_from_any_folder_below_it(root: Path) -> None:
    assert find_course(root / "course" / "tests") == root.resolve()
    assert find_course(Path("/"), str(root)) == root.resolve()


def test_the_folder_of_course_toml_itself_names_the_course_and_no_other_below_it_does(root: Path) -> None:
    assert find_course(Path("/"), str(root / "course")) == root.resolve()
    (root / "mine").mkdir()
    with pytest.raises(WrongRequest, match="There is no course in"):
        find_course(Path("/"), str(root / "mine"))


def test_a_folder_without_a_course_is_a_wrong_request_with_the_next_step(tmp_path: Path) -> None:
    for explicit in (None, str(tmp_path)):
        with pytest.raises(WrongRequest, match="There is no") as caught:
            find_course(tmp_path, explicit)
        assert caught.value.slug == "no-course" and caught.value.next_step
