"""The twelve faults of L2.2, each typed into a student's unit: the course tests find it and point at it."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ol.domain.telling.likeness import likest
from tests.cli.student import REFERENCE, ROOT, Student, gates, words_of
from tests.course.chapter import blocks, section

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def _toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


MUTANTS = {each["id"]: each for each in _toml("course/mutants/L2.2.toml")["mutant"]}
TESTS = {each["name"]: each["why"] for each in _toml("course/modules/L2.2.toml")["tests"]}

PITFALLS = {  # the chapter's table: what each fault is caught by
    "s01": ["test_gradcheck_every_parameter", "test_golden_torch"],
    "s02": ["test_hand_example_forward", "test_golden_torch"],
    "s03": ["test_hand_example_forward", "test_golden_torch"],
    "s04": ["test_init_draws_from_one_generator"],
    "s05": ["test_windows_hand_example", "test_nll_matches_cross_entropy_per_window"],
    "s06": ["test_generate_uses_the_last_window"],
    "s07": ["test_train_nplm_is_the_l05_loop"],
    "s08": ["test_train_nplm_is_the_l05_loop", "test_train_nplm_runs_exactly_steps"],
    "s09": ["test_save_load_roundtrip"],
    "s10": ["test_greedy_ties_go_to_the_lowest_id"],
    "s11": ["test_train_nplm_passes_the_clip"],
    "s12": ["test_nll_matches_cross_entropy_per_window"],
}
LEADS = {  # what the detail of the first failure says, beside the names of the test and of the unit
    "s01": ["emb.weight", "no gradient"],
    "s02": ["first bad value at [0, 0]: got -1.7615942, expected 1.7615942", "nplm.py: NPLM.forward (line "],
    "s03": ["first bad value at [0, 0]: got 0.7615942, expected 1.7615942", "nplm.py: NPLM.forward (line "],
    "s04": ["60 of 60 values differ", "hidden.weight", "nplm.py: NPLM.__init__ (line "],
    "s05": ["first bad value at [0]: got 6, expected 7", "nplm.py: windows (line "],
    "s06": ["every id was drawn after the prefix's first ids: the window has to move on"],
    "s07": [
        "first bad value at [5]: got ",
        "nplm.py: train_nplm (line ",
    ],  # after four steps; momentum lags by one
    "s08": ["shape (4,) where (10,) is expected", "nplm.py: train_nplm (line "],
    "s09": ["Extra items in the right set:", "'direct.weight'", "nplm.py: save_nplm (line "],
    "s10": ["first bad value at [0]: got 6, expected 0", "nplm.py: NPLM.generate (line "],
    "s11": ["first bad value at [1]: got ", "nplm.py: train_nplm (line "],
    "s12": ["value: got 2.69", "expected 14.79", "NPLM.perplexity (line "],
}
KNOWN = {  # what a course test knows of the values themselves; what it does not know, the failures must tell
    "s02": "each window read backwards",
    "s03": "without W x",
    "s04": "began a stream of its own",
    "s05": "last ids of the windows themselves",
    "s06": "drawn after the prefix's first ids",
    "s07": "the momentum is forgotten",
    "s08": "stopped after its first epoch",
    "s10": "the highest id was chosen",
    "s11": "a run without a clip",
    "s12": "the mean cost itself, in nats",
}


def failing(gate: dict[str, Any]) -> list[str]:
    """The functions that failed, in the order told."""
    names = (each["case"].rpartition("::")[2].partition("[")[0] for each in gate["fields"]["failures"])
    return list(dict.fromkeys(names))


def faulty(id: str) -> str:
    find, replace = MUTANTS[id]["find"], MUTANTS[id]["replace"]
    assert REFERENCE.count(find) == 1
    return REFERENCE.replace(find, replace)


@pytest.fixture(scope="module")
def course_tests(_started: Student, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What `ol tests` says of each fault; two students work at a time."""

    def gate(id: str) -> dict[str, Any]:
        student = _started.copied(tmp_path_factory.mktemp(id)).writes(faulty(id))
        return gates(student.typed("tests", "--json").answer())["course tests"]

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(MUTANTS, pool.map(gate, MUTANTS), strict=True))


@pytest.mark.parametrize("id", MUTANTS)
def test_a_fault_fails_the_tests_that_the_chapter_names_and_its_message_leads_there(
    id: str, course_tests: dict[str, dict[str, Any]]
) -> None:
    gate = course_tests[id]
    failed = failing(gate)
    assert set(failed) >= {*PITFALLS[id], *MUTANTS[id]["killed_by"]}
    assert not set(gate["fields"]["passed"]) & set(failed)
    assert failed == [name for name in TESTS if name in failed]  # the manifest's order

    first, *others = gate["reasons"]
    said = "\n".join([first["text"], *first["detail"]])
    for lead in (*LEADS[id], TESTS[failed[0]], f"ol tests L2.2 -k {failed[0]}"):
        assert lead in said
    assert "course/tests/L2.2/test_nplm.py:" in said
    assert len(first["detail"]) <= 25
    assert not any(other["detail"] for other in others)


@pytest.mark.parametrize("id", MUTANTS)
def test_a_fault_is_led_to_its_own_pitfall_and_not_shown_the_answer(
    id: str, course_tests: dict[str, dict[str, Any]]
) -> None:
    gate, fault = course_tests[id], MUTANTS[id]
    assert all(each["why"] and each["next_step"] for each in gate["fields"]["failures"])
    known = [each["known_wrong"] for each in gate["fields"]["failures"] if "known_wrong" in each]
    pitfall = [reason for reason in gate["reasons"] if reason["slug"] == "looks-like"]
    if id in KNOWN:
        assert KNOWN[id] in known[0] and pitfall == []
        assert f"known     {known[0]}" in gate["reasons"][0]["detail"]
    else:
        assert gate["fields"]["looks_like"] == id and known == []
        assert fault["symptom"] in pitfall[0]["text"]
        assert f"section {fault['section']}" in pitfall[0]["next_step"]
    assert fault["find"].strip() not in words_of(gate)
    assert fault["title"] not in words_of(gate)


def test_no_fault_s_sentence_is_said_of_another(course_tests: dict[str, dict[str, Any]]) -> None:
    for id, gate in course_tests.items():
        said = " ".join(each.get("known_wrong", "") for each in gate["fields"]["failures"])
        assert [other for other, words in KNOWN.items() if words in said] == [id] * (id in KNOWN)


def test_failures_alone_lead_to_every_fault_or_to_none(course_tests: dict[str, dict[str, Any]]) -> None:
    """As if no course test knew a wrong value: the marks of each, among those of all."""
    matrix = _toml("course/matrix/L2.2.toml")
    ran = {case for marks in matrix.values() for case in marks}
    assert {id: likest(marks, ran, matrix) for id, marks in matrix.items()} == {id: id for id in MUTANTS}
    for one, other in itertools.combinations(
        MUTANTS, 2
    ):  # and of two at once: the first to be met fails first
        assert likest({**matrix[other], **matrix[one]}, ran, matrix) in (one, other, "")


WHEATS = [(ROOT / f"course/wheats/L2.2/{name}.py").read_text(encoding="utf-8") for name in ("w01", "w02")]
DETACHED = "Tensor(self.emb.weight.data[ids])"
ELSEWHERE = [  # a unit, what is right in it, and what somebody wrote instead
    (REFERENCE, "self.emb(ids)", DETACHED),
    (WHEATS[0], "F.embedding(self.emb.weight, ids)", DETACHED),
    (WHEATS[1], "self.emb(ids)", DETACHED),
]
UNHEARD_OF = [
    (REFERENCE, "F.tanh(self.hidden(x))", "F.tanh(F.tanh(self.hidden(x)))"),
    (REFERENCE, "momentum=momentum, weight_decay=weight_decay)", "momentum=momentum)"),
    (
        REFERENCE,
        "self.hidden = Linear(context * d_emb, d_hidden, rng=rng)",
        "self.hidden = Linear(context * d_emb, d_hidden)",
    ),
    (REFERENCE, "self.emb(ids)", "self.emb(0 * ids)"),
    (REFERENCE, "x.copy(), sequence[context:]", "x.copy(), sequence[:-context]"),
]


def said_of(student: Student, unit: str, right: str, wrong: str) -> dict[str, Any]:
    assert unit.count(right) == 1
    text = unit.replace(right, wrong)
    if wrong is DETACHED and "import Tensor" not in text:
        text = text.replace("\nimport numpy", "\nfrom tinyllm.autograd.tensor import Tensor\nimport numpy", 1)
    return dict(gates(student.writes(text).json("tests", exits=1))["course tests"]["fields"])


@pytest.mark.parametrize(("unit", "right", "wrong"), ELSEWHERE)
def test_a_pitfall_is_known_again_in_code_that_looks_otherwise(
    unit: str, right: str, wrong: str, started: Student
) -> None:
    assert said_of(started, unit, right, wrong)["looks_like"] == "s01"


@pytest.mark.parametrize(("unit", "right", "wrong"), UNHEARD_OF)
def test_a_mistake_that_nobody_knows_is_given_no_name(
    unit: str, right: str, wrong: str, started: Student
) -> None:
    told = said_of(started, unit, right, wrong)
    assert told["looks_like"] == ""
    assert not any("known_wrong" in each for each in told["failures"])


def test_check_says_what_tests_says(started: Student) -> None:
    student = started.writes(faulty("s01"))
    gate = gates(student.json("check", exits=1))["course tests"]
    assert gate["fields"]["looks_like"] == "s01"
    assert any(reason["slug"] == "looks-like" for reason in gate["reasons"])


def test_the_students_guide_shows_the_way_to_pitfall_1_as_it_is(started: Student) -> None:
    """Its two blocks are what is printed, but for lines left out where it has a line of dots."""
    student = started.writes(faulty("s01"))
    tests, hint = student.ol("tests").lines, student.ol("hint", "L2.2", "s01").lines
    told = section((ROOT / "docs/students.md").read_text(encoding="utf-8"), "When a course test fails")
    for shown, printed in zip(blocks(told, "text"), (tests, hint), strict=True):
        lines = iter(printed)
        assert all(line in lines for line in shown.rstrip().splitlines() if line != "…"), shown
    for code in (MUTANTS["s01"]["find"], MUTANTS["s01"]["replace"], "F.embedding"):
        assert code not in told


def test_every_mutant_of_the_course_is_a_pitfall_of_the_chapter() -> None:
    assert list(PITFALLS) == list(MUTANTS)
    for id, names in PITFALLS.items():
        assert set(names) <= set(MUTANTS[id]["killed_by"]), id


def test_the_command_that_a_failure_names_reruns_that_test_alone(started: Student) -> None:
    gate = gates(started.writes(faulty("s10")).json("tests", exits=1))["course tests"]
    (again,) = (line for line in gate["reasons"][0]["detail"] if line.startswith("again "))
    rerun = again.removeprefix("again").split()[1:]
    gate = gates(started.json(*rerun, exits=1))["course tests"]
    assert gate["summary"] == "0/1 course tests selected of 17"
    assert failing(gate) == ["test_greedy_ties_go_to_the_lowest_id"]


def test_what_the_unit_prints_is_shown_where_it_fails(started: Student) -> None:
    first = "    if context < 1:"
    shouting = faulty("s05").replace(first, f"    print('windows of', context)\n{first}")
    gate = gates(started.writes(shouting).json("tests", exits=1))["course tests"]
    assert any("windows of 2" in line for line in gate["reasons"][0]["detail"])
