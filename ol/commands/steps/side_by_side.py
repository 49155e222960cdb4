"""Work on several things at once, each in a thread: their runs are children, so they share the cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def side_by_side(
    work: Callable[[Item], Answer], items: Sequence[Item], at_once: int
) -> Iterator[tuple[Item, Answer]]:
    """Each item with its answer, as they come. Where one raises, what has not begun never does."""
    pool = ThreadPoolExecutor(at_once)
    waiting: dict[Future[Answer], Item] = {pool.submit(work, item): item for item in items}
    try:
        while waiting:
            done, _ = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)  # Windows hears Ctrl-C between
            for future in done:
                yield waiting.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # closing the runner ends those that have begun
