"""The graph of a course's needs, drawn beside a list of its modules: a lane a module, from it down to its last user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ol.domain.course import Course, CourseModule, ModuleId

_Needs = Mapping[ModuleId, Sequence[ModuleId]]


def nearest_needs(course: Course) -> dict[ModuleId, tuple[ModuleId, ...]]:
    """Of each module the needs that are no need of another of its needs: all others follow."""
    below = {id: _below(course, module) for id, module in course.modules.items()}
    return {
        id: tuple(need for need in module.needs if not any(need in below[other] for other in module.needs))
        for id, module in course.modules.items()
    }


def _below(course: Course, module: CourseModule) -> frozenset[ModuleId]:
    return frozenset(each.id for each in course.closure(module.id)[:-1])


def study_order(course: Course, nearest: _Needs) -> list[ModuleId]:
    """Every module after its needs, and a need no sooner than something is built on it."""
    order: dict[ModuleId, None] = {}

    def visit(id: ModuleId) -> None:
        if id not in order:
            for need in nearest[id]:
                visit(need)
            order[id] = None

    for id in course.modules:
        visit(id)
    return list(order)


def drawn(order: Sequence[ModuleId], needs: _Needs, marks: Mapping[ModuleId, str]) -> list[tuple[str, str]]:
    """For each module, in an order that has every need first, its line and what goes on below it.

    A lane that bears a line is a need: `├` and `┼` go on to another user further down, `└` and `┴` end here.
    """
    users = {id: sum(id in needs[other] for other in order) for id in order}
    lanes: list[ModuleId | None] = []
    lines: list[tuple[str, str]] = []
    for id in order:
        place = _free(lanes, needs[id])
        line = _line(lanes, place, needs[id], users, marks[id])
        for need in needs[id]:
            users[need] -= 1
        lanes += [None] * (place + 1 - len(lanes))
        lanes[place] = id
        lanes = [lane if lane and users[lane] else None for lane in lanes]
        lines.append((line, " ".join("│" if lane else " " for lane in lanes).rstrip()))
    return lines


def _free(lanes: Sequence[ModuleId | None], needs: Sequence[ModuleId]) -> int:
    """The first free place to the right of what it needs."""
    begin = max((lanes.index(need) + 1 for need in needs), default=0)
    return next((place for place in range(begin, len(lanes)) if lanes[place] is None), max(begin, len(lanes)))


def _line(
    lanes: Sequence[ModuleId | None],
    place: int,
    needs: Sequence[ModuleId],
    users: Mapping[ModuleId, int],
    mark: str,
) -> str:
    first = min((lanes.index(need) for need in needs), default=place)
    cells: list[str] = []
    for column in range(max(len(lanes), place + 1)):
        lane = lanes[column] if column < len(lanes) else None
        cells.append(mark if column == place else "│" if lane else "─" if first < column < place else " ")
        if lane and lane in needs:
            cells[-1] = _JOINS[column == first, users[lane] > 1]
        cells.append("─" if first <= column < place else " ")
    return "".join(cells).rstrip()


_JOINS = {(True, True): "├", (True, False): "└", (False, True): "┼", (False, False): "┴"}  # first, goes on
