"""What a `.pyi` promises of a unit, and where a source text breaks that promise.

Everything is read from the syntax tree: nothing of the student's is run. Equal means names, parameters, their
kinds and their defaults as `ast.unparse` writes them; annotations are free, and so are extra public names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ol.domain.code.surface import Class, Definition, Function, Surface, Value, surface
from ol.domain.code.syntax import parsed, tree_of
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.report import Reason
from ol.domain.sentence import sentence


@dataclass(frozen=True, slots=True)
class Contract:
    """`surface` holds public names only, classes with their public and double-underscore members."""

    unit: str
    text: str
    surface: Surface

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.surface)


@lru_cache(maxsize=256)
def contract(unit: str, text: str) -> Contract:
    """The promise of a unit's `.pyi`. CourseWrong when it does not parse."""
    try:
        tree = tree_of(text)
    except SyntaxError as error:
        told = sentence(f"The contract of {unit}, line {error.lineno}, does not parse: {error.msg}")
        raise CourseWrong("contract-unreadable", told, "Mend the .pyi.") from error
    promised = {name: _public(each) for name, each in surface(tree).items() if _is_promise(name, each)}
    return Contract(unit, text, promised)


def breaches(promise: Contract, file: File) -> tuple[Reason, ...]:
    """Every way in which the source differs from the contract; one reason alone when it does not parse."""
    tree = parsed(file)
    if isinstance(tree, Reason):
        return (tree,)
    return tuple(_of_names(file.name, promise.surface, surface(tree), prefix=""))


def missing(promise: Contract, found: Surface) -> tuple[str, ...]:
    """The contract names that a source text does not bind, by qualified name: `windows`, `NPLM.nll`."""
    absent: list[str] = []
    for name, part in promise.surface.items():
        there = found.get(name)
        if there is None:
            absent.append(name)
        elif isinstance(part, Class) and isinstance(there, Class):
            checked = (member for member, each in part.members.items() if _is_checked(member, each, there))
            absent += [f"{name}.{member}" for member in checked if member not in there.members]
    return tuple(absent)


def _is_promise(name: str, definition: Definition) -> bool:
    imported = isinstance(definition, Value) and definition.how == "an import"
    return not name.startswith("_") and not imported


def _public(definition: Definition) -> Definition:
    if not isinstance(definition, Class):
        return definition
    members = definition.members.items()
    return Class(
        definition.line, {name: each for name, each in members if name[0] != "_" or _is_dunder(name)}
    )


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _of_names(file: str, promised: Surface, found: Surface, prefix: str) -> Iterator[Reason]:
    for name, promise in promised.items():
        yield from _of_one(_Place(file, prefix + name), promise, found.get(name))


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    name: str

    def reason(self, slug: str, line: int, told: str, next_step: str, expected: str, found: str) -> Reason:
        where = f"{self.file}:{line}: " if line else f"{self.file}: "
        return Reason(slug, where + told, next_step, (f"expected  {expected}", f"found     {found}"))

    def missing(self, promise: Definition) -> Reason:
        told = f"{self.name} is missing; the contract promises it."
        step = "`ol start --missing` appends its stub, or shows the stub of a method."
        return self.reason("name-missing", 0, told, step, _shown(self.name, promise), "nothing of that name")

    def bound_otherwise(self, promise: Definition, found: Value) -> Reason:
        word = "class" if isinstance(promise, Class) else "def"
        told = f"{self.name} is bound by {found.how}, not by `{word}`, so that its signature cannot be read."
        step = f"Write it out as `{word} {self.name.rsplit('.', 1)[-1]}…`."
        shown = _shown(self.name, promise), _shown(self.name, found)
        return self.reason("name-rebound", found.line, told, step, *shown)

    def another(self, slug: str, promise: Definition, found: Definition) -> Reason:
        told = f"{self.name} has another {slug.removesuffix('-differs')} than its contract."
        step = "Make it equal to the contract; more public names of your own are allowed."
        shown = _shown(self.name, promise), _shown(self.name, found)
        return self.reason(slug, found.line, told, step, *shown)


def _of_one(place: _Place, promise: Definition, found: Definition | None) -> Iterator[Reason]:
    if found is None:
        yield place.missing(promise)
    elif isinstance(promise, Function):
        yield from _of_function(place, promise, found)
    elif isinstance(promise, Class):
        yield from _of_class(place, promise, found)
    else:
        yield from _of_value(place, promise, found)


def _of_function(place: _Place, promise: Function, found: Definition) -> Iterator[Reason]:
    """A class in a function's place will do when its constructor is called the same way."""
    called = found.constructor or Function(found.line, "()") if isinstance(found, Class) else found
    if not isinstance(called, Function):
        yield place.bound_otherwise(promise, called) if isinstance(called, Value) else place.missing(promise)
    elif promise.kind != called.kind:
        yield place.another("kind-differs", promise, called)
    elif promise.signature != called.signature:
        yield place.another("signature-differs", promise, called)


def _of_class(place: _Place, promise: Class, found: Definition) -> Iterator[Reason]:
    if isinstance(found, Value):
        yield place.bound_otherwise(promise, found)
    elif isinstance(found, Function):
        yield place.another("kind-differs", promise, found)
    else:
        methods = {name: each for name, each in promise.members.items() if _is_checked(name, each, found)}
        yield from _of_names(place.file, methods, found.members, prefix=f"{place.name}.")


def _is_checked(name: str, promise: Definition, found: Class) -> bool:
    """Methods are, attributes are not; a property may be kept as an attribute, as no reader can tell."""
    if not isinstance(promise, Function):
        return False
    is_attribute = name in found.sets or isinstance(found.members.get(name), Value)
    return not (promise.kind == "property" and is_attribute)


def _of_value(place: _Place, promise: Value, found: Definition) -> Iterator[Reason]:
    if not isinstance(found, Value):
        yield place.another("kind-differs", promise, found)
    elif promise.text is not None and not _same(promise.text, found.text):
        yield place.another("value-differs", promise, found)


def _same(promised: str, found: str | None) -> bool:
    """Equal text, or equal literals: `{"a": 1, "b": 2}` in any order."""
    if found is None or promised == found:
        return promised == found
    try:
        left, right = ast.literal_eval(promised), ast.literal_eval(found)
    except (ValueError, SyntaxError):
        return False
    return type(left) is type(right) and bool(left == right)


def _shown(name: str, definition: Definition) -> str:
    if isinstance(definition, Function):
        kind = "" if definition.kind == "function" else f"{definition.kind} "
        return f"{kind}{name}{definition.signature}"
    if isinstance(definition, Class):
        return f"class {name}"
    return (
        f"{name} = {definition.text}" if definition.text is not None else f"{name}, bound by {definition.how}"
    )
