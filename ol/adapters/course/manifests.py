"""`course/modules/*.toml` as a mapping, each read and checked when it is asked for."""

from __future__ import annotations

from collections.abc import Collection

from ol.adapters.course.described import Described
from ol.adapters.course.toml_values import decode
from ol.adapters.course.tree import CourseTree
from ol.domain.authoring import manifest
from ol.domain.course import CourseModule, ModuleId


class Manifests(Described[CourseModule]):
    def __init__(self, tree: CourseTree, rungs: Collection[str]) -> None:
        super().__init__(tree, "modules")
        self._rungs = rungs

    def _checked(self, id: ModuleId) -> CourseModule:
        path = manifest.manifest_path(id)
        module = decode(CourseModule, self._tree.read(path), path)
        manifest.check_manifest(module, id, self._ids, self._rungs, path)
        manifest.check_apart([*self._read.values(), module])
        return module
