from __future__ import annotations

from ol.child import confinement
from ol.domain.telling.unconfined import remark


def test_each_name_that_a_child_tells_has_its_words() -> None:
    names = ["files", "truncation", "network", "signals"]
    assert {*confinement.unconfined(0, False), *confinement.unconfined(2, True)} == {*names}
    told = remark(names)
    assert told.startswith(
        "the kernel here does not keep student code from: files outside its folder, emptying files outside its "
        "folder, the network, signals to other processes"
    )


def test_where_all_is_kept_nothing_is_said() -> None:
    assert remark([]) == ""
