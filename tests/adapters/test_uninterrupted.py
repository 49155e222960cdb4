"""Ctrl-C during short work: the work is done, then it is heard, by whoever listened before."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from ol.adapters.uninterrupted import uninterrupted


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_is_heard_when_the_work_is_done() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_work_within_work_is_not_cut_short_either() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]


def test_it_decorates_a_function_for_every_call() -> None:
    @uninterrupted()
    def double(number: int) -> int:
        return 2 * number

    assert [double(1), double(2)] == [2, 4]


def test_an_error_of_the_work_is_itself_where_nothing_was_heard() -> None:
    with pytest.raises(OSError, match="full"), uninterrupted():
        raise OSError("full")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_another_thread_may_work_too() -> None:
    done = []

    def work() -> None:
        with uninterrupted():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [signal.default_int_handler]
