"""A golden file and how it was made: what `oracle/manifest.toml` records, and where the two part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from ol.domain.authoring import toml_text
from ol.domain.course import Golden, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.report import Reason

MANIFEST = "oracle/manifest.toml"
VERSIONS = ("torch", "numpy", "blas")


@dataclass(frozen=True, slots=True)
class GoldenRecord:
    """`torch`, `numpy` and `blas` are the versions that the program itself ran with."""

    program_sha256: str
    output_sha256: str
    seed: int
    torch: str
    numpy: str
    blas: str
    rtol: float
    atol: float
    reason: str

    @staticmethod
    def of(golden: Golden, program: File, made: File) -> GoldenRecord:
        """CourseWrong where the file does not say which versions made it."""
        found = made_with(made)
        if lacking := [name for name in VERSIONS if not found.get(name)]:
            told = f"{program.name} does not say in {golden.file} which {', '.join(lacking)} made it."
            step = 'Let it save metadata {"made_with": json.dumps(versions)} with torch, numpy and blas.'
            raise CourseWrong("golden-versions", told, step)
        return GoldenRecord(
            program_sha256=program.sha256,
            output_sha256=made.sha256,
            seed=golden.seed,
            torch=found["torch"],
            numpy=found["numpy"],
            blas=found["blas"],
            rtol=golden.rtol,
            atol=golden.atol,
            reason=golden.reason,
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """Where one tensor of a golden file is not what it is to be; `fault` is one of
    missing, unexpected, dtype, shape, values."""

    tensor: str
    fault: str
    got: str = ""
    expected: str = ""
    place: str = ""  # index of the value furthest out: `0, 2`
    apart: str = ""
    allowed: str = ""
    bad: int = 0
    size: int = 0

    @property
    def told(self) -> str:
        if self.fault in ("missing", "unexpected"):
            return f"{self.tensor} is {self.fault}"
        if self.fault != "values":
            return f"{self.tensor} has {self.fault} {self.got}, expected {self.expected}"
        place = f"[{self.place}]" if self.place else ""
        return (
            f"{self.tensor}{place} is {self.got}, expected {self.expected}: {self.apart} apart, "
            f"{self.allowed} allowed ({self.bad} of {self.size} values too far)"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two golden files, tensor by tensor. `unreadable`: why there is nothing to compare."""

    tensors: int
    differences: tuple[Difference, ...] = ()
    unreadable: str = ""


def key(module: ModuleId, golden: Golden) -> str:
    """The golden's name in the manifest."""
    return f"{module}/{golden.file}"


def output_path(module: ModuleId, golden: Golden) -> str:
    return f"oracle/{module}/{golden.file}"


def program_path(module: ModuleId, golden: Golden) -> str:
    return f"course/oracle/{module}/{golden.program}"


def made_with(file: File) -> Mapping[str, str]:
    """The versions in a safetensors file's metadata, if it names any. CourseWrong for another file."""
    size = int.from_bytes(file.content[:8], "little")
    try:
        if 8 + size > len(file.content):
            raise ValueError("it ends within its header")
        header = json.loads(file.content[8 : 8 + size])
        return dict(json.loads(header.get("__metadata__", {}).get("made_with", "{}")))
    except (ValueError, AttributeError, TypeError) as error:
        told = f"{file.name} is no safetensors file with readable metadata."
        step = "Let its program write it with safetensors' save_file."
        raise CourseWrong("golden-unreadable", told, step) from error


def manifest_text(records: Mapping[str, GoldenRecord]) -> str:
    """`oracle/manifest.toml`, the goldens in the order of their names."""
    names = sorted(records)
    tables = [toml_text.table(f"goldens.{toml_text.quoted(name)}", asdict(records[name])) for name in names]
    return "\n".join(["# Written by `ol oracle`.", "", *tables])


def disagreements(
    module: ModuleId, golden: Golden, record: GoldenRecord | None, program: File | None, output: File | None
) -> Iterator[Reason]:
    """Where a golden, its record and its declaration in the module's manifest do not belong together."""
    name, again = key(module, golden), f"Run `ol oracle {module}`."
    if program is None:
        told = f"{program_path(module, golden)} is missing."
        yield Reason("golden-missing", told, "Restore it, or write it.")
    if output is None:
        yield Reason("golden-missing", f"{output_path(module, golden)} is missing.", again)
    if record is None:
        yield Reason("golden-unrecorded", f"{MANIFEST} records no {name}.", again)
        return
    if program is not None and program.sha256 != record.program_sha256:
        told = f"{program.name} was changed since it made {name}: its hash is not the one in {MANIFEST}."
        yield Reason("golden-program-changed", told, again)
    if output is not None and output.sha256 != record.output_sha256:
        told = f"{output.name} is not the file that was made: its hash is not the one in {MANIFEST}."
        step = f"`git checkout -- oracle` brings it back, `ol oracle {module}` makes it anew."
        yield Reason("golden-changed", told, step)
    for field in ("seed", "rtol", "atol", "reason"):
        if getattr(record, field) != getattr(golden, field):
            told = f"{field} of {name} is {getattr(golden, field)!r} in course/modules/{module}.toml"
            told += f" and {getattr(record, field)!r} in {MANIFEST}."
            yield Reason("golden-differs", told, again)
