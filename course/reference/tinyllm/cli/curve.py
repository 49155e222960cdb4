"""The curve of a training run: loss, and validation perplexity where there is a validation text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tinyllm.cli.draft import draft_of


def wanted() -> Any:
    """matplotlib's pyplot, drawing to files. ValueError where it is not installed."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise ValueError(
            "a picture needs matplotlib: `pip install matplotlib`, or leave the option out"
        ) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


@dataclass
class Curve:
    """A point every so many steps: the mean loss since the last one, and the validation perplexity."""

    every: int
    steps: list[int] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    perplexities: list[float] = field(default_factory=list)
    last: float | None = None
    _since: list[float] = field(default_factory=list)
    _done: int = 0

    def step(self, loss: float, perplexity: Callable[[], float] | None = None) -> None:
        self._done += 1
        self.last = loss
        self._since.append(loss)
        if self._done % self.every == 0:
            self.steps.append(self._done)
            self.losses.append(sum(self._since) / len(self._since))
            self._since.clear()
            if perplexity is not None:
                self.perplexities.append(perplexity())

    def draw(self, path: str) -> None:
        """Both on a log axis, so that a late gain is as visible as an early one."""
        pyplot = wanted()
        figure, left = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
        left.plot(self.steps, self.losses, color="tab:blue", label="training loss")
        left.set(xlabel="step", ylabel="training loss, nats a token", yscale="log")
        lines = left.get_lines()
        if self.perplexities:
            right = left.twinx()
            right.plot(self.steps, self.perplexities, color="tab:orange", label="validation perplexity")
            right.set(ylabel="validation perplexity", yscale="log")
            _plain_ticks(right)
            lines = [*lines, *right.get_lines()]
        _plain_ticks(left)
        left.grid(True, which="both", alpha=0.25)
        left.legend(lines, [line.get_label() for line in lines], loc="upper right", frameon=False)
        saved(figure, path)


def saved(figure: Any, path: str) -> None:
    """The picture, of the kind that the path's ending names."""
    with draft_of(path) as draft:
        figure.savefig(draft, dpi=150)
    wanted().close(figure)


def _plain_ticks(axes: Any) -> None:
    """1.5 and 2, not 1.5 × 10⁰."""
    from matplotlib import ticker

    for which in ("major", "minor"):
        getattr(axes.yaxis, f"set_{which}_formatter")(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_locator(ticker.LogLocator(subs=(1.5, 2, 3, 5, 7)))
