"""Faults made by rule over L0.1, L0.2 and L2.2: what share of them the course tests kill.

`python bench/survey.py [ID …] [-j N]`. The faults are mutmut's, and those of numpy code that
`faults/operators` makes. Each that survives has its reason in `course/survivors/<ID>.toml`; one without, or a
reason for one that does not survive, is told and makes the exit code 1. Without an id all are tried and
docs/mutants.md is written anew. mutmut is the extra `author`; where it is elsewhere, OL_BENCH_PEERS names its Python.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from faults.fault import faults_of
from faults.meaning import labelled
from faults.operators import OPERATORS
from faults.reviewed import reviewed
from faults.splice import faulty_texts
from faults.survey import Survey
from faults.survey_page import written
from faults.trials import Trials
from ol.adapters.runner import SuiteRunner
from ol.commands.steps.versions import versions
from ol.render.progress import progress
from scratch import ROOT, catalog
from sides import command

MODULES = ("L0.1", "L0.2", "L2.2")
PEERS = os.environ.get("OL_BENCH_PEERS", sys.executable)
MEMORY = ROOT / ".ol" / "survey"


def main() -> int:
    asked = arguments()
    required()
    with SuiteRunner(catalog().course.package, at_once=asked.jobs) as runner:
        surveys = [survey(id, runner, asked.jobs) for id in asked.modules or MODULES]
    wrong = [line for each in surveys for line in each.wrong()]
    print("\n".join(wrong) or "Every fault that survives has its reason.")
    page = written(surveys, ", ".join(f"{name} {version}" for name, version in versions().items()))
    if not asked.modules and not wrong:
        (ROOT / "docs" / "mutants.md").write_text(page, encoding="utf-8")
    print(page)
    return 1 if wrong else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="ID")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="children at once")
    return parser.parse_args()


def required() -> None:
    found = subprocess.run([PEERS, "-c", "import mutmut"], capture_output=True, check=False)
    if found.returncode:
        sys.stderr.write("This survey needs mutmut: pip install -e '.[author]', or name a Python that has it")
        sys.stderr.write(" in OL_BENCH_PEERS.\n")
        raise SystemExit(2)


def survey(id: str, runner: SuiteRunner, jobs: int) -> Survey:
    files = catalog()
    trials = Trials(files, files.course.module(id), runner, MEMORY)
    labels = labelled(trials.sources.values())
    units = {unit: files.reference(unit) for unit in trials.module.units}
    faults = [
        fault
        for unit, text in units.items()
        for fault in faults_of(unit, text, [*mutmuts(text), *faulty_texts(text, OPERATORS)], labels)
    ]
    verdicts = trials.verdicts(faults, jobs, progress(plain=not sys.stderr.isatty()))
    return Survey(id, faults, verdicts, reviewed(ROOT / "course" / "survivors" / f"{id}.toml"))


def mutmuts(text: str) -> list[str]:
    """Made in a folder that mutmut takes for a project."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / "src").mkdir()
        (project / "src" / "unit.py").write_text(text, encoding="utf-8")
        (project / "pyproject.toml").write_text('[tool.mutmut]\nsource_paths = ["src"]\n', encoding="utf-8")
        made = command(
            [PEERS, Path(__file__).with_name("mutmut_faults.py"), "src/unit.py"], project, os.environ
        )
    texts: list[str] = json.loads(made)
    return texts


if __name__ == "__main__":
    sys.exit(main())
