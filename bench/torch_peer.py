"""The NPLM as one would write it in torch: what the comparisons with torch run against."""

from __future__ import annotations

import sys

try:
    import torch
except ModuleNotFoundError:
    sys.exit("This comparison needs torch: pip install -e '.[oracle]' (or run it with a Python that has it).")

torch.set_num_threads(1)


class TorchNPLM(torch.nn.Module):
    def __init__(self, vocab: int, context: int, d_emb: int, d_hidden: int) -> None:
        super().__init__()
        self.emb = torch.nn.Embedding(vocab, d_emb)
        self.hidden = torch.nn.Linear(context * d_emb, d_hidden)
        self.out = torch.nn.Linear(d_hidden, vocab)
        self.direct = torch.nn.Linear(context * d_emb, vocab, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.emb(ids).flatten(1)
        y: torch.Tensor = self.out(torch.tanh(self.hidden(x)))
        return y + self.direct(x)
