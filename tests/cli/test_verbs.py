"""Every verb of the command line is a function of `compose`, and both speak of the same options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click
import pytest

from ol import compose
from ol.verbs import ol

_OF_EVERY_VERB = {"as_json", "plain"}


def verbs(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from verbs(command, (*before, name))
        else:
            yield "_".join((*before, name)), command


@pytest.mark.parametrize(("name", "command"), list(verbs(ol)), ids=lambda each: str(each))
def test_the_options_of_a_verb_are_what_its_function_takes(name: str, command: click.Command) -> None:
    typed = {parameter.name for parameter in command.params} - _OF_EVERY_VERB
    taken = set(inspect.signature(getattr(compose, name)).parameters) - {"settings"}
    assert typed == taken
