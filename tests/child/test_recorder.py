"""What is run, and what is told of it."""

from __future__ import annotations

import pytest

from ol.domain.suite import Frame, Outcome
from ol.domain.suite import Stage as At
from tests.child.plays import Stage

OUTCOMES = """
    import unittest
    import pytest

    def test_passes(): pass
    def test_fails(): assert 1 == 2
    @pytest.mark.skip
    def test_skipped_by_mark(): pass
    def test_skipped_in_call(): pytest.skip("no")
    def test_skipped_the_unittest_way(): raise unittest.SkipTest("no")
    @pytest.mark.xfail
    def test_xfailed(): assert False
    def test_xfailed_in_call(): pytest.xfail("no")
    @pytest.mark.xfail
    def test_xpassed(): pass
    @pytest.mark.xfail(strict=True)
    def test_xpassed_strictly(): pass
    @pytest.fixture
    def broken(): raise ValueError("broken")
    def test_error_in_setup(broken): pass
    @pytest.fixture
    def leaky():
        yield
        raise ValueError("leaky")
    def test_error_in_teardown(leaky): pass
    def test_failed_and_error_in_teardown(leaky): assert False
    def test_no_such_fixture(nowhere): pass
    def test_leaves(): raise SystemExit(0)
    class TestClass:
        def test_method(self): pass
    class TestOld(unittest.TestCase):
        def test_old(self): self.assertEqual(1, 1)
        def test_old_fails(self): self.assertEqual(1, 2)
        @unittest.expectedFailure
        def test_old_xfailed(self): self.fail()
"""


def test_every_outcome_is_its_own(stage: Stage) -> None:
    assert stage.outcomes(OUTCOMES) == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_skipped_by_mark": "skipped",
        "test_skipped_in_call": "skipped",
        "test_skipped_the_unittest_way": "skipped",
        "test_xfailed": "xfailed",
        "test_xfailed_in_call": "xfailed",
        "test_xpassed": "xpassed",
        "test_xpassed_strictly": "xpassed",
        "test_error_in_setup": "error",
        "test_error_in_teardown": "error",
        "test_failed_and_error_in_teardown": "failed",
        "test_no_such_fixture": "error",
        "test_leaves": "failed",
        "TestClass::test_method": "passed",
        "TestOld::test_old": "passed",
        "TestOld::test_old_fails": "failed",
        "TestOld::test_old_xfailed": "xfailed",
    }


def test_the_stage_of_a_failure_is_told(stage: Stage) -> None:
    stages = {result.name: result.stage for result in stage.completed(OUTCOMES).results}
    assert stages["test_error_in_setup"] is stages["test_no_such_fixture"] is At.SETUP
    assert stages["test_fails"] is stages["test_failed_and_error_in_teardown"] is At.CALL
    assert stages["test_error_in_teardown"] is At.TEARDOWN


def test_the_facts_of_a_failure_are_told(stage: Stage) -> None:
    tests = """
        from tinyllm.unit import outer

        def test_it(record_property):
            record_property("loss", 0.5)
            print("seen on the way")
            outer(1)
    """
    unit = """
        import numpy as np

        class Odd(ValueError): pass

        def outer(x):
            return inner(x)

        def inner(x):
            raise Odd(f"{x} is odd")
    """
    result = stage.only(tests, unit)
    assert (result.case_id, result.outcome, result.stage) == ("test_it.py::test_it", Outcome.FAILED, At.CALL)
    assert result.facts.exception == "tinyllm.unit.Odd"
    assert result.facts.bases == ("ValueError", "Exception", "BaseException")
    assert result.facts.message == "1 is odd"
    assert result.facts.frames == (
        Frame("tests/test_it.py", 7, "test_it"),
        Frame("<tinyllm.unit>", 7, "outer"),
        Frame("<tinyllm.unit>", 10, "inner"),
    )
    assert result.facts.output == "seen on the way\n"
    assert result.facts.properties == (("loss", "0.5"),)


def test_a_library_on_the_way_is_told_by_its_file_name_alone(stage: Stage) -> None:
    result = stage.only("import numpy as np\ndef test_it():\n    np.testing.assert_allclose([1.0], [2.0])")
    first, *others = result.facts.frames
    assert first == Frame("tests/test_it.py", 3, "test_it")
    assert others and all("/" not in frame.file for frame in others)
    assert "Mismatched elements: 1 / 1" in result.facts.message


def test_assertions_are_explained(stage: Stage) -> None:
    result = stage.only(
        "from tinyllm.unit import f\ndef test_it():\n    assert f(2) == 5", "def f(x): return x"
    )
    assert result.facts.exception == "AssertionError"
    assert "assert 2 == 5" in result.facts.message and "f(2)" in result.facts.message


def test_a_pass_keeps_its_properties_and_no_output(stage: Stage) -> None:
    tests = "def test_it(record_property):\n    record_property('seed', 7)\n    print('loud')"
    facts = stage.only(tests).facts
    assert (facts.properties, facts.output, facts.exception) == ((("seed", "7"),), "", "")


def test_what_one_case_prints_is_not_told_of_another(stage: Stage) -> None:
    tests = """
        import os
        def test_first(): print("first")
        def test_second():
            os.write(1, b"below python\\n")
            assert False
    """
    first, second = stage.completed(tests).results
    assert (first.facts.output, second.facts.output) == ("", "below python\n")


def test_fixtures_that_capture_work(stage: Stage) -> None:
    tests = """
        import os, logging
        def test_sys(capsys):
            print("one")
            assert capsys.readouterr().out == "one\\n"
        def test_fd(capfd):
            os.write(2, b"two")
            assert capfd.readouterr().err == "two"
        def test_log(caplog):
            logging.getLogger("x").warning("three")
            assert "three" in caplog.text
    """
    assert set(stage.outcomes(tests).values()) == {"passed"}


def test_facts_are_bounded(stage: Stage) -> None:
    tests = """
        def deep(n):
            if n == 0:
                raise ValueError("m" * 100_000)
            deep(n - 1)

        def test_it(record_property):
            record_property("long", "p" * 100_000)
            print("o" * 100_000)
            deep(200)
    """
    facts = stage.only(tests).facts
    assert len(facts.message) == 8_000 and len(facts.output) == 4_096 and len(facts.frames) == 30
    assert len(facts.properties[0][1]) == 2_000
    assert facts.frames[0].function == "test_it" and facts.frames[-1].line == 4


@pytest.mark.parametrize(
    "raised, exception, message",
    [
        ("ValueError('\\ud800 half')", "ValueError", "? half"),
        ("type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()", "tests.test_it.Mute", ""),
        ("SystemExit(0)", "SystemExit", "0"),
    ],
)
def test_odd_exceptions_are_told_as_well_as_can_be(
    stage: Stage, raised: str, exception: str, message: str
) -> None:
    facts = stage.only(f"def test_it():\n    raise {raised}").facts
    assert (facts.exception, facts.message) == (exception, message)


def test_a_failed_subtest_fails_its_case(stage: Stage) -> None:
    tests = """
        import unittest
        class TestOld(unittest.TestCase):
            def test_it(self):
                for i in range(3):
                    with self.subTest(i=i):
                        self.assertNotEqual(i, 1)
    """
    assert stage.only(tests).outcome is Outcome.FAILED


def test_ids_are_told_below_the_test_folder(stage: Stage) -> None:
    tests = {
        "test_b.py": "import pytest\n@pytest.mark.parametrize('x', [1, 'a-b'])\ndef test_p(x): pass",
        "inner/test_a.py": "class TestC:\n    class TestD:\n        def test_d(self): pass",
        "inner/notes.txt": ">>> 1\n2",
    }
    ids = {result.case_id for result in stage.completed(tests).results}
    assert ids == {"test_b.py::test_p[1]", "test_b.py::test_p[a-b]", "inner/test_a.py::TestC::TestD::test_d"}
