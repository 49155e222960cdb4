"""A function a verb: the ports that it needs, what its words mean, and its command. Imported as late as it can be."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ol import wiring
from ol.commands.steps.meant import milestone_meant, milestone_named, module_and_rest, module_meant
from ol.domain.errors import WrongRequest

if TYPE_CHECKING:
    from ol.domain.course import CourseModule
    from ol.domain.report import Answer
    from ol.wiring import Settings


def start(settings: Settings, module: str | None, ref_deps: str | None, missing: bool, fresh: bool) -> Answer:
    from ol.commands.start import start
    from ol.commands.start_milestone import start_milestone

    with wiring.ports(settings, begins=True) as ports:
        if milestone := milestone_named(ports, module):
            return start_milestone(ports, milestone, ref_deps=ref_deps, renewing=missing or fresh)
        return start(ports, module_meant(ports, module), ref_deps=ref_deps, missing=missing, fresh=fresh)


def tests(
    settings: Settings,
    module: str | None,
    ref_deps: str | None,
    keyword: str,
    smoke: bool,
    show_all: bool,
    debug: bool,
    pytest_arguments: Sequence[str],
) -> Answer:
    foreground = debug or bool(pytest_arguments)
    with wiring.ports(settings, runs=not foreground) as ports:
        from ol.commands import tests as command

        chosen = module_meant(ports, module)
        if foreground:
            return command.debug(ports, chosen, keyword=keyword, pdb=debug, arguments=pytest_arguments)
        return command.tests(
            ports, chosen, ref_deps=ref_deps, keyword=keyword, smoke=smoke, show_all=show_all
        )


def tdd_red(settings: Settings, module: str | None, ref_deps: str | None) -> Answer:
    with wiring.ports(settings, runs=True) as ports:
        from ol.commands import tdd

        return tdd.red(ports, module_meant(ports, module), ref_deps=ref_deps)


def tdd_green(settings: Settings, module: str | None, ref_deps: str | None) -> Answer:
    with wiring.ports(settings, runs=True) as ports:
        from ol.commands import tdd

        return tdd.green(ports, module_meant(ports, module), ref_deps=ref_deps)


def tdd_abandon(settings: Settings, names: Sequence[str]) -> Answer:
    from ol.commands import tdd

    with wiring.ports(settings) as ports:
        module, tests = module_and_rest(ports, names)
        return tdd.abandon(ports, module, tests)


def tdd_log(settings: Settings, module: str | None) -> Answer:
    from ol.commands import tdd

    with wiring.ports(settings) as ports:
        return tdd.log(ports, module_meant(ports, module))


def tdd_repair(settings: Settings, module: str | None) -> Answer:
    from ol.commands import tdd

    with wiring.ports(settings) as ports:
        return tdd.repair(ports, module_meant(ports, module))


def mutate(
    settings: Settings,
    module: str | None,
    matrix: bool,
    show_all: bool,
    no_cache: bool,
    jobs: int | None,
    seed: int | None,
) -> Answer:
    with wiring.ports(settings, runs=True) as ports:
        from ol.commands.mutate import Options, mutate

        options = Options(jobs=jobs, seed=seed, matrix=matrix, show_all=show_all, cached=not no_cache)
        return mutate(ports, module_meant(ports, module), options)


def hint(settings: Settings, names: Sequence[str]) -> Answer:
    from ol.commands.hint import hint

    with wiring.ports(settings) as ports:
        module, rest = module_and_rest(ports, names)
        return hint(ports, module, _at_most_one(module, rest))


def check(
    settings: Settings,
    module: str | None,
    ref_deps: str | None,
    cached: bool,
    no_cache: bool,
    replay: bool,
    jobs: int | None,
    seed: int | None,
) -> Answer:
    with wiring.ports(settings, runs=not cached) as ports:
        from ol.commands.check import Options, check

        options = Options(
            ref_deps=ref_deps, jobs=jobs, seed=seed, cached=cached, fresh=no_cache, replay=replay
        )
        return check(ports, module_meant(ports, module), options)


def milestone(
    settings: Settings, milestone: str | None, ref_deps: str | None, smoke: bool, seed: int | None
) -> Answer:
    with wiring.ports(settings, runs=True) as ports:
        from ol.commands import milestone as command

        options = command.Options(ref_deps=ref_deps, smoke=smoke, seed=seed)
        asked = milestone_meant(ports, milestone)
        with wiring.stage(ports, settings) as stage:
            return command.milestone(ports, stage, asked, options)


def status(settings: Settings) -> Answer:
    from ol.commands.steps.versions import versions

    before = wiring.unchanged(settings, versions())
    if page := before.answer():
        return page
    with wiring.ports(settings, begins=True) as ports:
        from ol.commands.status import status

        return before.keep(status(ports), ports.workspace.root)


def verify(
    settings: Settings,
    modules: Sequence[str],
    lock: bool,
    no_cache: bool,
    jobs: int | None,
    seed: int | None,
) -> Answer:
    from ol.commands.steps.jobs import jobs_of
    from ol.commands.verify import Options, verify

    with wiring.ports(settings, begins=True, at_once=jobs_of(jobs)) as ports:
        options = Options(lock=lock, jobs=jobs, seed=seed, cached=not no_cache)
        with wiring.stage(ports, settings) as stage:
            return verify(ports, wiring.authoring(ports), modules, options, stage)


def oracle(settings: Settings, modules: Sequence[str], check_only: bool) -> Answer:
    from ol.commands.oracle import oracle

    with wiring.ports(settings, begins=True) as ports:
        return oracle(ports, wiring.authoring(ports), modules, check_only=check_only)


def calibrate(settings: Settings, modules: Sequence[str], jobs: int | None) -> Answer:
    from ol.commands.calibrate import calibrate

    with wiring.ports(settings, begins=True) as ports:
        return calibrate(ports, wiring.authoring(ports), modules, jobs)


def demo(settings: Settings) -> Answer:
    from ol.commands.demo import demo

    with (
        tempfile.TemporaryDirectory(prefix="ol-demo-", ignore_cleanup_errors=True) as scratch,
        wiring.ports(settings, workspace=Path(scratch).resolve()) as ports,
    ):
        return demo(ports)


def _at_most_one(module: CourseModule, names: Sequence[str]) -> str | None:
    if len(names) > 1:
        told = f"A hint is for one mutant of {module.id}, not for {len(names)}."
        raise WrongRequest("one-mutant", told, f"Name one: `ol hint {module.id} {names[0]}`.")
    return names[0] if names else None
