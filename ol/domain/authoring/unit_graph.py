"""Which units a source text imports, and whether a module's declared needs are what its units really use."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from ol.domain.authoring.manifest import manifest_path
from ol.domain.code.syntax import tree_of
from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.report import Reason


def imported_units(text: str, units: Collection[str]) -> set[str]:
    """The dotted units that the text imports, whole or by name. SyntaxError when it does not parse."""
    found: set[str] = set()
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.Import):
            found |= {unit for alias in node.names for unit in units if _within(alias.name, unit)}
        elif isinstance(node, ast.ImportFrom) and node.module:
            paths = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {unit for path in paths for unit in units if _within(path, unit)}
    return found


def need_faults(
    course: Course, module: CourseModule, units: Mapping[str, str], contracts: Mapping[str, str]
) -> Iterator[Reason]:
    """`units` and `contracts`: texts by their path below the course root."""
    owners = {course.dotted(unit): each.id for each in course.modules.values() for unit in each.units}
    used, promised = _used(owners, module, units), _used(owners, module, contracts)
    for owner, (file, unit) in {**promised, **used}.items():
        if owner not in module.needs:
            yield _undeclared(module, owner, file, unit)
    for need in module.needs:
        if need not in used:
            told = f"{manifest_path(module.id)} lists {need} in needs, and no reference unit imports it."
            step = f"Take {need} out of needs, and {module.id} out of used_by of {need}."
            yield Reason("need-unused", told, step)


def used_by_faults(course: Course, module: CourseModule) -> Iterator[Reason]:
    """`needs` and `used_by` are the same edges, told from both ends."""
    for need in module.needs:
        if module.id not in course.modules[need].used_by:
            told = f"{manifest_path(need)}: used_by lacks {module.id}, which needs {need}."
            yield Reason("used-by-lacks", told, f"Add {module.id} to used_by there.")
    for user in module.used_by:
        if user not in course.modules or module.id not in course.modules[user].needs:
            told = f"{manifest_path(module.id)}: used_by names {user}, which does not need {module.id}."
            yield Reason("used-by-wrong", told, f"Take {user} out of used_by there.")
    for read in module.reading:
        if read not in course.modules:
            told = f"{manifest_path(module.id)}: reading names {read}, which is no course module."
            yield Reason("reading-unknown", told, "Mend the id, or take it out.")


def _within(path: str, unit: str) -> bool:
    return f"{path}.".startswith(f"{unit}.")


def _used(
    owners: Mapping[str, ModuleId], module: CourseModule, texts: Mapping[str, str]
) -> dict[ModuleId, tuple[str, str]]:
    """Every other module that these texts import from, with the first file and unit that show it."""
    used: dict[ModuleId, tuple[str, str]] = {}
    for file, text in texts.items():
        for unit in sorted(imported_units(text, owners)):
            if owners[unit] != module.id:
                used.setdefault(owners[unit], (file, unit))
    return used


def _undeclared(module: CourseModule, owner: ModuleId, file: str, unit: str) -> Reason:
    told = f"{file} imports {unit} of {owner}, which {manifest_path(module.id)} does not list in needs."
    step = f"Add {owner} to needs there and {module.id} to used_by of {owner}, or do without it."
    return Reason("need-undeclared", told, step)
