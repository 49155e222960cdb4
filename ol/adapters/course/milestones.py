"""`course/milestones/*.toml` as a mapping, each read when it is asked for, and what lies beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ol.adapters.course.described import Described
from ol.adapters.course.toml_values import decode
from ol.adapters.course.tree import CourseTree
from ol.domain.authoring import bar_record
from ol.domain.authoring.bar_record import BarRecord
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading import probes
from ol.domain.milestone import milestone as milestone_file
from ol.domain.milestone.check import check_milestone
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone


class Milestones(Described[Milestone]):
    def __init__(self, tree: CourseTree, modules: Collection[ModuleId]) -> None:
        super().__init__(tree, "milestones")
        self._modules = modules

    def _checked(self, id: ModuleId) -> Milestone:
        path = milestone_file.path(id)
        found = decode(Milestone, self._tree.read(path), path)
        check_milestone(found, id, self._modules, path)
        return found


def material(tree: CourseTree, package: str, milestone: Milestone) -> Material:
    """CourseWrong where a file of it is missing, does not parse, or lacks what the description names."""
    folder = milestone_file.folder(milestone.id)
    judge = File(f"{folder}/judge.py", tree.python(f"{folder}/judge.py").encode("utf-8"))
    _check_judge(milestone, judge)
    probing = File(f"{folder}/probes.py", tree.python(f"{folder}/probes.py").encode("utf-8"))
    probes.check(probing, milestone.probes)
    stand_in = {file.name: file.text() for file in tree.folder(f"{folder}/stand_in")}
    skeleton = tree.folder(f"{folder}/skeleton")
    return Material(
        skeleton, tuple(_reference(tree, package, milestone)), probing, stand_in, _bars(tree, milestone)
    )


def _reference(tree: CourseTree, package: str, milestone: Milestone) -> Iterator[File]:
    """The reference's command line."""
    root = f"course/reference/{package}/"
    for name in milestone.entry:
        for path in tree.paths([f"{root}{name}"]):
            yield File(path.removeprefix(root), tree.read(path))


def _check_judge(milestone: Milestone, judge: File) -> None:
    text = judge.text()
    calls = [f"figure_{each.name}" for each in milestone.figures]
    calls += [f"claim_{each.name}" for each in milestone.claims]
    for call in calls:
        if f"def {call}(" not in text:
            told = f"{judge.name} defines no {call}, and {milestone_file.path(milestone.id)} names it."
            raise CourseWrong("judge-lacks", told, "Write it, or take it out of the milestone.")


def _bars(tree: CourseTree, milestone: Milestone) -> dict[str, BarRecord]:
    path = bar_record.path(milestone.id)
    found = decode(dict[str, BarRecord], tree.read(path), path) if tree.has(path) else {}
    for bar in milestone.bars:
        if bar.name not in found:
            told = f"{path} has no bar {bar.name}, which {milestone_file.path(milestone.id)} declares."
            raise CourseWrong("bar-missing", told, f"Run `ol calibrate {milestone.id}`.")
    return found
