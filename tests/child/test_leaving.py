"""A suite or unit that leaves early, by whatever door, never comes out as completed."""

from __future__ import annotations

import sys

import pytest

from ol.domain.suite import Exited, Signalled
from tests.child.plays import Stage

NEVER = "\ndef test_never(): assert False\n"


@pytest.mark.parametrize(
    "leave, code",
    [
        ("import os\nos._exit(0)", 0),
        ("import os\nos._exit(7)", 7),
        ("raise KeyboardInterrupt", 2),
    ],
)
@pytest.mark.parametrize("where", ["test", "unit"])
def test_leaving_at_import_is_a_crash(stage: Stage, leave: str, code: int, where: str) -> None:
    tests, unit = (leave + NEVER, "") if where == "test" else ("import tinyllm.unit" + NEVER, leave)
    run = stage.crashed(tests, unit)
    assert (run.exit, run.results, run.running) == (Exited(code), (), None)


@pytest.mark.parametrize(
    "leave, code",
    [
        ("os._exit(0)", 0),
        ("pytest.exit('done', returncode=0)", 0),
        ("pytest.exit('done')", 2),
        ("raise KeyboardInterrupt", 2),
    ],
)
def test_leaving_in_a_call_is_a_crash_that_keeps_what_was_told(stage: Stage, leave: str, code: int) -> None:
    tests = f"import os, pytest\ndef test_before(): pass\ndef test_leaves():\n    {leave}{NEVER}"
    run = stage.crashed(tests)
    assert run.exit == Exited(code)
    assert [(result.name, result.outcome.value) for result in run.results] == [("test_before", "passed")]
    assert run.running == "test_it.py::test_leaves"


@pytest.mark.parametrize("where", ["test", "unit"])
@pytest.mark.parametrize(
    "leave", ["import sys\nsys.exit(0)", "import pytest\npytest.exit('x', returncode=0)"]
)
def test_leaving_politely_at_import_leaves_no_case_passed(stage: Stage, leave: str, where: str) -> None:
    tests, unit = (leave + NEVER, "") if where == "test" else ("import tinyllm.unit" + NEVER, leave)
    run = stage.play(tests, unit)
    assert run.results == ()


def test_a_failure_stands_though_the_child_dies_in_teardown(stage: Stage) -> None:
    tests = """
        import os, pytest
        @pytest.fixture
        def deadly():
            yield
            os._exit(0)
        def test_it(deadly): assert False
    """
    run = stage.crashed(tests)
    assert [result.outcome.value for result in run.results] == ["failed"]


def test_a_pass_does_not_stand_before_its_teardown(stage: Stage) -> None:
    tests = """
        import os, pytest
        @pytest.fixture
        def deadly():
            yield
            os._exit(0)
        def test_it(deadly): pass
    """
    run = stage.crashed(tests)
    assert (run.results, run.running) == ((), "test_it.py::test_it")


@pytest.mark.skipif(sys.platform == "win32", reason="signals end no process there")
@pytest.mark.parametrize(
    "die, number, said",
    [
        ("ctypes.string_at(0)", 11, "Segmentation fault"),
        ("os.abort()", 6, "Aborted"),
        ("os.kill(os.getpid(), 9)", 9, "before"),
    ],
)
def test_a_signal_is_told_with_the_end_of_the_output(stage: Stage, die: str, number: int, said: str) -> None:
    run = stage.crashed(f"import ctypes, os\ndef test_it():\n    print('before')\n    {die}")
    assert run.exit == Signalled(number)
    assert run.output_tail.startswith("before\n") and said in run.output_tail


@pytest.mark.parametrize(
    "trick",
    [
        "request.session.items.clear()",
        "request.session.shouldfail = 'enough'",
        "request.session.shouldstop = 'enough'",
    ],
)
def test_a_session_cut_short_from_within_is_a_crash(stage: Stage, trick: str) -> None:
    run = stage.crashed(f"def test_it(request):\n    {trick}{NEVER}")
    assert [result.outcome.value for result in run.results] == ["passed"]


def test_what_is_registered_for_the_exit_changes_nothing(stage: Stage) -> None:
    tests = """
        import atexit, os, threading, time
        atexit.register(lambda: os._exit(9))
        threading.Thread(target=time.sleep, args=(1000,)).start()
        def test_it(): pass
    """
    assert stage.outcomes(tests) == {"test_it": "passed"}


@pytest.mark.parametrize(
    "written",
    [
        b"nonsense\n",
        b'{"kind": "closing"}\n',
        b'{"kind":"closing","nonce":"0","pid":1,"results":1,"duration_s":0,"cpu_s":0,"imported":[]}\n',
        b"\xff\xfe\n",
    ],
)
def test_writing_to_the_result_pipe_is_a_crash(stage: Stage, written: bytes) -> None:
    tests = f"""
        import os
        def test_it():
            for fd in range(3, 64):
                try:
                    os.write(fd, {written!r})
                except OSError:
                    pass
        def test_never(): assert False
    """
    run = stage.crashed(tests)
    assert run.results == () and "[ol: " in run.output_tail


def test_closing_every_file_is_a_crash(stage: Stage) -> None:
    run = stage.crashed("import os\ndef test_it():\n    os.closerange(0, 256)\ndef test_b(): pass")
    assert isinstance(run.exit, Exited) and run.exit.code != 0
    assert (run.results, run.running) == ((), "test_it.py::test_it")


def test_a_closed_standard_output_is_survived(stage: Stage) -> None:
    tests = """
        import sys
        def test_closes():
            sys.stdout.close()
            sys.stdout = None
        def test_fails(): assert False
    """
    assert stage.outcomes(tests) == {"test_closes": "passed", "test_fails": "failed"}


def test_replacing_what_records_are_written_with_changes_nothing(stage: Stage) -> None:
    tests = """
        import json, os
        os.write = json.dumps = os._exit = os.getpid = lambda *_: None
        def test_fails(): assert False
    """
    assert stage.outcomes(tests) == {"test_fails": "failed"}


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork there")
def test_a_fork_of_the_child_writes_no_records(stage: Stage) -> None:
    tests = "import os\ndef test_forks(): os.fork()\ndef test_fails(): assert False"
    assert stage.outcomes(tests) == {"test_forks": "passed", "test_fails": "failed"}


@pytest.mark.parametrize("stop", ["breakpoint()", "__import__('pdb').set_trace()", "input()"])
def test_nothing_waits_for_a_terminal(stage: Stage, stop: str) -> None:
    assert stage.only(f"def test_it():\n    {stop}").outcome.value == "failed"
