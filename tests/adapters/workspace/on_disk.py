"""A workspace of one module on disk, and ways to spoil it."""

from __future__ import annotations

from pathlib import Path

from ol.adapters.workspace.files import WorkspaceFiles, student_files
from tests.made import module

UNIT = "lm/a.py"
A1 = module("A.1", UNIT, slug="a-1")


def put(path: Path, content: bytes = b"x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def everything(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def link_unit(workspace: WorkspaceFiles) -> None:
    target = put(workspace.root / "reference.py")
    workspace.unit_path(UNIT).parent.mkdir(parents=True)
    workspace.unit_path(UNIT).symlink_to(target)


def link_folder(workspace: WorkspaceFiles) -> None:
    put(workspace.root / "elsewhere" / "a.py")
    (workspace.root / "python" / "tiny").mkdir(parents=True)
    (workspace.root / "python" / "tiny" / "lm").symlink_to(
        workspace.root / "elsewhere", target_is_directory=True
    )


def dangling_link(workspace: WorkspaceFiles) -> None:
    workspace.unit_path(UNIT).parent.mkdir(parents=True)
    workspace.unit_path(UNIT).symlink_to(workspace.root / "nowhere")


def folder_for_a_file(workspace: WorkspaceFiles) -> None:
    workspace.unit_path(UNIT).mkdir(parents=True)


def file_for_a_folder(workspace: WorkspaceFiles) -> None:
    put(workspace.root / "python" / "tiny")


def file_for_python(workspace: WorkspaceFiles) -> None:
    put(workspace.root / "python")


def too_large(workspace: WorkspaceFiles) -> None:
    put(workspace.unit_path(UNIT), b"#" * (student_files.LARGEST_SOURCE + 1))


def shadow_beside_the_code(workspace: WorkspaceFiles) -> None:
    put(workspace.unit_path(UNIT))
    put(workspace.root / "python" / "numpy.py")


def shadow_folder(workspace: WorkspaceFiles) -> None:
    put(workspace.unit_path(UNIT))
    put(workspace.root / "python" / "Random" / "__init__.py")


def module_in_the_package_s_place(workspace: WorkspaceFiles) -> None:
    put(workspace.unit_path(UNIT))
    put(workspace.root / "python" / "tiny.py")


def denied(path: object, *_: object, **__: object) -> int:
    raise PermissionError(13, "Permission denied", str(path))
