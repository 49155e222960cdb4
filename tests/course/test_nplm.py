"""The reference NPLM beyond its course tests: what they leave to chance, and its shortcuts for speed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM, train_nplm, windows
from tinyllm.num.rng import PCG32


def model(direct: bool = True) -> NPLM:
    return NPLM(11, 4, 3, 6, direct=direct, rng=PCG32(2))


@given(ids=st.lists(st.integers(-9, 300), min_size=2, max_size=40), data=st.data())
def test_window_and_target_i_are_the_context_plus_one_ids_from_i(ids: list[int], data: Any) -> None:
    context = data.draw(st.integers(1, len(ids) - 1))
    x, y = windows(ids, context)
    assert x.dtype == y.dtype == np.int64
    assert [[*row, target] for row, target in zip(x.tolist(), y.tolist(), strict=True)] == [
        ids[i : i + context + 1] for i in range(len(ids) - context)
    ]


def test_windows_do_not_share_memory_with_what_they_came_from() -> None:
    ids = np.arange(6)
    x, y = windows(ids, 2)
    ids[:] = 0
    assert x.tolist() == [[0, 1], [1, 2], [2, 3], [3, 4]]
    assert y.tolist() == [2, 3, 4, 5]
    x[0, 1] = 9
    assert x[1, 0] == 1


@pytest.mark.parametrize("direct", [True, False])
@given(window=st.lists(st.integers(0, 10), min_size=4, max_size=4))
@settings(max_examples=30)
def test_generate_and_forward_see_the_same_logits(direct: bool, window: list[int]) -> None:
    m = model(direct)
    shortcut = m._one_window()(np.array(window))
    np.testing.assert_allclose(shortcut, m(np.array([window])).data[0], rtol=1e-5, atol=1e-6)
    assert shortcut.dtype == np.float32


def test_generate_reads_the_weights_as_they_are_at_the_call() -> None:
    m = model()
    m.generate([1, 2, 3, 4], 5, 0.0, 0)
    m.out.weight.data[...] = 0.0
    assert m.direct is not None
    m.direct.weight.data[...] = 0.0
    assert m.generate([1, 2, 3, 4], 5, 0.0, 0) == [0] * 5


def test_generate_draws_from_a_distribution_of_the_right_frequencies() -> None:
    m = NPLM(3, 1, 1, 1, rng=PCG32(0))
    for layer in (m.out, m.direct):
        assert layer is not None
        layer.weight.data[...] = 0.0
    assert m.out.bias is not None
    m.out.bias.data[...] = np.log([0.2, 0.5, 0.3])
    counts = np.bincount(m.generate([0], 20_000, 1.0, 3), minlength=3) / 20_000
    np.testing.assert_allclose(counts, [0.2, 0.5, 0.3], atol=0.015)  # four deviations


@pytest.mark.parametrize("batch_size", [1, 7, 1024])
def test_nll_is_float64_and_keeps_no_graph(batch_size: int) -> None:
    m = model()
    costs = m.nll([i % 11 for i in range(40)], batch_size=batch_size)
    assert costs.dtype == np.float64
    assert costs.shape == (36,)
    assert all(tensor.grad is None for tensor in m.parameters())


def test_nll_survives_logits_that_exp_cannot() -> None:
    m = model()
    assert m.out.bias is not None
    m.out.bias.data[3] = 1e4
    costs = m.nll([3] * 5 + [0])
    assert np.isfinite(costs).all()
    assert costs[0] == 0.0
    assert costs[-1] > 9e3


def test_a_float64_model_computes_in_float64_all_the_way() -> None:
    m = model()
    for tensor in m.parameters():
        tensor.data = tensor.data.astype(np.float64)
    x, y = windows([i * i % 11 for i in range(12)], 4)
    logits = m(x)
    cross_entropy(logits, y).backward()
    assert logits.data.dtype == np.float64
    assert {tensor.grad.dtype for tensor in m.parameters() if tensor.grad is not None} == {
        np.dtype(np.float64)
    }


def test_ids_of_any_integer_type_are_read_alike() -> None:
    m, ids = model(), [5, 0, 10, 3, 7, 7]
    want = m.nll(ids)
    for kind in (np.uint8, np.int16, np.uint64):
        np.testing.assert_array_equal(m.nll(np.array(ids, dtype=kind)), want)


@pytest.mark.parametrize("ids", [[True, False] * 4, [0.0] * 8, ["a"] * 8, [[1] * 8], [], 3])
def test_ids_that_are_no_flat_row_of_integers_are_refused(ids: Any) -> None:
    for call in (model().nll, lambda ids: windows(ids, 1), lambda ids: model().generate(ids, 1, 1.0, 0)):
        with pytest.raises(ValueError):
            call(ids)


def test_a_target_outside_the_vocabulary_is_refused_before_any_step() -> None:
    m = model()
    before = m.state_dict()
    with pytest.raises(ValueError, match=r"ids must lie in 0 \.\. 10, got 0 \.\. 11"):
        train_nplm(m, [0, 1, 2, 3, 11], 1, 1, 0.1, PCG32(0))
    for name, values in m.state_dict().items():
        np.testing.assert_array_equal(values, before[name])


def test_a_loss_that_is_not_finite_stops_the_training() -> None:
    m = model()
    m.emb.weight.data[...] = np.inf
    with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
        train_nplm(m, list(range(10)), 1, 4, 0.1, PCG32(0))
