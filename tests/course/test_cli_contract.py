"""What the contract of the command line says that the milestone looks at is what the milestone's file asks for."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, code_names, section, table

CONTRACT = (COURSE / "contracts" / "cli" / "tinyllm.md").read_text(encoding="utf-8").replace(r"\|", "/")
MILESTONE = read_toml(COURSE / "milestones" / "MS-L2.toml")
JUDGE = (COURSE / "milestones" / "MS-L2" / "judge.py").read_text(encoding="utf-8")


class Looked(NamedTuple):
    """The options and the fields of one command."""

    options: set[str]
    fields: set[str]


def promised() -> dict[str, Looked]:
    """Each command of the contract."""
    found = {}
    for command, _, fields in table(section(CONTRACT, "The commands")):
        name = re.sub(r" --.*", "", code_names(command)[0])
        own = code_names(fields.split("; with")[0])
        found[name] = Looked(set(re.findall(r"--[a-z-]+", command)), set(own))
    return found


def asked() -> dict[str, Looked]:
    """Each command that a step types, with all that steps, figures and claims look at."""
    found: dict[str, Looked] = {}
    for step in MILESTONE["steps"]:
        words = step["argv"]
        options = {word for word in words if word.startswith("--")}
        command = " ".join(words[: words.index(next(word for word in words if word in options))])
        looked = found.setdefault(command, Looked(set(), set()))
        looked.options.update(options)
        looked.fields.update(_judged(step))
    return found


def _judged(step: dict[str, Any]) -> set[str]:
    ids = {"ids"} if "like" in step or "unlike" in step else set()
    figures = {figure["metric"] for figure in MILESTONE["figures"] if figure["step"] == step["name"]}
    return ids | figures | {metric["name"] for metric in step.get("metrics", [])}


def test_the_contract_says_what_the_milestone_types_and_judges_and_what_it_does_not() -> None:
    rows = table(section(CONTRACT, "What the milestone looks at"))
    told = {code_names(row[0])[0]: [set(code_names(cell)) for cell in row[1:]] for row in rows}
    tried, none = asked(), Looked(set(), set())
    assert told == {
        name: [
            tried.get(name, none).options,
            tried.get(name, none).fields,
            each.options - tried.get(name, none).options,
            each.fields - tried.get(name, none).fields,
        ]
        for name, each in promised().items()
    }


def test_the_milestone_asks_for_nothing_that_the_contract_does_not_promise() -> None:
    for name, tried in asked().items():
        assert tried.options <= promised()[name].options
        assert tried.fields <= promised()[name].fields


def test_what_the_judge_reads_of_the_last_lines_is_judged() -> None:
    read = set(re.findall(r"\bsaid\[[^]]+\]\.get\(\"(\w+)\"\)", JUDGE))
    assert read == {"loss", "ids"}
    assert read <= set().union(*(tried.fields for tried in asked().values()))


def test_the_count_of_commands_and_the_one_refusal_are_as_told() -> None:
    assert "types five of these seven commands" in CONTRACT and (len(asked()), len(promised())) == (5, 7)
    refused = [step["name"] for step in MILESTONE["steps"] if step.get("code")]
    assert "for one model that is not there, 2" in CONTRACT and len(refused) == 1
