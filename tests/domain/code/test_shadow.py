"""Names of files that would be imported in a library's place."""

from __future__ import annotations

import pytest

from ol.domain.code.shadow import library_names, refuse_shadow
from ol.domain.errors import WorkRefused
from tests.fakes import Desk

LIBRARIES = library_names(Desk.of().catalog.course)


@pytest.mark.parametrize(
    "name", ["numpy", "pytest", "random", "Numpy", "sitecustomize", "_pytest", "frozen", "tiny"]
)
def test_a_library_s_name_is_refused_in_any_case(name: str) -> None:
    with pytest.raises(WorkRefused, match=name) as caught:
        refuse_shadow(f"python/{name}.py", name, LIBRARIES)
    assert caught.value.slug == "shadow-name" and caught.value.next_step == "Rename it."


@pytest.mark.parametrize("name", ["test_nplm", "conftest", "nplm", "numpy_data"])
def test_a_student_s_own_name_is_let_alone(name: str) -> None:
    refuse_shadow(f"python/{name}.py", name, LIBRARIES)
