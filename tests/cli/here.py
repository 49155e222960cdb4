"""The command in this process, as its entry point calls it: the same answer without a start of Python."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from ol.cli import run


def run_here(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str, str]:
    """Exit code, standard output, standard error. Not for threads: folder and environment are the process's."""
    out, err = io.StringIO(), io.StringIO()
    with _standing_in(folder, environment), redirect_stdout(out), redirect_stderr(err):
        code = run(words)
    return code, out.getvalue(), err.getvalue()


@contextmanager
def _standing_in(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    kept, here, temporary = dict(os.environ), Path.cwd(), tempfile.tempdir
    os.chdir(folder)
    _surround(environment, None)  # which TMPDIR to use is asked once a process
    try:
        yield
    finally:
        _surround(kept, temporary)
        os.chdir(here)


def _surround(environment: Mapping[str, str], temporary: str | None) -> None:
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = temporary
