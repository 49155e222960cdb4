"""Arrays as bytes: what a child hands out, and what the trusted child makes of it, whoever wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ol.adapters import values
from ol.adapters.values import TrustedValues
from ol.child import arrays
from ol.child.arrays import packed
from ol.child.values import DTYPES, LIMIT_ARRAYS, LIMIT_BYTES, Unreadable, unpacked
from ol.domain.course import Probe
from ol.domain.errors import HarnessFault
from ol.domain.grading.values import Difference, Pair


def compared(got: bytes | dict[str, Any], expected: dict[str, Any], **tolerance: float) -> Difference:
    given = got if isinstance(got, bytes) else packed(got)
    pair = Pair(Probe("it", "why", **tolerance), given, packed(expected))
    (difference,) = TrustedValues().compare([pair])
    return difference


def file(header: Any, values: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + values


def entry(dtype: str = "F64", shape: Any = (1,), begin: int = 0, end: int = 8) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


# ---- packing


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_every_dtype_comes_back_as_it_was(dtype: str) -> None:
    given = {
        "a": np.array([[0, 1, 1]], dtype=dtype),
        "empty": np.zeros((0, 3), dtype=dtype),
        "b": np.ones((), dtype),
    }
    found = unpacked(packed(given))
    assert list(found) == list(given)
    for name, each in given.items():
        np.testing.assert_array_equal(found[name], each, strict=True)


def test_the_two_sides_have_the_same_bounds_and_dtypes() -> None:
    assert {code: name for name, code in DTYPES.items()} == arrays.NAMES
    assert (LIMIT_BYTES, LIMIT_ARRAYS) == (arrays.LIMIT_BYTES, arrays.LIMIT_ARRAYS)


def test_what_is_packed_is_a_copy_in_plain_order() -> None:
    values = np.arange(6.0).reshape(2, 3)
    for given in (
        values,
        np.asfortranarray(values),
        values[:, ::-1][:, ::-1],
        values.astype(">f8"),
        values.tolist(),
    ):
        np.testing.assert_array_equal(unpacked(packed({"a": given}))["a"], values, strict=True)


@pytest.mark.parametrize(
    "given", [None, "text", object(), [None], 1j, np.longdouble(1), np.datetime64("2026")]
)
def test_what_is_no_array_of_numbers_is_refused(given: object) -> None:
    with pytest.raises(TypeError, match="it "):
        packed({"it": given})


def test_more_than_the_bounds_is_refused() -> None:
    packed({"a": np.zeros(LIMIT_BYTES // 8)})
    with pytest.raises(ValueError, match="more than 1048576 bytes at b"):
        packed({"a": np.zeros(LIMIT_BYTES // 8), "b": np.zeros(1)})
    with pytest.raises(ValueError, match="65 arrays, and 64 may be handed out"):
        packed({str(n): 0 for n in range(65)})


@pytest.mark.parametrize("name", ["", "a,b", "w[0]", "é", "a" * 81, "line\n"])
def test_an_array_whose_name_could_not_be_read_back_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="needs a name of letters"):
        packed({name: 0})


# ---- reading what an adversary may have written


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x02\0\0\0\0\0\0",
        b"\xff" * 8,
        (1 << 40).to_bytes(8, "little") + b"{}",
        file(b"{"),
        file(b"[]"),
        file(b'"a"'),
        file("{}".encode("utf-16")),
        file(b"[" * 60_000),
        file(b'{"a": ' * 9_000 + b"1" + b"}" * 9_000),
        file(b'{"a": ' + b"1" * 50_000 + b"}"),
        file(b" " * (1 << 17) + b"{}"),
        file({}, b"left over"),
        file({"a": []}),
        file({"a": {**entry(), "more": 1}}, bytes(8)),
        file({"a": entry("O")}, bytes(8)),
        file({"a": entry(["F64"])}, bytes(8)),  # type: ignore[arg-type]
        file({"a": entry(shape=(-1,), end=-8)}, bytes(8)),
        file({"a": entry(shape=(True,))}, bytes(8)),
        file({"a": entry(shape=(1.0,))}, bytes(8)),
        file({"a": entry(shape=(1 << 62, 4), end=1 << 67)}, bytes(8)),
        file({"a": entry(shape=(1 << 20,) * 8, end=8)}, bytes(8)),
        file({"a": entry(shape=(1,) * 40)}, bytes(8)),
        file({"a": entry(shape=(0, 1 << 62), end=0)}),
        file({"a": entry(end=16)}, bytes(8)),
        file({"a": entry(begin=8, end=16)}, bytes(16)),
        file({"a": entry(), "b": entry()}, bytes(8)),
        file({str(n): entry(shape=(0,), end=0) for n in range(65)}),
        file({"a\x1b[2J": entry()}, bytes(8)),
        file({"": entry()}, bytes(8)),
        file({"a": entry("BOOL", end=1)}, b"\x02"),
    ],
)
def test_bytes_that_are_not_those_of_arrays_are_refused_before_anything_is_made_of_them(raw: bytes) -> None:
    with pytest.raises(Unreadable):
        unpacked(raw)
    assert compared(raw, {"a": 1.0}).fault == "unreadable"


def test_too_many_bytes_are_not_even_read(tmp_path: Path) -> None:
    found = compared(bytes(3 << 20), {"a": 1.0})
    assert found.told.endswith("(there are more bytes than a probe may hand out)")


# ---- comparing


def test_equal_arrays_agree() -> None:
    values = {
        "a": np.arange(6.0).reshape(2, 3),
        "n": 3,
        "t": np.array([True, False]),
        "i": np.float32(np.inf),
    }
    assert not compared(values, values)


def test_missing_and_unexpected_arrays_are_named() -> None:
    assert compared({"a": 1.0}, {"a": 1.0, "gone": 1.0}).told == "the array gone is missing"
    assert compared({"a": 1.0, "more": 1.0}, {"a": 1.0}).told == "the array more is unexpected"


def test_shape_comes_before_dtype_and_dtype_before_finiteness_and_that_before_values() -> None:
    expected = {"a": np.ones((2, 2))}
    given = [
        np.full(3, np.nan, dtype=np.float32),
        np.full((2, 2), np.nan, np.float32),
        np.array([[9, np.nan]] * 2),
    ]
    shape, dtype, finite = (compared({"a": each}, expected) for each in given)
    assert shape.told == "the array a has shape (3,), expected (2, 2)"
    assert dtype.told == "the array a has dtype float32, expected float64"
    assert finite.told == "a[0, 1] is nan, expected 1 (2 of 4 values)"


@pytest.mark.parametrize(("off", "differs"), [(0.9, False), (1.1, True)])
def test_the_tolerance_is_absolute_and_relative_together(off: float, differs: bool) -> None:
    expected = np.array([0.0, -100.0])
    got = expected + off * (1e-6 + 1e-5 * np.abs(expected))
    assert bool(compared({"a": got}, {"a": expected}, rtol=1e-5, atol=1e-6)) is differs


def test_the_greatest_difference_and_the_first_bad_value_are_told() -> None:
    expected, got = np.ones((2, 3)), np.ones((2, 3))
    got[0, 1], got[1, 2] = 1.5, 4.0
    found = compared({"a": got}, {"a": expected}, rtol=1e-5)
    assert found.told == "a is off in 2 of 6 values, by up to 3"
    assert found.lines == (
        "greatest difference: 3 absolute, 3 relative",
        "first bad value at [0, 1]: got 1.5, expected 1",
    )


def test_integers_are_equal_or_differ_whatever_the_tolerance() -> None:
    found = compared({"a": np.array([2**60 + 1])}, {"a": np.array([2**60])}, rtol=0.9, atol=0.9)
    assert (found.fault, found.got, found.expected) == ("values", str(2**60 + 1), str(2**60))
    assert compared({"a": np.array([True])}, {"a": np.array([False])}, atol=0.9).fault == "values"


@pytest.mark.parametrize(
    ("got", "expected", "fault"),
    [
        (np.nan, np.nan, "values"),
        (np.inf, np.inf, ""),
        (np.inf, -np.inf, "values"),
        (1.0, np.inf, "finite"),
        (np.nan, 1.0, "finite"),
        (1e308, -1e308, "values"),
    ],
)
def test_nan_is_like_nothing_and_an_infinity_like_itself(got: float, expected: float, fault: str) -> None:
    assert compared({"a": got}, {"a": expected}, rtol=0.1, atol=0.1).fault == fault


def chosen(ids: list[int], margins: list[float]) -> dict[str, Any]:
    return {"ids": np.array(ids), "ids.margin": np.array(margins)}


def test_only_choices_that_were_clear_on_the_reference_count() -> None:
    expected = chosen([1, 2, 3], [0.5, 0.5, 1e-9])
    assert not compared(chosen([1, 2, 9], [0.5, 0.5, 0.5]), expected, margin=1e-6)
    assert compared(chosen([1, 9, 3], [0.0, 0.0, 0.0]), expected, margin=1e-6).place == "1"
    assert compared({"ids": np.array([1, 9, 3])}, expected, margin=1e-6).fault == "values"


def test_where_most_choices_could_go_either_way_that_is_the_finding() -> None:
    found = compared(chosen([1, 2, 3], [1] * 3), chosen([1, 2, 3], [1, 0, 0]), margin=1e-6)
    assert found.told == "ids may be chosen either way in 2 of 3 values"


def test_many_pairs_are_answered_in_their_order() -> None:
    probe = Probe("it", "why")
    pairs = [Pair(probe, packed({"a": n}), packed({"a": 1})) for n in range(3)]
    assert [bool(each) for each in TrustedValues().compare(pairs)] == [True, False, True]
    assert TrustedValues().compare([]) == ()


def test_without_a_whole_answer_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(Probe("it", "why"), packed({"a": 1}), packed({"a": 1}))
    for answer in (
        None,
        b"",
        b"{}\n",
        b'{"compared": 1}\n',
        b'{}\n{"compared": 2}\n',
        b'{}\n{}\n{"compared": 1}\n',
        b"?",
    ):
        monkeypatch.setattr(values.process, "output_of", lambda *_, answer=answer, **__: answer)
        with pytest.raises(HarnessFault):
            TrustedValues().compare([pair])
