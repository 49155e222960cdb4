from __future__ import annotations

from ol.domain.course import Course, ModuleId
from ol.domain.graph import drawn, nearest_needs, study_order
from tests.made import RUNGS, module


def course(**needs: str) -> Course:
    """`a="b c"`: a needs b and c."""
    modules = {
        ModuleId(id): module(id, needs=tuple(ModuleId(need) for need in of.split()))
        for id, of in needs.items()
    }
    return Course("A course", "1", "tiny", RUNGS, modules)


def picture(made: Course) -> list[str]:
    needs = nearest_needs(made)
    order = study_order(made, needs)
    lines = drawn(order, needs, dict.fromkeys(made.modules, "o"))
    return [f"{line:<10} {id}".rstrip() for id, (line, _) in zip(order, lines, strict=True)]


def test_a_need_of_a_need_is_not_drawn() -> None:
    made = course(a="", b="a", c="a b")
    assert nearest_needs(made) == {"a": (), "b": ("a",), "c": ("b",)}
    assert picture(made) == ["o          a", "└─o        b", "  └─o      c"]


def test_a_lane_goes_down_to_the_last_that_is_built_on_it() -> None:
    assert picture(course(a="", b="a", c="a")) == ["o          a", "├─o        b", "└─o        c"]


def test_a_lane_that_has_nothing_to_do_with_a_line_stands_before_it() -> None:
    made = course(a="", b="", c="", d="a c", e="b")
    needs = nearest_needs(made)
    lines = drawn([ModuleId(id) for id in "abcde"], needs, dict.fromkeys(made.modules, "o"))
    assert [line for line, _ in lines] == ["o", "│ o", "│ │ o", "└─│─┴─o", "  └─o"]
    assert [below for _, below in lines] == ["│", "│ │", "│ │ │", "  │", ""]


def test_a_need_between_that_goes_on_is_a_crossing() -> None:
    made = course(a="", b="", c="a b", d="b")
    needs = nearest_needs(made)
    lines = drawn([ModuleId(id) for id in "abcd"], needs, dict.fromkeys(made.modules, "o"))
    assert [line for line, _ in lines] == ["o", "│ o", "└─┼─o", "  └─o"]


def test_a_lane_that_ended_is_used_again() -> None:
    assert picture(course(a="", b="a", c="", d="c")) == [
        "o          a",
        "└─o        b",
        "o          c",
        "└─o        d",
    ]


def test_a_need_is_studied_just_before_what_is_built_on_it() -> None:
    made = course(z="x y", a="", y="", x="a")
    assert study_order(made, nearest_needs(made)) == ["a", "x", "y", "z"]


def test_every_line_of_a_real_shape_ends_in_its_mark_and_every_need_is_joined() -> None:
    made = course(a="", b="a", c="a", d="b", e="b c", f="", g="f d e", h="f")
    needs = nearest_needs(made)
    order = study_order(made, needs)
    for id, (line, _) in zip(order, drawn(order, needs, dict.fromkeys(order, "o")), strict=True):
        assert sum(line.count(join) for join in "├└┼┴") == len(needs[id])
        assert "o" in line
