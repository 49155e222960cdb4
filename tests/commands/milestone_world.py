"""A milestone in memory: a stage on which every step does what a test says."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ol.domain.authoring.bar_record import BarRecord
from ol.domain.course import Bar, ModuleId, Probe
from ol.domain.errors import WorkRefused
from ol.domain.file import File
from ol.domain.milestone.judged import Judgement, Work
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Claim, Figure, Metric, Milestone, Step
from ol.domain.milestone.played import Limits, StepRun
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fakes import ROOT, Desk
from tests.made import case, completed, module

MS = Milestone(
    id=ModuleId("MS-1"),
    title="Heard",
    needs=(ModuleId("A1"),),
    contract="course/contracts/cli/tiny.md",
    entry=("__main__.py", "cli/"),
    inputs={"text": "course/text.txt"},
    recipe={"steps": "90"},
    smoke={"steps": "2"},
    steps=(
        Step("train", ("train", "{text}", "{steps}", "{fresh}"), files=("m",), reference=True),
        Step("score", ("eval",), metrics=(Metric("tokens", equals=3),)),
        Step("tell", ("tell", "{fresh}")),
        Step("tell another", ("tell", "{other}"), unlike="tell"),
    ),
    figures=(Figure("loss", "score", "loss", agree=0.01, bar="loss", advice="Train on."),),
    claims=(Claim("moved", "it must move"),),
    model=("m",),
    probes=(Probe("order", "order matters"),),
    bars=(Bar("loss", (0, 1)),),
)
MAIN, SKELETON, REFERENCE = "print('mine')", "raise NotImplementedError", "print('right')"
Deed = Callable[[Sequence[str]], StepRun]


def told(words: Sequence[str]) -> StepRun:
    """What an honest command line says."""
    fields = {"train": {}, "eval": {"tokens": 3, "loss": 1.5}, "tell": {"ids": [len(words[-1]), *words]}}
    return StepRun(0, 0.1, stdout=json.dumps(fields[words[0]]) + "\n")


@dataclass
class FakeLine:
    deed: Deed
    typed: list[list[str]]

    def step(self, argv: Sequence[str], limits: Limits) -> StepRun:
        self.typed.append(list(argv))
        return self.deed(argv)

    def file(self, name: str) -> File | None:
        return File(name, b"tensors")


@dataclass
class FakeStage:
    """`lines` holds the trees that were laid out, and `typed` the words said to each.

    `deed` is what the student's command line does, `others` what any other does, by the text of its `__main__.py`.
    """

    deed: Deed = told
    others: dict[str, Deed] = field(default_factory=dict)
    judgements: dict[str, Judgement] = field(default_factory=dict)
    late: WorkRefused | None = None  # what comes of a model that the judge is too long busy with
    lines: list[dict[str, str]] = field(default_factory=list)
    typed: list[list[list[str]]] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)

    @contextmanager
    def command_line(self, tree: Sequence[File], package: str) -> Iterator[FakeLine]:
        self.lines.append({file.name: file.text() for file in tree})
        self.typed.append([])
        main = self.lines[-1]["__main__.py"]
        yield FakeLine(self.deed if main == MAIN else self.others.get(main, told), self.typed[-1])

    def judged(self, milestone: Milestone, work: Work, calls: Sequence[str]) -> tuple[Judgement, ...]:
        self.works.append(work)
        if self.late:
            raise self.late
        right = {"figure_loss": Judgement(1.5), "claim_moved": Judgement()}
        return tuple({**right, **self.judgements}[call] for call in calls)

    def log(
        self, milestone: Milestone, began: datetime, step: Step, words: Sequence[str], run: StepRun
    ) -> Path:
        self.logged.append(" ".join(words))
        return ROOT / ".ol" / "milestones" / f"{len(self.logged)}.log"


def probing(request: RunRequest) -> bool:
    return any(file.name == "test_probes.py" for file in request.tests)


def probed(request: RunRequest) -> SuiteRun:
    """The student's course tests pass; the probes hand out the same bytes for whatever unit."""
    if probing(request):
        return completed(case("test_order", properties=[("arrays", b64encode(b"same").decode())]))
    return completed("test_it")


def desk(answer: Callable[[RunRequest], SuiteRun] = probed) -> Desk:
    """A1 is written and passes, and the command line is there."""
    made = Desk.of(module("A1"), answer=answer, milestones={MS.id: MS})
    made.catalog.references["a1.py"] = "def it(): return 'right'\n"
    made.catalog.contracts["a1.py"] = "def it() -> str:\n    ...\n"
    bars = {"loss": BarRecord.of("short", (0, 1), (1.5, 1.6), 1.1)}
    probes = File("probes.py", b"def probe_order(seed):\n    return {}\n")
    made.catalog.materials[MS.id] = Material(
        (File("__main__.py", SKELETON.encode()),),
        (File("__main__.py", REFERENCE.encode()),),
        probes,
        {"a1.py": "def it(): return 'frozen'\n"},
        bars,
    )
    made.workspace.units |= {"a1.py": "def it(): return 'mine'\n", "__main__.py": MAIN, "cli/say.py": "x = 1"}
    return made
