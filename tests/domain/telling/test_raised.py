from __future__ import annotations

import pytest

from ol.domain.telling.cause import Cause, Why, why_failed
from ol.domain.telling.listing import Listing, Text
from tests.made import failed, frames

UNIT = """class SGD:
    def __init__(self, lr):
        self.rate = lr

    def step(self):
        return rate

    def forget():
        self.buffer = None

    @staticmethod
    def of(text):
        return text

    @classmethod
    def made(cls):
        return cls(1)


def norm(x):
    return x
"""
LISTING = Listing(
    units={"tiny.sgd": Text("python/tiny/sgd.py", UNIT)},
    tests={"test_x.py": Text("course/tests/A.1/test_x.py", "def test_a():\n    SGD(1).step()\n")},
)
IN_TEST = ("tests/test_x.py", 2, "test_a")
IN_STEP = ("tiny.sgd", 6, "step")
IN_NORM = ("tiny.sgd", 21, "norm")
NONE = "Something there is None: does a function end without `return`, or was a value never set?"


def told(exception: str, message: str, *places: tuple[str, int, str]) -> Cause:
    bases = {"UnboundLocalError": ("NameError",), "RecursionError": ("RuntimeError",)}.get(exception, ())
    return why_failed(
        failed("test_a", message, exception, frames=frames(IN_TEST, *places), bases=bases), LISTING
    )


STEPS = [
    (
        "NameError",
        "name 'rate' is not defined",
        IN_STEP,
        "Is it self.rate? What a method set on self is read from self.",
    ),
    (
        "NameError",
        "name 'rate' is not defined",
        IN_NORM,
        "Is rate spelt otherwise where it is made, or is it not imported?",
    ),
    (
        "NameError",
        "name 'rats' is not defined",
        IN_STEP,
        "Is rats spelt otherwise where it is made, or is it not imported?",
    ),
    (
        "UnboundLocalError",
        "cannot access local variable 'x' where it is not associated with a value",
        IN_NORM,
        "Give x its value before that line, whichever way the code comes there.",
    ),
    (
        "UnboundLocalError",
        "local variable 'x' referenced before assignment",
        IN_NORM,
        "Give x its value before that line, whichever way the code comes there.",
    ),
    (
        "AttributeError",
        "'SGD' object has no attribute 'lr'",
        IN_STEP,
        "Set self.lr in __init__ of SGD, or define lr in that class.",
    ),
    (
        "AttributeError",
        "'SGD' object has no attribute 'buffer'",
        IN_STEP,
        "Set self.buffer before it is read, best in __init__ of SGD.",
    ),
    (
        "AttributeError",
        "'SGD' object has no attribute 'steps'",
        IN_STEP,
        "Did you mean step? SGD has that, and no steps.",
    ),
    (
        "AttributeError",
        "'numpy.ndarray' object has no attribute 'backward'",
        IN_STEP,
        "Was another type than numpy.ndarray meant there, or is backward spelt otherwise?",
    ),
    (
        "AttributeError",
        "type object 'SGD' has no attribute 'lr'",
        IN_STEP,
        "Set self.lr in __init__ of SGD, or define lr in that class.",
    ),
    ("AttributeError", "module 'numpy' has no attribute 'ad'", IN_NORM, "Is ad spelt otherwise in numpy?"),
    (
        "TypeError",
        "SGD.forget() takes 0 positional arguments but 1 was given",
        IN_STEP,
        "Let self be the first parameter of SGD.forget (line 8): it is a method.",
    ),
    (
        "TypeError",
        "SGD.step() takes 1 positional argument but 2 were given",
        IN_STEP,
        "Compare the call, and the def of SGD.step (line 5), with the contract.",
    ),
    (
        "TypeError",
        "SGD.of() missing 1 required positional argument: 'text'",
        IN_STEP,
        "Compare the call, and the def of SGD.of (line 12), with the contract.",
    ),
    (
        "TypeError",
        "SGD.made() got an unexpected keyword argument 'x'",
        IN_STEP,
        "Compare the call, and the def of SGD.made (line 16), with the contract.",
    ),
    (
        "TypeError",
        "norm() got an unexpected keyword argument 'x'",
        IN_STEP,
        "Compare the call, and the def of norm (line 20), with the contract.",
    ),
    (
        "TypeError",
        "sum() got an unexpected keyword argument 'x'",
        IN_NORM,
        "Compare the call with what sum takes.",
    ),
    (
        "TypeError",
        "SGD() takes no arguments",
        IN_NORM,
        "Has class SGD an __init__, with two underscores at each end?",
    ),
    ("AttributeError", "'NoneType' object has no attribute 'data'", IN_STEP, NONE),
    ("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'", IN_STEP, NONE),
    (
        "RecursionError",
        "maximum recursion depth exceeded",
        IN_NORM,
        "Look at what is to end the calls: a function there calls itself again and again.",
    ),
    ("TypeError", "unhashable type: 'list'", IN_NORM, "Ask what that line was given."),
    ("ValueError", "'NoneType' is no shape", IN_NORM, "Ask what that line was given."),
]


@pytest.mark.parametrize(("exception", "message", "place", "step"), STEPS)
def test_an_exception_in_a_unit_has_the_step_of_its_kind(
    exception: str, message: str, place: tuple[str, int, str], step: str
) -> None:
    cause = told(exception, message, place)
    assert (cause.why, cause.next_step) == (Why.UNIT, step)
    assert cause.text == f"{exception}: {message} (in {place[2]})"


@pytest.mark.parametrize(
    ("exception", "message", "text"),
    [
        ("AttributeError", "'NoneType' object has no attribute 'data'", "the test was given None: "),
        (
            "TypeError",
            "float() argument must be a string or a real number, not 'NoneType'",
            "the test was given None: ",
        ),
        ("TypeError", "SGD.forget() takes 0 positional arguments but 1 was given", "the test stops at "),
        ("AttributeError", "'SGD' object has no attribute 'lr'", "the test stops at "),
        ("NameError", "name 'sgd' is not defined", "the test itself raised "),
        ("KeyError", "'x'", "the test itself raised "),
    ],
)
def test_a_test_is_blamed_for_what_it_alone_does(exception: str, message: str, text: str) -> None:
    cause = told(exception, message)
    assert (cause.why, cause.text) == (Why.TEST, f"{text}{exception}: {message}")
    assert cause.raised == f"{exception}: {message}"
