from __future__ import annotations

import pytest

from ol.domain.code.defined import apart
from ol.domain.file import File

FILE = File("probes.py", b"def probe_a(): ...\ndef probe_b(): ...\ndef other(): ...\n")


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        (["probe_a", "probe_b"], ("", "")),
        (["probe_a"], ("", "probe_b")),
        (["probe_a", "probe_b", "probe_d", "probe_c"], ("probe_c", "")),
        (["probe_c"], ("probe_c", "probe_a")),
    ],
)
def test_what_is_declared_and_what_is_defined_are_set_apart(
    declared: list[str], found: tuple[str, str]
) -> None:
    assert apart(FILE, "probe_", declared) == found
