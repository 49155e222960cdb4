"""A unit that was saved under a wrong name: the refusal that misses it names the file."""

from __future__ import annotations

import pytest

from ol.commands.steps.sources import resolve
from ol.domain.errors import NotReady, WorkRefused
from ol.domain.file import File
from tests.fake_files import FakeWorkspace
from tests.fakes import Desk
from tests.made import module

GOOD = "def f():\n    return 1\n"


def strewn(*there: str, lacking: str = "A.3") -> Desk:
    """Modules whose units lie in one folder; of one module the unit is not there, and other files may be."""
    made = Desk.of(module("A.1", "num/grams.py"), module("A.3", "num/losses.py", needs=("A.1",)))
    lacked = {"A.1": "num/grams.py", "A.3": "num/losses.py"}[lacking]
    paths = {"num/grams.py", "num/losses.py", *(f"num/{name}" for name in there)} - {lacked}
    made.workspace.units = {path: GOOD for path in sorted(paths)}
    made.catalog.references = dict.fromkeys(("num/grams.py", "num/losses.py"), GOOD)
    return made


@pytest.mark.parametrize("name", ["loss.py", "Losses.py", "loses.py", "losses_.py"])
def test_a_file_that_is_called_nearly_as_the_missing_unit_is_named(name: str) -> None:
    made = strewn(name)
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert caught.value.next_step == (
        f"python/tiny/num/{name} is there: is it meant to be losses.py? Then rename it. Or run `ol start A.3`."
    )


@pytest.mark.parametrize("names", [(), ("tools.py",), ("more/loss.py",)])
def test_no_other_file_is_taken_for_the_missing_unit(names: tuple[str, ...]) -> None:
    made = strewn(*names)
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert caught.value.next_step == "Run `ol start A.3`."


def test_a_unit_of_the_course_is_no_other_one_under_a_wrong_name() -> None:
    made = strewn()
    made.catalog.course = Desk.of(
        module("A.1", "num/loss.py"), module("A.3", "num/losses.py", needs=("A.1",))
    ).catalog.course
    made.workspace.units = {"num/loss.py": GOOD}
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert caught.value.next_step == "Run `ol start A.3`."


def test_of_a_need_that_is_not_there_too() -> None:
    made = strewn("gram.py", lacking="A.1")
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"), "none")
    assert "python/tiny/num/gram.py is there: is it meant to be grams.py?" in caught.value.next_step


def test_where_the_folder_cannot_be_read_the_refusal_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(self: FakeWorkspace, names: object) -> tuple[File, ...]:
        raise WorkRefused("link", "It is a link.")

    monkeypatch.setattr(FakeWorkspace, "entry", unreadable)
    made = strewn("loss.py")
    with pytest.raises(NotReady) as caught:
        resolve(made.ports(), made.module("A.3"))
    assert caught.value.next_step == "Run `ol start A.3`."
