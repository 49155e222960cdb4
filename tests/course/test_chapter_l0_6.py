"""The chapter of L0.6: what it repeats stands in the course's files, and its bytes are the reference's."""

from __future__ import annotations

import ast
import runpy
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors

from frozen.tensors import read_tensors
from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, blocks, chapter, code_names, section, table, worked
from tinyllm.io.safetensors import load_safetensors, save_safetensors
from tinyllm.io.tokens import open_tokens, write_tokens

TEXT = chapter("L0.6")
HEADER = {row[0]: row[1] for row in table(TEXT)}
MANIFEST = read_toml(COURSE / "modules" / "L0.6.toml")
MUTANTS = read_toml(COURSE / "mutants" / "L0.6.toml")["mutant"]
HAND: dict[str, Any] = {"n": np.array(3, np.uint8), "w": np.array([1.5, -2.0], np.float32)}


def saved(folder: Path) -> bytes:
    save_safetensors(folder / "a", HAND)
    return (folder / "a").read_bytes()


def file(folder: Path) -> dict[str, Any]:
    raw = saved(folder)
    length = int.from_bytes(raw[:8], "little")
    text = raw[8 : 8 + length]
    characters = len(text.rstrip(b" "))
    return {
        "characters": characters,
        "spaces": length - characters,
        "length": list(raw[:8]),
        "w": list(raw[120:128]),
        "n": raw[128],
        "size": len(raw),
    }


def bf16(folder: Path) -> dict[str, Any]:
    """-2.5 and the nearest to a third, through the golden file that torch made, and by bits."""
    third = read_tensors(COURSE.parent / "oracle" / "L0.6" / "torch_file.safetensors")[0]["bf16"].ravel()[5]
    bits = np.array([-2.5], np.float32)
    return {
        "bytes of -2.5": list(bits.tobytes()[2:]),
        "as float32": list(bits.tobytes()),
        "nearest to a third": third,
        "bits taken for int": int.from_bytes(bits.tobytes()[2:], "little"),
    }


def tokens(folder: Path) -> dict[str, Any]:
    write_tokens(folder / "a.bin", [7, 0, 258], 300)
    raw = (folder / "a.bin").read_bytes()
    write_tokens(folder / "b.bin", np.fromfile(COURSE / "corpora" / "ms-l2" / "train.txt", np.uint8), 256)
    return {
        "header bytes": len(raw) - 6,
        "magic": list(raw[:4]),
        "ids": list(raw[1024:]),
        "size": len(raw),
        "stories": (folder / "b.bin").stat().st_size,
    }


EXPECTED = {"file": file, "bf16": bf16, "tokens": tokens}


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_writes(title: str, tmp_path: Path) -> None:
    told, expected = worked(TEXT, title), EXPECTED[title](tmp_path)
    assert set(told) == set(expected)
    for name, values in told.items():
        assert [f"{value:.6f}" for value in values] == [f"{value:.6f}" for value in np.ravel(expected[name])]


def test_the_header_shown_is_the_one_that_is_written(tmp_path: Path) -> None:
    (told,) = blocks(section(TEXT, "A file by hand"), "json")
    assert saved(tmp_path)[8:].startswith(told.strip().encode("ascii"))
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_file_in_the_golden_is_the_packages_of_the_dtypes_told(tmp_path: Path) -> None:
    """The safetensors package reads it, and its dtypes are those that the format needs at least."""
    golden, _ = read_tensors(COURSE.parent / "oracle" / "L0.6" / "torch_file.safetensors")
    raw = golden["file"].tobytes()
    deserialize: Any = safetensors.deserialize
    official = {name: told for name, told in deserialize(raw)}
    assert {told["dtype"] for told in official.values()} == {"F32", "F16", "BF16", "I8", "U8", "I32"}
    (tmp_path / "a").write_bytes(raw)
    for name, array in load_safetensors(tmp_path / "a").items():
        assert list(array.shape) == official[name]["shape"]
        assert array.astype(golden[name].dtype).tobytes() == golden[name].tobytes()


def test_an_empty_row_of_any_dtype_is_written_as_chapter_and_contract_say(tmp_path: Path) -> None:
    contract = (COURSE / "contracts" / "py" / "tinyllm" / "io" / "tokens.pyi").read_text(encoding="utf-8")
    assert all("empty row is taken whatever its dtype" in text for text in (TEXT, contract))
    for row in ([], np.zeros(0, np.float32)):
        write_tokens(tmp_path / "a.bin", row, 9)
        assert len(open_tokens(tmp_path / "a.bin")) == 0


def test_an_integer_of_the_other_byte_order_is_as_told() -> None:
    assert f"{np.array([1], '>i4').view('<i4')[0]:,}" == "16,777,216" in TEXT
    assert (4 * (2**62 + 1)) % 2**64 == 4


def test_the_header_is_the_manifests() -> None:
    title, (least, most) = MANIFEST["title"], MANIFEST["hours"]
    assert TEXT.startswith(f"# L0.6 {title}\n")
    assert HEADER["Module"].startswith(f"L0.6 · {title} · {least} to {most} h")
    assert HEADER["Module"].endswith(f"rung {MANIFEST['rung']}")
    assert HEADER["Needs"].startswith("nothing") and MANIFEST["needs"] == []
    assert [each.split(",")[0] for each in HEADER["Used by"].split("; ")] == MANIFEST["used_by"]
    assert f"`python/tests/{MANIFEST['slug']}/`" in HEADER["You build"]
    assert all(f"`python/tinyllm/{unit}`" in HEADER["You build"] for unit in MANIFEST["units"])


def test_the_course_tests_are_the_manifests_in_its_order() -> None:
    rows = table(section(TEXT, "What the course tests check"))
    told = [(row[0].strip("`"), row[1].split(", "), row[3]) for row in rows]
    assert told == [(test["name"], test["kinds"], test["why"]) for test in MANIFEST["tests"]]
    assert all(row[2] for row in rows)
    assert "twenty-seven" in HEADER["Tests"] and len(rows) == 27


def test_the_pitfalls_are_the_mutants() -> None:
    told = [(*row[:4], code_names(row[4])) for row in table(section(TEXT, "Pitfalls"))]
    required = {True: ", required", False: ""}
    assert told == [
        (
            each["pitfall"],
            each["id"] + required[each.get("required", False)],
            each["title"],
            each["symptom"],
            each["killed_by"],
        )
        for each in MUTANTS
    ]


def test_the_interface_is_the_contracts() -> None:
    """Each call shown has the parameters and defaults of its signature, and none is left out."""
    signatures = {}
    for unit in MANIFEST["units"]:
        contract = COURSE / "contracts" / "py" / "tinyllm" / unit.replace(".py", ".pyi")
        for node in ast.parse(contract.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                for argument in node.args.args:
                    argument.annotation = None
                signatures[node.name] = ast.unparse(node.args)
    shown = [row[0].strip("`").rstrip(")").split("(") for row in table(section(TEXT, "The interface"))]
    assert {name: parameters for name, parameters in shown} == signatures


def test_what_a_header_begins_with_is_said_and_tried() -> None:
    headers = runpy.run_path(str(COURSE / "tests" / "L0.6" / "test_hostile.py"))["HEADERS"]
    assert "| boundary | eighteen headers |" in TEXT and len(headers) == 18
    contract = (COURSE / "contracts" / "py" / "tinyllm" / "io" / "safetensors.pyi").read_text("utf-8")
    assert "whose first byte is {" in contract and "whose `{` is the first byte" in TEXT


def test_brackets_in_an_object_tell_s25_and_bare_ones_do_not(tmp_path: Path) -> None:
    """What symptom, chapter and the given docstring point at is an input that shows the fault."""
    (s25,) = [each for each in MUTANTS if each["id"] == "s25"]
    (given,) = [
        test
        for test in _tests(COURSE / "given" / "L0.6" / "test_safetensors.py")
        if test.name == "test_a_header_of_another_form_is_refused"
    ]
    texts = (s25["symptom"], section(TEXT, "Files that lie"), ast.get_docstring(given) or "")
    assert all('{"x":[[[' in text for text in texts)
    source = (COURSE / "reference" / "tinyllm" / s25["unit"]).read_text(encoding="utf-8")
    faulty = types.ModuleType("faulty")
    exec(source.replace(s25["find"], s25["replace"]), faulty.__dict__)
    assert _raised(faulty.read_header, b'{"x":' + b"[" * 100_000, tmp_path) is RecursionError
    assert _raised(faulty.read_header, b"[" * 100_000, tmp_path) is ValueError


def _raised(read: Any, header: bytes, folder: Path) -> type[BaseException]:
    (folder / "a").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises((ValueError, RecursionError)) as caught:
        read(folder / "a")
    return caught.type


def test_the_rung_and_its_threshold_are_the_courses() -> None:
    rung, graded = read_toml(COURSE / "course.toml")["rungs"]["R2"], section(TEXT, "Your graded tests")
    assert MANIFEST["rung"] == "R2" and f"Rung R2: {rung['means'][0].lower()}{rung['means'][1:-1]}." in graded
    assert f"at least {rung['threshold']:.2f}**" in graded
    assert next(n for n in range(26) if n / 25 >= rung["threshold"]) == 15 and len(MUTANTS) == 25
    assert "fifteen of the twenty-five" in graded
    assert [each["id"] for each in MUTANTS if each.get("required")] == ["s01"]


def test_the_given_tests_are_the_exemplars_without_their_bodies() -> None:
    given, exemplars = (
        [test for name in MANIFEST["given"] for test in _tests(COURSE / kind / "L0.6" / name)]
        for kind in ("given", "exemplars")
    )
    assert [(each.name, ast.get_docstring(each)) for each in given] == [
        (each.name, ast.get_docstring(each)) for each in exemplars
    ]
    assert all(len(each.body) == 1 and ast.get_docstring(each) for each in given)
    assert "eighteen functions" in TEXT and len(given) == 18


def _tests(path: Path) -> list[ast.FunctionDef]:
    functions = [
        node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)
    ]
    return [node for node in functions if node.name.startswith("test_")]
