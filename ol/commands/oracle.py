"""`ol oracle`: make the golden files by the course's oracle programs, or show that they come out the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ol.domain.authoring import golden
from ol.domain.authoring.golden import GoldenRecord, disagreements, manifest_text
from ol.domain.course import CourseModule, Golden, ModuleId
from ol.domain.course_report import CourseReport, Ruling, proof
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.file import File
from ol.domain.report import Answer, GateResult, Page, Reason
from ol.ports import Authoring, Ports

_SHOWN = 5


def oracle(ports: Ports, author: Authoring, ids: Sequence[str] = (), *, check_only: bool = False) -> Answer:
    """Of the modules named, or of all that declare goldens. WrongRequest where torch is missing."""
    course = ports.catalog.course
    modules = [course.module(id) for id in ids] or [each for each in course.in_order() if each.goldens]
    for module in modules:
        if not module.goldens:
            told = f"{module.id} declares no goldens: the oracle makes nothing for it."
            raise WrongRequest("no-goldens", told, "Modules with [[goldens]] in their manifest have some.")
    if not modules:
        return Page("oracle", ("No module declares a golden.",))
    if not author.has_torch():
        told = "torch is not installed, and the programs of the oracle need it."
        raise WrongRequest("torch-missing", told, "Install the extra: `pip install -e '.[oracle]'`.")
    made = {module.id: _Programs(ports, author, module).made() for module in modules}
    if not check_only:
        return _written(author, modules, made)
    gates = [gate for module in modules for gate in _compared(author, module, made[module.id])]
    return CourseReport.on("oracle --check", course, ports.catalog.lock_hash, list(made), gates)


@dataclass(frozen=True, slots=True)
class _Programs:
    """The programs of one module, each run once in scratch."""

    ports: Ports
    author: Authoring
    module: CourseModule

    def made(self) -> dict[Golden, File]:
        """Every golden as its program makes it here and now."""
        found: dict[Golden, File] = {}
        runs: dict[tuple[str, int], list[Golden]] = {}
        for each in self.module.goldens:
            runs.setdefault((each.program, each.seed), []).append(each)
        self.ports.progress.begin(f"{self.module.id} programs", len(runs))
        try:
            for wanted in runs.values():
                found |= self._run(wanted)
                self.ports.progress.step()
        finally:
            self.ports.progress.end()
        return found

    def _run(self, goldens: Sequence[Golden]) -> dict[Golden, File]:
        path = golden.program_path(self.module.id, goldens[0])
        with self.ports.foreground.scratch() as scratch:
            arguments = [str(scratch), str(goldens[0].seed)]
            code, errors = self.ports.foreground.program(self.ports.catalog.root / path, arguments)
            files = {each: self.author.made(scratch, each.file) for each in goldens}
        if code != 0:
            said = [line.strip() for line in errors.splitlines() if line.strip()]
            told = f"{path} ended with exit code {code}: {said[-1] if said else 'it wrote no reason.'}"
            step = "Mend the program; it is run as `python PROGRAM OUT_DIR SEED`."
            raise CourseWrong("oracle-failed", told, step)
        return {each: self._whole(path, each, file) for each, file in files.items()}

    def _whole(self, path: str, each: Golden, file: File | None) -> File:
        if file is None:
            told = f"{path} wrote no {each.file} into the folder it was given."
            step = "Let it write OUT_DIR/<file>, as the manifest names the file."
            raise CourseWrong("oracle-wrote-nothing", told, step)
        return File(golden.output_path(self.module.id, each), file.content)


def _written(
    author: Authoring, modules: Sequence[CourseModule], made: Mapping[ModuleId, Mapping[Golden, File]]
) -> Page:
    """The goldens, then the manifest: all are made before the first is written."""
    records = {name: each for name, each in author.golden_records().items() if name.split("/")[0] not in made}
    lines: list[str] = []
    for module in modules:
        for each, file in made[module.id].items():
            record = GoldenRecord.of(each, _program(author, module, each), file)
            records[golden.key(module.id, each)] = record
            lines.append(f"written   {file.name}: torch {record.torch}, numpy {record.numpy}, {record.blas}")
    for files in made.values():
        for file in files.values():
            author.write(file.name, file.content)
    author.write(golden.MANIFEST, manifest_text(records).encode("utf-8"))
    fields = {name: record.output_sha256 for name, record in records.items()}
    return Page("oracle", (*lines, f"written   {golden.MANIFEST}"), fields)


def _compared(author: Authoring, module: CourseModule, made: Mapping[Golden, File]) -> Iterator[GateResult]:
    """Hashes first, then every tensor of the file in the tree with the one made now."""
    records = author.golden_records()
    for each, file in made.items():
        record = records.get(golden.key(module.id, each))
        stored = author.file(file.name)
        program = author.file(golden.program_path(module.id, each))
        reasons = tuple(disagreements(module.id, each, record, program, stored))
        ruling = _ruled(author, each, stored, file, reasons) if stored else Ruling("missing", reasons)
        yield proof(file.name, {module.id: ruling})


def _ruled(author: Authoring, each: Golden, stored: File, made: File, reasons: tuple[Reason, ...]) -> Ruling:
    found = author.compare(stored, made, each.rtol, each.atol)
    step = "`git checkout -- oracle` brings the file back, `ol oracle` makes it anew."
    if found.unreadable:
        reasons += (Reason("golden-unreadable", f"{stored.name}: {found.unreadable}.", step),)
    for difference in found.differences[:_SHOWN]:
        reasons += (Reason("golden-value", f"{stored.name}: {difference.told}.", step),)
    near = f"{found.tensors - len(found.differences)}/{found.tensors} tensors"
    told = f"{near} within rtol {each.rtol:g}, atol {each.atol:g}"
    return Ruling(f"{told}, but not as recorded" if reasons and not found.differences else told, reasons)


def _program(author: Authoring, module: CourseModule, each: Golden) -> File:
    program = author.file(golden.program_path(module.id, each))
    assert program is not None, "it has just been run"
    return program
