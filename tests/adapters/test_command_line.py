"""Steps of a milestone in real children: what they may do, how they end, and that nothing of them is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from ol.adapters.command_line import ConfinedCommandLine, command_line
from ol.domain.errors import HarnessFault
from ol.domain.file import File
from ol.domain.milestone.played import Limits, StepRun

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits and confinement of this kind are Linux's")
PATIENT = Limits(wall_s=60.0, cpu_s=20.0)


@contextmanager
def laid_out(main: str, readable: Sequence[Path] = (), **units: str) -> Iterator[ConfinedCommandLine]:
    files = [
        File("__main__.py", main.encode()),
        *(File(f"{n}.py", text.encode()) for n, text in units.items()),
    ]
    with command_line(files, "tinycli", readable) as line:
        yield line


def played(main: str, *argv: str, limits: Limits = PATIENT, readable: Sequence[Path] = ()) -> StepRun:
    with laid_out(main, readable) as line:
        return line.step(argv, limits)


def test_words_exit_code_and_both_streams_come_through_and_units_are_imported_from_the_tree() -> None:
    main = "import sys\nfrom tinycli.unit import word\nprint(word, sys.argv[1:])\nsys.exit(int(sys.argv[1]))"
    with laid_out(main, unit="import sys\nword = 'hello'\nprint('loud', file=sys.stderr)") as line:
        run = line.step(["3", "ü"], PATIENT)
    assert (run.code, run.stdout, run.stderr) == (3, "hello ['3', 'ü']\n", "loud\n")
    assert (run.bound, run.stuck) == ("", ())


def test_steps_find_what_those_before_them_left_and_the_harness_reads_plain_files_alone() -> None:
    main = (
        "import pathlib, sys\nplace = pathlib.Path('m/model.bin')\n"
        "if sys.argv[1] == 'train':\n    place.parent.mkdir()\n    place.write_bytes(b'weights')\n"
        "    pathlib.Path('m/link').symlink_to('model.bin')\n"
        "else:\n    print(place.read_bytes())"
    )
    with laid_out(main) as line:
        assert line.step(["train"], PATIENT).code == 0
        assert line.step(["eval"], PATIENT).stdout == "b'weights'\n"
        found = line.file("m/model.bin")
        assert found is not None and found.content == b"weights"
        assert [line.file(name) for name in ("m/link", "m", "nothing")] == [None, None, None]


def test_an_environment_that_steers_python_is_not_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("SECRET", "word")
    run = played(
        "import os, sys\nprint('SECRET' in os.environ, '/somewhere' in sys.path, sys.stdin.read() == '')"
    )
    assert run.stdout == "False False True\n"


@linux
def test_a_step_reads_what_it_is_shown_and_writes_in_its_folder_alone(tmp_path: Path) -> None:
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    for folder in (shown, hidden):
        folder.mkdir()
        (folder / "text").write_text(folder.name, encoding="utf-8")
    main = f"""
import pathlib, socket
def tried(what):
    try:
        return what()
    except OSError as error:
        return type(error).__name__
print(tried(lambda: pathlib.Path({str(shown / "text")!r}).read_text()))
print(tried(lambda: pathlib.Path({str(hidden / "text")!r}).read_text()))
print(tried(lambda: pathlib.Path({str(shown / "new")!r}).write_text("x")))
print(tried(lambda: pathlib.Path(__file__).write_text("x")))
print(tried(lambda: pathlib.Path("../ended").write_text("x")))
print(tried(lambda: pathlib.Path("own").write_text("x")))
print(tried(lambda: socket.socket()))
"""
    run = played(main, readable=[shown])
    if not run.unconfined:
        refused = "PermissionError\n"
        assert run.stdout == f"shown\n{refused * 4}1\n{refused}", run.stderr


def test_a_hang_is_ended_and_where_it_stood_is_told() -> None:
    run = played("import time\ntime.sleep(600)", limits=Limits(wall_s=3.0, cpu_s=20.0))
    assert run.bound == "wall"
    assert [(frame.file, frame.line) for frame in run.stuck] == [("__main__.py", 2)]


@linux
def test_a_loop_is_ended_at_its_cpu_time() -> None:
    run = played("while True:\n    pass", limits=Limits(wall_s=60.0, cpu_s=0.5))
    assert (run.bound, run.stuck[-1].file) == ("cpu", "__main__.py")


def test_a_hang_that_keeps_itself_from_being_ended_is_ended_all_the_same() -> None:
    main = "import faulthandler, signal, time\nfaulthandler.cancel_dump_traceback_later()\n"
    main += "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)"
    began = time.monotonic()
    assert played(main, limits=Limits(wall_s=0.3, cpu_s=20.0)).bound == "wall"
    assert time.monotonic() - began < 60


def test_a_flood_is_cut_off() -> None:
    run = played("while True:\n    print('x' * 1000)", limits=Limits(60.0, 20.0, output_bytes=100_000))
    assert run.bound == "output"
    assert len(run.stdout) <= 100_000


@linux
def test_a_memory_hog_and_too_large_a_file_are_refused() -> None:
    run = played("x = bytearray(1 << 30)", limits=Limits(60.0, 20.0, memory_bytes=200 << 20))
    assert run.code == 1 and "MemoryError" in run.stderr
    run = played("open('big', 'wb').write(bytes(1 << 20))", limits=Limits(60.0, 20.0, file_bytes=1 << 16))
    assert run.code != 0


@linux
def test_what_a_step_leaves_running_is_gone_when_it_has_ended(tmp_path: Path) -> None:
    """A grandchild in a session of its own, with an environment that bears no mark."""
    main = (
        "import os, subprocess, sys\n"
        'code = \'import time; open("alive", "w").close(); time.sleep(600)\'\n'
        "kept = subprocess.Popen([sys.executable, '-c', code], env={}, start_new_session=True)\n"
        "while not os.path.exists('alive'):\n    pass\n"
        "print(kept.pid)"
    )
    run = played(main)
    assert not Path(f"/proc/{int(run.stdout)}").exists()


def test_a_step_ends_when_the_command_is_stopped() -> None:
    files, began = [File("__main__.py", b"import time\ntime.sleep(600)")], time.monotonic()

    def stopped() -> bool:
        return time.monotonic() - began > 0.5

    with command_line(files, "tinycli", (), stopped) as line, pytest.raises(HarnessFault) as told:
        line.step([], PATIENT)
    assert told.value.slug == "run-stopped"
    assert time.monotonic() - began < 30


def test_a_name_that_leads_out_of_the_tree_is_refused() -> None:
    with pytest.raises(HarnessFault), command_line([File("../main.py", b"")], "tinycli", ()):
        pass
