"""CPU time per mutant on L2.2's unit and exemplar tests: `ol mutate`, mutmut's own runner, cosmic-ray.

mutmut makes the faults, in `windows` and in the model's methods, none of which can hang there; `ol` grades those
same faults, on a copy of the course whose mutants file holds them; cosmic-ray makes its own, of which every so
manieth is run. All stop at a mutant's first failure. The time of a command is shared among its mutants: starting,
correct code and all. mutmut and cosmic-ray are found beside OL_BENCH_PEERS, a Python that has them.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

from machine import ONE_THREAD, machine
from scratch import MODULE, ROOT, UNIT, catalog, ol, tests_of, tree, workspace
from sides import command, in_turns, told

PEERS = Path(os.environ.get("OL_BENCH_PEERS", sys.executable))
FAULTS = Path(__file__).with_name("mutmut_faults.py")
OFTEN = 5  # the course's own faults, so many times over: what one more costs
OF_COSMIC_RAY = 20  # how many of its faults are tried
CLAIMED = "test_hand_example_forward"  # a fault must name a course test; no grade looks at it
FUNCTIONS = ("windows", "__init__", "forward", "nll", "perplexity", "generate", "_one_window", "_known")
PROJECT = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/tinyllm/lm/nplm.py"]
[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]
[cosmic-ray]
module-path = "src/tinyllm/lm/nplm.py"
timeout = 5.0
excluded-modules = []
test-command = "PYTHON -m pytest -x -q -p no:cacheprovider tests"
[cosmic-ray.distributor]
name = "local"
"""


def main() -> None:
    required()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        project = laid_out(scratch)
        faults = faults_of_mutmut(project)
        course, made = with_faults(scratch / "mutmuts", faults), workspace(scratch)
        once, often = (with_faults(scratch / f"seeded{times}", seeded() * times) for times in (1, OFTEN))
        tried = {"ol": len(faults), "mutmut": mutmut(project), "cosmic-ray": cosmic_ray_session(project)}
        sides = {
            "ol": lambda: ol(made, scratch, "mutate", MODULE, "--no-cache", course=course, codes=(0, 1)),
            "once": lambda: ol(made, scratch, "mutate", MODULE, "--no-cache", course=once),
            "often": lambda: ol(made, scratch, "mutate", MODULE, "--no-cache", course=often),
            "mutmut": lambda: mutmut(project),
            "cosmic-ray": lambda: peer(project, "cosmic-ray", "exec", "pyproject.toml", "session"),
        }
        cost = in_turns(sides, 1)
    each = {name: cost[name].cpu_s / tried[name] for name in tried}
    seeded_s = (cost["often"].cpu_s - cost["once"].cpu_s) / (len(seeded()) * (OFTEN - 1))
    print(machine())
    for name, seconds in each.items():
        print(f"{name}: {tried[name]} mutants, {seconds * 1e3:.0f} ms of CPU each")
    print(f"ol, one more of the course's own {len(seeded())} faults: {seeded_s * 1e3:.0f} ms of CPU")
    print(told("less CPU than mutmut", each["mutmut"] / each["ol"], at_least=2))
    print(told("less CPU than cosmic-ray", each["cosmic-ray"] / each["ol"], at_least=10))


def required() -> None:
    missing = [name for name in ("mutmut", "cosmic-ray") if not PEERS.with_name(name).exists()]
    if missing:
        sys.exit(
            f"This comparison needs {' and '.join(missing)}: pip install 'mutmut==3.8.*' cosmic-ray numpy pytest, "
            "in this environment or in one whose Python OL_BENCH_PEERS names."
        )


def laid_out(scratch: Path) -> Path:
    """The project that mutmut and cosmic-ray expect: src/, tests/, pyproject.toml."""
    project = scratch / "project"
    tree(scratch, "project/src", catalog().reference(UNIT))
    shutil.copytree(tests_of(workspace(scratch / "peers")), project / "tests")
    (project / "pyproject.toml").write_text(PROJECT.replace("PYTHON", str(PEERS)), encoding="utf-8")
    return project


def faults_of_mutmut(project: Path) -> list[str]:
    """The faulty texts of the unit."""
    texts: list[str] = json.loads(
        command([PEERS, FAULTS, "src/tinyllm/lm/nplm.py", *FUNCTIONS], project, os.environ)
    )
    return texts


def seeded() -> list[str]:
    """The course's own faults, as faulty texts of the unit."""
    files = catalog()
    reference = files.reference(UNIT)
    return [mutant.applied_to(reference) for mutant in files.mutants(files.course.module(MODULE))]


def with_faults(scratch: Path, faults: list[str]) -> Path:
    """A copy of the course with these faulty units in the place of its mutants."""
    course = scratch / "course"
    shutil.copytree(
        ROOT / "course", course / "course", ignore=shutil.ignore_patterns("__pycache__", "corpora")
    )
    (course / "course" / "course.lock").unlink(missing_ok=True)
    reference = catalog().reference(UNIT)
    entries = [
        {"id": f"m{number:03}", "title": "a fault", "symptom": "none", "unit": UNIT, "witness": "out = 0"}
        | {
            "killed_by": [CLAIMED],
            "required": number == 0,
            **change(reference, fault),
        }
        for number, fault in enumerate(faults)
    ]
    blocks = [
        "[[mutant]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in each.items())
        for each in entries
    ]
    (course / "course" / "mutants" / f"{MODULE}.toml").write_text("\n".join(blocks), encoding="utf-8")
    return course


def change(right: str, faulty: str) -> dict[str, str]:
    """The lines that differ, with as many before them as it takes to find them once: as an author writes a fault."""
    one, other = right.splitlines(keepends=True), faulty.splitlines(keepends=True)
    shorter = min(len(one), len(other))
    first = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    same = next((at for at in range(shorter - first) if one[-1 - at] != other[-1 - at]), shorter - first)
    while right.count("".join(one[first : len(one) - same])) != 1:
        first -= 1
    return {
        "find": "".join(one[first : len(one) - same]),
        "replace": "".join(other[first : len(other) - same]),
    }


def mutmut(project: Path) -> int:
    """Try the faults of FUNCTIONS afresh; how many there are."""
    shutil.rmtree(project / "mutants", ignore_errors=True)
    names = ["tinyllm.lm.nplm.x_windows*", "tinyllm.lm.nplm.xǁNPLMǁ*"]
    peer(project, "mutmut", "run", "--max-children", "1", *names)
    told = (project / "mutants" / "src" / "tinyllm" / "lm" / "nplm.py.meta").read_text(encoding="utf-8")
    return sum(code is not None for code in json.loads(told)["exit_code_by_key"].values())


def cosmic_ray_session(project: Path) -> int:
    """Every so manieth of its faults to do; how many those are."""
    peer(project, "cosmic-ray", "init", "pyproject.toml", "session")
    with sqlite3.connect(project / "session") as session:
        ids = [id for (id,) in session.execute("SELECT job_id FROM work_items ORDER BY job_id")]
        kept = set(ids[:: max(1, len(ids) // OF_COSMIC_RAY)][:OF_COSMIC_RAY])
        for table in ("mutation_specs", "work_items"):
            session.executemany(
                f"DELETE FROM {table} WHERE job_id = ?", [(id,) for id in ids if id not in kept]
            )
    return len(kept)


def peer(project: Path, program: str, *words: str) -> str:
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(project / "src"), "PYTHONUTF8": "1"}
    return command([PEERS.with_name(program), *words], project, environment)


if __name__ == "__main__":
    main()
