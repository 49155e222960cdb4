"""Every attack under `tests/courses/attacks/`, by a whole command on real files and real runs, gets its verdict."""

from __future__ import annotations

import shutil
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from tests.attacks import attack, deeds
from tests.attacks.attack import Attack
from tests.attacks.desk import COURSES, CPU_BOUND, LAYOUT, Desk
from tests.cli.student import course_in, edited, lock

FOUND = (attack.FOLDER / "found.py").read_text(encoding="utf-8")


def mounted(plan: Attack, desk: Desk, at: Path) -> Desk:
    """The honest work with the attack in it."""
    desk = desk.copied(at)
    if plan.unit:
        text = desk.student.unit.read_text(encoding="utf-8")
        desk.student.writes("\n".join([text, *[FOUND] * plan.finds, plan.unit]))
    for name, text in {"test_calc.py": plan.suite, "conftest.py": plan.conftest}.items():
        if text:
            desk.student.has_tests(text, name)
    for name in plan.remove:
        path = desk.root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, to in plan.link.items():
        (desk.root / name).symlink_to(desk.root / to)
    for name, text in plan.write.items():
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text(text, encoding="utf-8", newline="\n")
    for name, text in plan.append.items():
        with (desk.root / name).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
    if plan.cpu_s is not None:
        bounded(desk.root, plan.cpu_s)
    if plan.deed:
        getattr(deeds, plan.deed)(desk)
    if plan.elsewhere:
        course = course_in(at / "trusted", COURSES / LAYOUT[plan.on][0])
        lock(course)
        return desk.judged_elsewhere(at / "ci", course)
    return desk


def bounded(root: Path, cpu_s: float) -> None:
    """The course's own bound, in its lock too."""
    edited(root / "course/course.toml", CPU_BOUND, f"unmeasured_cpu_s = {cpu_s}")
    lock(root)


def slugs(answer: dict[str, Any]) -> list[str]:
    if "slug" in answer:
        return [answer["slug"]]
    return [reason["slug"] for gate in answer.get("gates", []) for reason in gate["reasons"]]


@pytest.mark.parametrize("name", attack.names())
def test_attack(name: str, honest: dict[str, Desk], tmp_path: Path) -> None:
    plan = attack.read(name)
    desk = mounted(plan, honest[plan.on], tmp_path)
    answer = desk.json(*plan.ol, **plan.environment)
    if plan.confined in answer.get("unconfined", ()):
        return
    verdicts = {gate["gate"]: gate["verdict"] for gate in answer.get("gates", [])}
    assert answer["exit_code"] == plan.exit, answer
    assert {gate: verdicts.get(gate) for gate in plan.verdicts} == dict(plan.verdicts), answer
    assert set(plan.slugs) <= set(slugs(answer)), answer
    assert plan.says in dumps(answer), answer
    deeds.nothing_got_out(tmp_path)
    deeds.nothing_runs_on(desk)


def test_the_work_that_attacks_start_from_is_honest(honest: dict[str, Desk]) -> None:
    """Else a verdict against an attack would say nothing."""
    assert honest["calc"].json("check", "--replay")["passed"]
    wrong = honest["arrays"].json("check")
    assert {gate["gate"]: gate["verdict"] for gate in wrong["gates"]} == {
        "contract": "passed", "course tests": "failed", "values": "failed",
    }  # fmt: skip
