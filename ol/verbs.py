"""The verbs as click has them: names, options and help. Everything but click is imported when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ol import __version__

_Command = Callable[..., Any]


def _flag(*names: str, help: str) -> Callable[[_Command], _Command]:
    return click.option(*names, is_flag=True, help=help)


def _verb(described: _Command) -> _Command:
    """A command by its name and help; its answer is that of `compose`: of `compose.tdd_red` for `ol tdd red`."""

    @_flag("--plain", help="No colour, nothing redrawn.")
    @_flag("--json", "as_json", help="The same answer as JSON.")
    @click.pass_context
    @wraps(described)
    def command(context: click.Context, /, as_json: bool, plain: bool, **options: Any) -> Any:
        from ol import compose
        from ol.wiring import Settings

        settings = Settings(course=context.obj, plain=plain, as_json=as_json)
        return getattr(compose, "_".join(context.command_path.split()[1:]))(settings, **options)

    return command


_module = click.argument("module", required=False)
_modules = click.argument("modules", nargs=-1)
_ref_deps = click.option(
    "--ref-deps",
    metavar="[=all|=ID,ID]",
    help="Take the reference for needs that do not pass; =all for every need, =ID,ID for exactly those.",
)
_jobs = click.option(
    "-j", "--jobs", type=click.IntRange(min=1), help="Children at once; else one a core, and one more."
)
_seed = click.option("--seed", type=click.IntRange(min=0), help="Seed of shuffles, variants and probes.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False)
@click.version_option(__version__, prog_name="ol")
@click.option("--course", metavar="PATH", envvar="OL_COURSE", help="A trusted course (or OL_COURSE).")
@click.pass_context
def ol(context: click.Context, course: str | None) -> None:
    """Grade what your tests catch: start a course module, test first, then check."""
    context.obj = course


@ol.command()
@_module
@_ref_deps
@_flag("--missing", help="Append stubs for contract names that your file lacks.")
@_flag("--fresh", help="Keep your old unit under .ol/kept/ and begin again.")
@_verb
def start() -> None:
    """Write the stub and the given test of a course module."""


@ol.command()
@_module
@_ref_deps
@click.option("-k", "keyword", default="", metavar="EXPR", help="Only the tests that match, as pytest's -k.")
@_flag("--smoke", help="Only the smoke tests.")
@_flag("--all", "show_all", help="Full detail for every failure.")
@_flag("--debug", help="Cold, in the foreground, with pdb; grades nothing.")
@click.option("--pytest-argument", "pytest_arguments", multiple=True, hidden=True)
@_verb
def tests() -> None:
    """Run the course tests on your unit."""


@ol.group(no_args_is_help=False)
def tdd() -> None:
    """The red-then-green journal."""


@tdd.command()
@_module
@_ref_deps
@_verb
def red() -> None:
    """Your tests must fail on your current code: records the red."""


@tdd.command()
@_module
@_ref_deps
@_verb
def green() -> None:
    """The same tests must pass now: records the green."""


@tdd.command()
@click.argument("names", nargs=-1, metavar="[ID] [TEST]...")
@_verb
def abandon() -> None:
    """Drop open reds: all of them, or the tests named."""


@tdd.command()
@_module
@_verb
def log() -> None:
    """The story so far."""


@tdd.command()
@_module
@_verb
def repair() -> None:
    """Keep the good part of a damaged journal, set the rest aside, say what was done."""


@ol.command()
@_module
@_flag("--matrix", help="Who kills whom: every case on every mutant.")
@_flag("--all", "show_all", help="Every survivor's symptom, not the first three.")
@_flag("--no-cache", help="Run afresh.")
@_jobs
@_seed
@_verb
def mutate() -> None:
    """Grade your tests by the faults they catch."""


@ol.command()
@click.argument("names", nargs=-1, metavar="[ID] MUTANT")
@_verb
def hint() -> None:
    """One step up the ladder for a surviving mutant: symptom, witness, diff."""


@ol.command()
@_module
@_ref_deps
@_flag("--cached", help="Answer from memo where it can, gate by gate.")
@_flag("--no-cache", help="Run everything afresh.")
@_flag("--replay", help="Make every run of the journal again, from its snapshots.")
@_jobs
@_seed
@_verb
def check() -> None:
    """Every gate: contract, needs, course tests, values, blanks, journal, mutation."""


@ol.command()
@click.argument("milestone", required=False)
@_ref_deps
@_flag("--smoke", help="A short recipe that is held to no bar.")
@_seed
@_verb
def milestone() -> None:
    """Type your own command line's commands, and judge what comes out."""


@ol.command()
@_verb
def status() -> None:
    """Every course module and its state."""


@ol.command()
@_verb
def demo() -> None:
    """Play a student's whole session in a scratch copy."""


@ol.command()
@_modules
@_flag("--check", "check_only", help="Regenerate into scratch and compare; write nothing.")
@_verb
def oracle() -> None:
    """Author: make the golden files by the course's oracle programs: torch, or exact arithmetic."""


@ol.command()
@_modules
@_flag("--lock", help="Write course.lock when everything holds.")
@_flag("--no-cache", help="Prove every module anew.")
@_jobs
@_seed
@_verb
def verify() -> None:
    """Author: prove the course right, module by module."""


@ol.command()
@_modules
@_jobs
@_verb
def calibrate() -> None:
    """Author: measure the reference and write the bars."""
