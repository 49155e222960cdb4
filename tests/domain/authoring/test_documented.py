from __future__ import annotations

from ol.domain.authoring.documented import undocumented, unpromised
from ol.domain.code.contract import contract
from ol.domain.code.surface import surface
from ol.domain.code.syntax import tree_of

CONTRACT = '''
class Model:
    """A model."""

    size: int

    def fit(self) -> None: ...
    def loss(self) -> float:
        """Its loss."""

def load() -> Model: ...

LIMIT: int = 3
'''


def test_every_function_class_method_and_the_file_itself_wants_a_docstring() -> None:
    assert undocumented(contract("a.py", CONTRACT)) == ("", "Model.fit", "load")


def test_public_functions_classes_and_methods_beyond_the_contract_are_found() -> None:
    found = """
import json
Ids = list
class Model:
    def fit(self): ...
    def loss(self): ...
    def __repr__(self): ...
    def _inner(self): ...
    def more(self): ...
    @property
    def size(self): ...
class Other: ...
def load(): ...
def _hidden(): ...
"""
    promise = contract("a.py", CONTRACT)
    assert unpromised(promise, surface(tree_of(found))) == ("Model.more", "Other")
