import math

import numpy as np

from tinyllm.lm.nplm import NPLM
from tinyllm.num.rng import PCG32


def test_hand_example_logits():
    """Window (a, c): x = (1, -1), h = tanh 1, logits (1 + tanh 1, 0.5, -1 - tanh 1)."""
    m = NPLM(3, 2, 1, 1, rng=PCG32(0))
    m.load_state_dict(
        {
            "emb.weight": [[1.0], [0.0], [-1.0]],
            "hidden.weight": [[0.5, -0.5]],
            "hidden.bias": [0.0],
            "out.weight": [[1.0], [0.0], [-1.0]],
            "out.bias": [0.0, 0.5, 0.0],
            "direct.weight": [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
        }
    )
    t = math.tanh(1.0)
    np.testing.assert_allclose(m(np.array([[0, 2]])).data, [[1 + t, 0.5, -1 - t]], rtol=1e-6)
