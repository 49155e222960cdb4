"""What no manifest, mutants file or course.toml may hold: each wrong value with its file and its cure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ol.domain.authoring import manifest
from ol.domain.course import Blank, Course, CourseTest, ModuleId, Policy, Rung
from ol.domain.errors import CourseWrong
from tests.made import RUNGS, module, mutant

PATH = "course/modules/A.2.toml"
SOUND = module("A.2", "lm/nplm.py", needs=("A.1",))
DRAW = Blank("DRAW", "one draw by hand", rtol=1e-6)
REFERENCE = {"lm/nplm.py": "def f():\n    return 1\n"}


def check(**changed: Any) -> None:
    manifest.check_manifest(replace(SOUND, **changed), "A.2", (ModuleId("A.1"), ModuleId("A.2")), RUNGS, PATH)


def test_a_sound_manifest_passes() -> None:
    check()
    check(given=("test_draw.py",), blanks=(DRAW,))


@pytest.mark.parametrize(
    ("changed", "slug", "told"),
    [
        ({"id": "A.3"}, "id-and-file", "A.3"),
        ({"slug": "A 2"}, "bad-slug", "'A 2'"),
        ({"rung": "R4"}, "unknown-name", "rung R4"),
        ({"needs": ("A.9",)}, "unknown-name", "need A.9"),
        ({"needs": ("A.2",)}, "unknown-name", "need A.2"),
        ({"needs": ("A.1", "A.1")}, "named-twice", "A.1"),
        ({"units": ()}, "no-unit", "no unit"),
        ({"units": ("../x.py",)}, "bad-unit", "'../x.py'"),
        ({"units": ("/etc/x.py",)}, "bad-unit", "'/etc/x.py'"),
        ({"units": ("lm\\x.py",)}, "bad-unit", "lm"),
        ({"units": ("a.py", "a.py")}, "named-twice", "a.py"),
        ({"tests": (CourseTest("test_a", (), ""), CourseTest("test_a", (), ""))}, "named-twice", "test_a"),
        ({"tests": (CourseTest("a", (), ""),)}, "bad-test-name", "'a'"),
        ({"given": ("../conftest.py",)}, "bad-given", "'../conftest.py'"),
        ({"blanks": (DRAW, DRAW)}, "named-twice", "blank DRAW"),
        ({"blanks": (Blank("draw", ""),)}, "bad-blank", "'draw'"),
        ({"blanks": (Blank("_DRAW", ""),)}, "bad-blank", "'_DRAW'"),
        ({"blanks": (Blank("DRÄW", ""),)}, "bad-blank", "'DRÄW'"),
        ({"blanks": (Blank("DRAW", "", rtol=1.5),)}, "bad-blank", "tolerance of the blank DRAW"),
        ({"blanks": (Blank("DRAW", "", atol=float("nan")),)}, "bad-blank", "tolerance of the blank DRAW"),
        ({"blanks": (DRAW,), "given": ()}, "bad-blank", "hands out no tests"),
    ],
)
def test_a_wrong_manifest_is_named_with_what_is_wrong_and_a_cure(
    changed: dict[str, Any], slug: str, told: str
) -> None:
    with pytest.raises(CourseWrong) as caught:
        check(**changed)
    assert caught.value.slug == slug
    assert caught.value.message.startswith(f"{PATH}: ") and told in caught.value.message
    assert caught.value.next_step


@pytest.mark.parametrize("id", ["a.2", "A/2", "..", "A 2", ""])
def test_an_id_is_one_that_can_name_files(id: str) -> None:
    with pytest.raises(CourseWrong) as caught:
        manifest.check_manifest(replace(SOUND, id=ModuleId(id), needs=()), id, (ModuleId(id),), RUNGS, PATH)
    assert caught.value.slug == "bad-id"


def test_an_unknown_rung_names_the_nearest() -> None:
    with pytest.raises(CourseWrong) as caught:
        check(rung="R33")
    assert caught.value.next_step == "Did you mean R3?"


@pytest.mark.parametrize("other", [module("A.1", "lm/nplm.py"), module("A.1", slug=SOUND.slug)])
def test_two_modules_own_neither_one_unit_nor_one_test_folder(other: Any) -> None:
    with pytest.raises(CourseWrong) as caught:
        manifest.check_apart([SOUND, other])
    assert caught.value.slug == "owned-twice" and caught.value.message.startswith("course/modules/A.1.toml: ")


@pytest.mark.parametrize(
    ("changed", "slug"),
    [
        ({"find": "absent"}, "mutant-find"),
        ({"find": "1", "unit": "lm/other.py"}, "unknown-name"),
        ({"find": "r"}, "mutant-find"),  # twice
        ({"find": "return", "replace": "return ("}, "mutant-unreadable"),
        ({"killed_by": ("test_other",)}, "unknown-name"),
    ],
)
def test_a_mutant_that_cannot_be_seeded_is_named_with_its_file(changed: dict[str, Any], slug: str) -> None:
    sound = mutant("s01", "1", "2", unit="lm/nplm.py")
    manifest.check_mutants(SOUND, [sound], REFERENCE, "course/mutants/A.2.toml")
    with pytest.raises(CourseWrong) as caught:
        manifest.check_mutants(SOUND, [replace(sound, **changed)], REFERENCE, "course/mutants/A.2.toml")
    assert caught.value.slug == slug and caught.value.message.startswith("course/mutants/A.2.toml: ")


def test_two_mutants_have_two_ids_and_a_retired_one_may_fit_no_longer() -> None:
    sound = mutant("s01", "1", "2", unit="lm/nplm.py")
    with pytest.raises(CourseWrong, match="s01"):
        manifest.check_mutants(SOUND, [sound, sound], REFERENCE, "m.toml")
    manifest.check_mutants(
        SOUND, [replace(sound, find="gone", retired="the clip is tested elsewhere")], REFERENCE, "m"
    )


def test_a_module_graded_by_mutation_has_mutants_of_which_one_is_required() -> None:
    course = Course("c", "1", "tiny", RUNGS, {SOUND.id: SOUND})
    sound = mutant("s01", "1", "2", required=True)
    manifest.check_graded(course, SOUND, [sound])
    manifest.check_graded(course, replace(SOUND, rung="R0"), [])
    for mutants, slug in (([], "mutants-missing"), ([replace(sound, required=False)], "none-required")):
        with pytest.raises(CourseWrong) as caught:
            manifest.check_graded(course, SOUND, mutants)
        assert caught.value.slug == slug


@pytest.mark.parametrize(
    ("changed", "slug"),
    [
        ({"format": 2}, "course-format"),
        ({"package": "tiny llm"}, "bad-package"),
        ({"rungs": {"R3": Rung("R3", "t", "m", threshold=70.0)}}, "bad-threshold"),
        ({"policy": Policy(stale="ignore")}, "bad-policy"),
        ({"policy": Policy(seen_red_min=50.0)}, "bad-policy"),
    ],
)
def test_course_toml_holds_no_value_that_no_course_can_have(changed: dict[str, Any], slug: str) -> None:
    sound: dict[str, Any] = {"format": 1, "package": "tiny", "rungs": RUNGS, "policy": Policy()}
    manifest.check_course(**sound, path="course/course.toml")
    with pytest.raises(CourseWrong) as caught:
        manifest.check_course(**{**sound, **changed}, path="course/course.toml")
    assert caught.value.slug == slug
