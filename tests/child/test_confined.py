"""What student code may not reach, tried from within real children of both shapes.

What a kernel has no means for is named by the run; exactly the rest is refused.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.domain.suite import Outcome
from tests.child.honest import HONEST
from tests.child.plays import Stage
from tests.child.ways import NETWORK, OTHER_PROCESSES, PRIVILEGES, SIGNALS, WAYS_TO_READ, WAYS_TO_WRITE, tried

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confined by Linux's kernel")

SECRETS = {
    "reference": "course/reference/tinyllm/lm/nplm.py",
    "mutants": "course/mutants/L2.2.toml",
    "wheat": "course/wheats/L2.2/w01.py",
    "exemplar": "course/exemplars/L2.2/test_nplm.py",
    "oracle program": "course/oracle/L2.2/nplm_torch.py",
    "course test": "course/tests/L2.2/test_nplm.py",
    "journal": "journals/L2.2.jsonl",
    "another student": "other/python/tinyllm/lm/nplm.py",
    "private key": "home/.ssh/id_ed25519",
}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A course, a workspace and a home, with something to read in every file."""
    for name in SECRETS.values():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("secret", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("secret", SECRETS)
def test_no_file_of_course_workspace_or_home_is_read(stage: Stage, world: Path, secret: str) -> None:
    path = world / SECRETS[secret]
    ways = {"open": WAYS_TO_READ["open"]}
    tried(stage, ways, "files", secret=str(path))
    tried(stage, ways, "files", asked=world, secret=str(path))


def test_no_detour_leads_to_a_file(stage: Stage, world: Path) -> None:
    secret = world / SECRETS["journal"]
    tried(stage, WAYS_TO_READ, "files", secret=str(secret))
    assert secret.read_text(encoding="utf-8") == "secret"


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/hostname", "/proc/1/cmdline"])
def test_the_machine_is_not_looked_at(stage: Stage, path: str) -> None:
    tried(stage, {"open": WAYS_TO_READ["open"]}, "files", secret=path)


def test_the_checkout_that_ol_was_installed_from_is_not_read(stage: Stage) -> None:
    checkout = Path(__file__).parents[2]
    secrets = ["course/reference/tinyllm/num/rng.py", "course/mutants/L2.2.toml", "ol/ports/__init__.py"]
    for secret in secrets:
        assert (checkout / secret).is_file()
        tried(stage, {"open": WAYS_TO_READ["open"]}, "files", asked=checkout, secret=str(checkout / secret))


def test_nothing_is_written_outside_the_runs_folder(stage: Stage, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("as it was", encoding="utf-8")
    tried(stage, WAYS_TO_WRITE, "files", folder=str(tmp_path), kept=str(kept))
    assert kept.read_text(encoding="utf-8") == "as it was" and [*tmp_path.iterdir()] == [kept]


def test_no_file_elsewhere_is_cut_short(stage: Stage, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("as it was", encoding="utf-8")
    tried(stage, {"truncate": "os.truncate(kept, 0)"}, "truncation", kept=str(kept))
    assert kept.read_text(encoding="utf-8") == "as it was"


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """A port of this machine, and a socket's path, that take connections."""
    path = str(tmp_path / "socket")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(path)
        unix.listen()
        yield tcp.getsockname()[1], path


def test_there_is_no_network_and_no_channel_but_files(stage: Stage, listening: tuple[int, str]) -> None:
    tried(stage, NETWORK, "network", PORT=listening[0], UNIX=listening[1])


def test_no_other_process_is_looked_into(stage: Stage) -> None:
    tried(stage, OTHER_PROCESSES, "files")


def test_no_other_process_is_signalled(stage: Stage) -> None:
    tried(stage, SIGNALS, "signals")


def test_root_may_no_more_than_another_user(stage: Stage) -> None:
    tried(stage, PRIVILEGES, "privileges")  # which every kernel takes away


def test_no_run_finds_what_another_left(stage: Stage) -> None:
    """A counter anywhere would tell the mutant from the reference."""
    tests = """
        import itertools, os, pathlib, tempfile
        def test_it(record_property):
            folders = (tempfile.gettempdir(), os.getcwd(), pathlib.Path.home(), "..", "../tests", "../..", "/tmp")
            for folder in folders:
                try:
                    with (pathlib.Path(folder) / "ol-counter").open("x"):
                        pass
                except PermissionError:
                    pass
    """
    for _ in range(2):
        assert stage.only(tests).outcome is Outcome.PASSED
    assert not Path("/tmp/ol-counter").exists()


def test_honest_tests_notice_nothing(stage: Stage) -> None:
    suite = {name: text.replace("UID", str(os.getuid())) for name, text in HONEST.items()}
    run = stage.completed(suite, "def double(x): return 2 * x")
    assert [
        (result.name, result.facts) for result in run.results if result.outcome is not Outcome.PASSED
    ] == []
    assert len(run.results) == 7 and run.collection_errors == ()
