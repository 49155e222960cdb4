"""What must hold of a course's own files before a command builds on them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from ol.domain.code.syntax import must_parse
from ol.domain.course import Course, CourseModule, ModuleId, Policy, Probe, Rung
from ol.domain.errors import CourseWrong
from ol.domain.mutation import Mutant

_ID = re.compile(r"[A-Z][A-Z0-9]*([.-][A-Z0-9]+)*")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FILE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9]+)*")
_BLANK = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_UNIT = re.compile(r"([a-z_][a-z0-9_]*/)*[a-z_][a-z0-9_]*\.py")


def check_course(format: int, package: str, rungs: Mapping[str, Rung], policy: Policy, path: str) -> None:
    """CourseWrong for a value of course.toml that no course can have."""
    if format != 1:
        raise _wrong(path, "course-format", f"this ol reads format 1, not {format}", "Install a newer ol.")
    if not package.isidentifier():
        raise _wrong(
            path, "bad-package", f"the package {package!r} is no Python name", "Name it like tinyllm."
        )
    for rung in rungs.values():
        if not 0.0 <= rung.threshold <= 1.0:
            told = f"the threshold of {rung.id} is {rung.threshold}"
            raise _wrong(path, "bad-threshold", told, "A threshold is a share from 0 to 1.")
    if not 0.0 <= policy.seen_red_min <= 1.0:
        told = f"seen_red_min is {policy.seen_red_min}"
        raise _wrong(path, "bad-policy", told, "It is a share from 0 to 1.")
    if policy.stale not in ("count", "refuse"):
        raise _wrong(path, "bad-policy", f"stale is {policy.stale!r}", 'Write "count" or "refuse".')


def check_manifest(
    module: CourseModule, stem: str, ids: Collection[ModuleId], rungs: Collection[str], path: str
) -> None:
    """CourseWrong for the first thing in one manifest that cannot be right. `ids`: every module's."""
    if module.id != stem:
        raise _wrong(
            path, "id-and-file", f"its id is {module.id}", f"Name the file {module.id}.toml, or mend the id."
        )
    if not _ID.fullmatch(module.id):
        raise _wrong(path, "bad-id", f"the id {module.id} is no id", "An id is like L2.2, M06.3 or MS-L2.")
    if not _SLUG.fullmatch(module.slug):
        raise _wrong(path, "bad-slug", f"the slug {module.slug!r} is none", "A slug is like l2-2-nplm.")
    check_known(path, "rung", [module.rung], rungs)
    check_known(path, "need", module.needs, [id for id in ids if id != module.id])
    _check_units(path, module.units)
    _check_given(path, module.given)
    check_once(path, "need", module.needs)
    check_once(path, "unit", module.units)
    check_once(path, "test", [test.name for test in module.tests])
    for test in module.tests:
        if not (test.name.isidentifier() and test.name.startswith("test_")):
            raise _wrong(path, "bad-test-name", f"{test.name!r} is no test function", "Name it test_….")
    _check_probes(path, module.probes)
    _check_blanks(path, module)


def check_apart(modules: Iterable[CourseModule]) -> None:
    """CourseWrong when two modules own one unit, or have one slug and so one test folder."""
    owners: dict[str, ModuleId] = {}
    for module in modules:
        for owned in (*module.units, f"the slug {module.slug}"):
            other = owners.setdefault(owned, module.id)
            if other != module.id:
                told = f"{owned} belongs to {other} already"
                raise _wrong(
                    manifest_path(module.id), "owned-twice", told, "Take it out of one of the two manifests."
                )


def check_mutants(
    module: CourseModule, mutants: Iterable[Mutant], references: Mapping[str, str], path: str
) -> None:
    """CourseWrong for a mutant that cannot be seeded, or that names what the manifest does not."""
    mutants = tuple(mutants)
    check_once(path, "mutant", [mutant.id for mutant in mutants])
    for mutant in mutants:
        check_known(path, f"unit of {mutant.id}:", [mutant.unit], module.units)
        check_known(path, f"test of {mutant.id}:", mutant.killed_by, [test.name for test in module.tests])
        if mutant.retired:
            continue  # it may fit the reference no longer
        if not mutant.killed_by:
            told = f"mutant {mutant.id} names no course test in killed_by"
            raise _wrong(path, "killers-missing", told, "Name those that must fail on it.")
        try:
            must_parse(mutant.applied_to(references[mutant.unit]))
        except CourseWrong as error:
            raise CourseWrong(error.slug, f"{path}: {error.message}", error.next_step) from error
        except SyntaxError as error:
            told = f"mutant {mutant.id} is not Python: line {error.lineno}, {error.msg}"
            raise _wrong(path, "mutant-unreadable", told, "Mend its `replace`.") from error


def check_graded(course: Course, module: CourseModule, mutants: Collection[Mutant]) -> None:
    """CourseWrong when the rung asks for a mutation grade and no mutant is there, or none is required."""
    path = f"course/mutants/{module.id}.toml"
    asks = course.rungs[module.rung].graded_by_mutation and module.graded
    if asks and not mutants:
        told = f"it is missing, and {module.rung} asks for a mutation grade"
        raise _wrong(path, "mutants-missing", told, "Write mutants, or give the module another rung.")
    if asks and not any(mutant.required for mutant in mutants):
        told = "no mutant is required"
        raise _wrong(
            path, "none-required", told, "Set `required = true` on the fault that a suite must catch."
        )


def manifest_path(id: ModuleId) -> str:
    return f"course/modules/{id}.toml"


def check_known(path: str, what: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.3)
            cure = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known) or 'none'}."
            raise _wrong(path, "unknown-name", f"{what} {name} is unknown", cure)


def check_once(path: str, what: str, names: Iterable[str]) -> None:
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise _wrong(path, "named-twice", f"{what} {twice[0]} stands there twice", "Keep one of the two.")


def _check_units(path: str, units: tuple[str, ...]) -> None:
    if not units:
        raise _wrong(path, "no-unit", "the module owns no unit", "Name the files that it builds.")
    for unit in units:
        if not _UNIT.fullmatch(unit):
            told = f"the unit {unit!r} is no path below the package"
            raise _wrong(path, "bad-unit", told, "Write it like lm/nplm.py.")


def _check_probes(path: str, probes: tuple[Probe, ...]) -> None:
    check_once(path, "probe", [probe.name for probe in probes])
    for probe in probes:
        if not f"probe_{probe.name}".isidentifier():
            told = f"the probe {probe.name!r} cannot be a function probe_…"
            raise _wrong(path, "bad-probe", told, "Name it like windows.")
        if not all(0.0 <= each < 1.0 for each in (probe.rtol, probe.atol, probe.margin)):
            told = f"a tolerance of the probe {probe.name} is no number from 0 to 1"
            raise _wrong(
                path, "bad-probe", told, "Write rtol, atol and margin like 1e-5; without them it is exact."
            )


def _check_blanks(path: str, module: CourseModule) -> None:
    check_once(path, "blank", [blank.name for blank in module.blanks])
    for blank in module.blanks:
        if not _BLANK.fullmatch(blank.name):
            told = f"the blank {blank.name!r} is no upper-case name"
            raise _wrong(path, "bad-blank", told, "Name it like FIRST_DRAW.")
        if not all(0.0 <= each < 1.0 for each in (blank.rtol, blank.atol)):
            told = f"a tolerance of the blank {blank.name} is no number from 0 to 1"
            raise _wrong(path, "bad-blank", told, "Write rtol and atol like 1e-6; without them it is exact.")
    if module.blanks and not module.given:
        told = "it has blanks, and hands out no tests that they could stand in"
        raise _wrong(path, "bad-blank", told, "Name the test file in `given`, or take the blanks out.")


def _check_given(path: str, given: tuple[str, ...]) -> None:
    for name in given:
        if not _FILE.fullmatch(name):
            raise _wrong(
                path, "bad-given", f"the given file {name!r} is no file name", "Write it like test_nplm.py."
            )


def _wrong(path: str, slug: str, told: str, cure: str) -> CourseWrong:
    return CourseWrong(slug, f"{path}: {told}.", cure)
