"""The frozen kit measures right: comparisons that can fail, known gradients, files read as written."""

from __future__ import annotations

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from frozen import (
    PCG32,
    KnownMistake,
    assert_close,
    assert_equal,
    bar,
    central_differences,
    corpus,
    draw,
    golden,
    read_tensors,
)
from frozen.root import course_root

ROOT = Path(__file__).parents[2]


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OL_COURSE_ROOT", str(ROOT))


class Agreeable(np.ndarray):
    """An array that says yes to every comparison."""

    def __eq__(self, other: object) -> Any:
        return np.ones(self.shape, dtype=bool)

    def __array_ufunc__(self, *args: Any, **options: Any) -> Any:
        return np.zeros(self.shape)


@pytest.mark.parametrize(
    ("got", "says"),
    [
        (np.float32([1, 2]), "dtype float32 where float64 is expected"),
        (np.array([[1.0, 2.0]]), r"shape \(1, 2\) where \(2,\) is expected"),
        (1.0, r"shape \(\) where \(2,\) is expected: got 1\.0"),
        (np.array([1.0, 2.1]), r"1 of 2 values differ .*\n.*0.1 absolute, 0.05 relative\n.* at \[1\]"),
        (np.array([np.nan, 2.0]), r"1 of 2 values differ .*\n.*\nfirst bad value at \[0\]: got .*nan"),
        (np.array([np.inf, 2.0]), r"1 of 2 values differ"),
        (np.array([5.0, 6.0]).view(Agreeable), r"2 of 2 values differ"),
    ],
)
def test_assert_close_refuses_and_says_why(got: Any, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        assert_close(got, np.array([1.0, 2.0]), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("got", [None, np.float32([1.0]), np.array([2.0])], ids=["shape", "dtype", "value"])
def test_a_comparison_names_the_array_that_it_is_told_of(got: Any) -> None:
    with pytest.raises(AssertionError, match=r"^emb\.weight: "):
        assert_close(got, np.array([1.0]), rtol=0.0, atol=0.0, of="emb.weight")
    with pytest.raises(AssertionError, match=r"^emb\.weight: "):
        assert_equal(got, np.array([1.0]), of="emb.weight")


def test_assert_close_takes_what_lies_within_either_tolerance() -> None:
    assert_close(np.array([100.05, 0.0009, np.inf]), np.array([100.0, 0.0, np.inf]), rtol=1e-3, atol=1e-3)
    with pytest.raises(AssertionError, match=r"expected .*-inf"):
        assert_close(np.array([np.inf]), np.array([-np.inf]), rtol=1.0, atol=1.0)


def test_assert_equal_sees_the_last_bit() -> None:
    one = np.float32([1.0])
    assert_equal(one, one.copy())
    with pytest.raises(AssertionError, match="1 of 1 values differ"):
        assert_equal(np.nextafter(one, np.float32(2)), one)


def test_central_differences_of_a_cubic_are_its_derivative() -> None:
    x = np.array([[1.0, -2.0], [0.5, 3.0]])
    before = x.copy()
    np.testing.assert_allclose(central_differences(lambda: float((x**3).sum()), x), 3 * before**2, rtol=1e-8)
    assert_equal(x, before)


def test_central_differences_refuse_float32() -> None:
    with pytest.raises(ValueError, match="float64"):
        central_differences(lambda: 0.0, np.zeros(2, dtype=np.float32))  # type: ignore[arg-type]


def test_read_tensors_agrees_with_the_official_writer(tmp_path: Path) -> None:
    tensors: dict[str, Any] = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([-1, 2**40]),
        "c": np.array(2.5),
        "d": np.zeros((0, 4), dtype=np.uint8),
    }
    save_file(tensors, tmp_path / "t.safetensors", {"key": "value"})
    read, metadata = read_tensors(tmp_path / "t.safetensors")
    assert metadata == {"key": "value"}
    assert set(read) == set(tensors)
    for name, values in tensors.items():
        assert_equal(read[name], values)


def test_read_tensors_refuses_a_dtype_it_does_not_know(tmp_path: Path) -> None:
    header = json.dumps({"a": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}).encode()
    (tmp_path / "t.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + b"\0")
    with pytest.raises(KeyError, match="F8_E4M3"):
        read_tensors(tmp_path / "t.safetensors")


def test_draw_takes_the_first_id_whose_sum_exceeds_the_point() -> None:
    u, weights = PCG32(5).uniform(), np.array([0.1, 0.2, 0.3, 0.4])
    want = next(j for j, running in enumerate(np.cumsum(weights)) if running > u)
    assert draw(np.log(weights), 1.0, PCG32(5)) == want


def test_draw_at_temperature_zero_takes_the_first_maximum_and_draws_nothing() -> None:
    rng = PCG32(5)
    assert draw([1.0, 3.0, 3.0], 0, rng) == 1
    assert rng.uniform() == PCG32(5).uniform()


def test_the_golden_file_comes_with_the_tolerance_of_the_manifest(course: None) -> None:
    nplm = golden("L2.2/nplm.safetensors")
    assert 0 < nplm.atol <= nplm.rtol < 1e-3
    assert nplm.tensors["with_direct/logits"].shape == (8, 11)


def test_a_bar_has_its_bounds_around_the_mean(course: None) -> None:
    perplexity = bar("L2.2", "corpus_perplexity")
    assert 1 < perplexity.lower < perplexity.mean < perplexity.upper


def test_the_corpus_is_read_as_one_id_a_byte(course: None) -> None:
    train, val = corpus("ms-l2", "train"), corpus("ms-l2", "val")
    assert train.dtype == val.dtype == np.uint8
    assert len(val) == 14_675
    assert bytes(val[-1:]) == bytes(train[-1:]) == b"\n"


def test_without_a_course_root_the_kit_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OL_COURSE_ROOT", raising=False)
    with pytest.raises(RuntimeError, match=r"set it to the folder that holds course/course\.toml"):
        course_root()


# ---- known wrong values

REVERSED, SHORT = "it is turned round", "its end is missing"
KNOWN_WRONG = {REVERSED: [2.0, 1.0], SHORT: [1.0]}


def mistake(got: Any, known_wrong: Any = KNOWN_WRONG, atol: float = 1e-3) -> str:
    """The sentence that the failure carries, "" where it carries none."""
    with pytest.raises(AssertionError) as caught:
        assert_close(got, np.array([1.0, 2.0]), rtol=0, atol=atol, of="y", known_wrong=known_wrong)
    assert str(caught.value).startswith("y: ")
    return caught.value.known_wrong if isinstance(caught.value, KnownMistake) else ""


def test_a_failure_on_known_wrong_values_carries_their_sentence() -> None:
    assert mistake(np.array([2.0, 1.0009])) == REVERSED
    assert mistake(np.array([1.0])) == SHORT  # of another shape than what is wanted
    assert mistake(np.array([2.0, 1.0]), {"first": [2.0, 1.0], "second": [2.0, 1.0]}) == "first"


@pytest.mark.parametrize("got", [[2.0, 1.1], [[2.0, 1.0]], [2.0], [np.nan, 1.0], [2.0, 1.0, 1.0]])
def test_a_failure_on_other_values_carries_none(got: list[float]) -> None:
    assert mistake(np.array(got)) == ""


def test_known_wrong_values_are_as_near_as_the_comparison_itself_asks() -> None:
    assert mistake(np.array([2.0, 1.05]), atol=0.1) == REVERSED
    assert mistake(np.array([2.0, 1.05]), atol=0.01) == ""


def test_known_wrong_values_are_worked_out_only_after_a_failure() -> None:
    asked: list[str] = []
    lazy = {REVERSED: lambda: asked.append("asked") or [2.0, 1.0]}
    assert_close(np.array([1.0, 2.0]), np.array([1.0, 2.0]), rtol=0, atol=0, known_wrong=lazy)
    assert asked == []
    assert mistake(np.array([2.0, 1.0]), lazy) == REVERSED
    assert asked == ["asked"]


def test_what_is_right_is_right_even_where_it_is_called_wrong() -> None:
    assert_equal(np.array([1, 2]), np.array([1, 2]), known_wrong={REVERSED: [1, 2]})
    with pytest.raises(KnownMistake):
        assert_equal(np.array([2, 1]), np.array([1, 2]), known_wrong={REVERSED: [2, 1]})


def test_integers_have_no_relative_difference() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_equal(np.array([0, 3]), np.array([0, 1]))
    assert "greatest difference: 2 absolute\n" in str(caught.value)


def test_two_infinities_are_equal_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_close(np.array([np.inf, 1.0]), [np.inf, 1.0], rtol=0.0, atol=0.0, of="it")


def test_great_integers_that_differ_by_one_are_not_equal() -> None:
    with pytest.raises(AssertionError, match="1 of 1 values differ"):
        assert_equal(np.array([2**63 + 1], np.uint64), np.array([2**63], np.uint64), of="it")
