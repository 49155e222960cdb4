import pytest

from tinyllm.lm.ngram import NGramLM


def test_hand_example_after_each_token():
    """Of c a c a b b, with the discount 1/2: a was seen twice, but only after c, so elsewhere it is rare."""
    a, b, c = 0, 1, 2
    model = NGramLM(2, discount=0.5).fit([c, a, c, a, b, b])
    assert [model.prob([a], token) for token in (a, b, c)] == pytest.approx([0.1, 0.45, 0.45])
    assert [model.prob([c], token) for token in (a, b, c)] == pytest.approx([0.8, 0.1, 0.1])
