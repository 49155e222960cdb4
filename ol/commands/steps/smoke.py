"""The smoke tests of a module: the few that tell first whether there is anything to build on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ol.domain.code.identity import identify
from ol.domain.course import CourseModule
from ol.domain.file import File


def smoke_ids(module: CourseModule, ids: Mapping[str, str]) -> tuple[str, ...]:
    """Their node ids, in the manifest's order, of those that `function_ids` has found."""
    return tuple(ids[test.name] for test in module.tests if test.smoke and test.name in ids)


def function_ids(files: Sequence[File]) -> Mapping[str, str]:
    """The test functions that stand in the files: name -> node id."""
    return {id.rsplit("::", 1)[-1]: id for id in identify(files).functions}
