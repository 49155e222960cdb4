"""The command line: have the words parsed, render the answer, exit. The words themselves are in verbs.py."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ol.domain.errors import OlError, WrongRequest
from ol.domain.exit_code import ExitCode
from ol.verbs import ol

if TYPE_CHECKING:
    from ol.domain.report import Answer
    from ol.render.show import Output

_SAID_BY_CLICK = {"--help", "--version"}


def run(arguments: Sequence[str]) -> int:
    """The one boundary: an answer, a wrong request, an interruption or a fault of ol becomes an exit code."""
    try:
        answer = _answer(arguments)
    except click.UsageError as error:
        return int(_output(arguments).error(_usage(error)))
    except OlError as error:
        return int(_output(arguments).error(error))
    except (KeyboardInterrupt, click.Abort):
        return int(_output(arguments).interrupted())
    except Exception as error:
        from ol.adapters import fault_report, scratch

        if _is_ctrl_c(error):
            return int(_output(arguments).interrupted())
        if isinstance(error, OSError) and _SAID_BY_CLICK.intersection(spelled_out(arguments)):
            return int(_output(arguments).untold(f"{error.strerror}"))
        if full := scratch.full_disk(error):
            return int(_output(arguments).error(full))
        return int(_output(arguments).fault(fault_report.written(arguments)))
    if answer is not None:
        return int(_output(arguments).answer(answer))
    return int(ExitCode.PASSED if sys.stdout else _output(arguments).untold("standard output is closed"))


def _output(arguments: Sequence[str]) -> Output:
    from ol.render.show import Output

    return Output(plain="--plain" in arguments, as_json="--json" in arguments)


def _answer(arguments: Sequence[str]) -> Answer | None:
    answer = ol.main(args=spelled_out(arguments), prog_name="ol", standalone_mode=False)
    return None if isinstance(answer, int) else answer  # --help and --version give click's own code, 0


def spelled_out(arguments: Sequence[str]) -> list[str]:
    """What click has no word for: no command is --help, --ref-deps alone, pytest's arguments after `--`."""
    if list(arguments) in ([], ["tdd"]):
        return [*arguments, "--help"]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own = ["--ref-deps=failing" if word == "--ref-deps" else word for word in arguments[:end]]
    return own + [f"--pytest-argument={word}" for word in arguments[end + 1 :]]


def _is_ctrl_c(error: BaseException | None) -> bool:
    """Python below 3.12 makes a RuntimeError of one that comes while a class is made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _usage(error: click.UsageError) -> WrongRequest:
    command = error.ctx.command_path if error.ctx else "ol"
    told = error.format_message()
    sentence = told if told.endswith((".", "?", "!")) else f"{told}."
    step = f"`{command} --help` lists what it takes."
    if isinstance(error, click.NoSuchOption) and error.option_name == "--course":
        step = f"It goes before the command: `ol --course PATH{command.removeprefix('ol')} …`."
    return WrongRequest("usage", sentence, step)
