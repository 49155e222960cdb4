from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ol.domain.authoring.golden import GoldenRecord, disagreements, made_with, manifest_text
from ol.domain.course import Golden, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File

ID = ModuleId("B1")
GOLDEN = Golden("line.safetensors", "line_made.py", 7, 1e-5, 1e-6, 'a "reason"')
PROGRAM = File("course/oracle/B1/line_made.py", b"program")
VERSIONS = {"torch": "2", "numpy": "2.4", "blas": "mkl"}


def made(metadata: Any) -> File:
    head = json.dumps({"__metadata__": metadata} if metadata is not None else {}).encode()
    return File("oracle/B1/line.safetensors", len(head).to_bytes(8, "little") + head)


OUTPUT = made({"made_with": json.dumps(VERSIONS)})
RECORD = GoldenRecord.of(GOLDEN, PROGRAM, OUTPUT)


def test_the_record_keeps_what_made_the_file_and_how_closely_it_is_met() -> None:
    assert (RECORD.torch, RECORD.numpy, RECORD.blas) == ("2", "2.4", "mkl")
    assert (RECORD.seed, RECORD.rtol, RECORD.atol, RECORD.reason) == (7, 1e-5, 1e-6, 'a "reason"')
    assert (RECORD.program_sha256, RECORD.output_sha256) == (PROGRAM.sha256, OUTPUT.sha256)
    assert list(disagreements(ID, GOLDEN, RECORD, PROGRAM, OUTPUT)) == []


@pytest.mark.parametrize("metadata", [None, {}, {"made_with": "{}"}, {"made_with": '{"torch": "2"}'}])
def test_versions_that_the_file_does_not_name_are_asked_for(metadata: Any) -> None:
    with pytest.raises(CourseWrong, match="numpy, blas made it"):
        GoldenRecord.of(GOLDEN, PROGRAM, made(metadata))


@pytest.mark.parametrize(
    "content", [b"", b"\x09\0\0\0\0\0\0\0{}", b"\x02\0\0\0\0\0\0\0[]", b"\x04\0\0\0\0\0\0\0null"]
)
def test_a_file_without_a_header_is_no_golden(content: bytes) -> None:
    with pytest.raises(CourseWrong, match="no safetensors file"):
        made_with(File("a", content))


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        ({"record": None}, "golden-unrecorded"),
        ({"program": None}, "golden-missing"),
        ({"output": None}, "golden-missing"),
        ({"program": File(PROGRAM.name, b"other")}, "golden-program-changed"),
        ({"output": File(OUTPUT.name, b"other")}, "golden-changed"),
        ({"record": replace(RECORD, seed=8)}, "golden-differs"),
        ({"record": replace(RECORD, rtol=1e-4)}, "golden-differs"),
        ({"record": replace(RECORD, reason="")}, "golden-differs"),
    ],
)
def test_each_disagreement_has_its_reason_and_its_cure(change: dict[str, Any], slug: str) -> None:
    given = {"record": RECORD, "program": PROGRAM, "output": OUTPUT, **change}
    (reason,) = disagreements(ID, GOLDEN, given["record"], given["program"], given["output"])
    assert reason.slug == slug
    assert reason.next_step


def test_the_manifest_is_sorted_and_quotes_what_must_be_quoted() -> None:
    text = manifest_text({"B1/line.safetensors": RECORD, "A/a.safetensors": RECORD})
    assert text.index('[goldens."A/a') < text.index('[goldens."B1/line')
    assert 'reason = "a \\"reason\\""' in text
    assert "rtol = 1e-05" in text
