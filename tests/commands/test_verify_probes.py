"""Proof of the probes: small courses whose probes are wrong in one way each."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.author_world import AuthorWorld, reasons

PROBES, MANIFEST = "course/probes/P1.py", "course/modules/P1.toml"


@pytest.fixture
def author(tmp_path: Path, probed_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of("probed", tmp_path / "course", probed_runner)


def test_a_sound_course_is_told_which_probe_differs_on_which_mutant(author: AuthorWorld) -> None:
    found = author.proved("probes", "P1")
    assert found.verdict.value == "passed"
    assert found.summary == "2 probes catch 2/2 mutants"
    assert found.notes == ("scaled: s01", "largest: s02")
    assert found.fields["P1"]["caught"] == {"scaled": ["s01"], "largest": ["s02"]}


def test_the_whole_course_is_proved_with_them(author: AuthorWorld) -> None:
    assert "2 probes catch 2/2 mutants" in author.verify().last_line


def test_a_module_without_probes_has_none_to_prove(author: AuthorWorld) -> None:
    author.remove(PROBES).write(MANIFEST, author.read(MANIFEST).split("[[probes]]")[0])
    assert author.proved("probes", "P1").summary == "no probe"


@pytest.mark.parametrize(
    ("old", "new", "slug", "told"),
    [
        (
            '{"product": scaled(',
            '{"product": 0 * scaled(',
            "probe-blind",
            "probe_scaled gives the same on every mutant as on the reference",
        ),
        (
            "drawn(seed, 7)",
            "drawn(seed, 7) + np.random.rand()",
            "probe-disagrees",
            "probe_scaled(11) on the reference, run again: product is off in 6 of 6 values",
        ),
        (
            "rows[3, [1, 3]] = 2.0",
            "rows[3, 4] = largest([1.0, 1.0]) is True",
            "probe-blind",
            "probe_largest gives the same on every mutant as on the reference",
        ),
        (
            '"index.margin": margin',
            '"index.margin": margin - np.inf',
            "probe-unclear",
            "index may be chosen either way in 4 of 4 values",
        ),
        (
            "drawn(seed, 20)",
            "drawn(seed, 21)",
            "probe-fails",
            "probe_largest(11) on the reference raises ValueError: cannot reshape array",
        ),
        (
            '{"product": scaled(values[1:].reshape(2, 3).copy(), float(values[0]))}',
            '{"product": scaled(values[1:].reshape(2, 3).copy(), float(values[0])).tolist.__name__}',
            "probe-fails",
            "raises TypeError: product is no array of numbers, but str",
        ),
        (
            "import numpy as np\n",
            "import numpy as np\n\n1 / 0\n",
            "probe-fails",
            "cannot be imported: ZeroDivisionError",
        ),
    ],
)
def test_what_proves_nothing_is_told(author: AuthorWorld, old: str, new: str, slug: str, told: str) -> None:
    author.edit(PROBES, old, new)
    assert told in reasons(author.proved("probes", "P1"))[slug].text


def test_what_a_wheat_does_otherwise_is_told_with_the_seed(author: AuthorWorld) -> None:
    author.edit("course/wheats/P1/w01.py", "factor * found[place]", "factor * found[place] + 1e-6")
    found = reasons(author.proved("probes", "P1"))["probe-disagrees"]
    assert "probe_scaled(11) on wheat w01: product is off in 6 of 6 values, by up to 1e-06" in found.text


def test_a_tolerance_that_no_fault_exceeds_is_blind(author: AuthorWorld) -> None:
    author.edit("course/mutants/P1.toml", ") + factor", ") * (factor + 1e-4)")
    author.edit(MANIFEST, "rtol = 1e-9\natol = 1e-12", "rtol = 0.5\natol = 0.5")
    assert "probe_scaled gives the same" in reasons(author.proved("probes", "P1"))["probe-blind"].text


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("import importlib", "forbidden-import"),
        ("import pytest", "forbidden-import"),
        ("from tinyarr.scale import hidden", "not-in-contract"),
    ],
)
def test_probes_import_the_kit_and_contract_names_alone(author: AuthorWorld, line: str, slug: str) -> None:
    author.edit(PROBES, "import numpy as np\n", f"import numpy as np\n{line}\n")
    found = author.proved("probes", "P1")
    assert found.summary == "probes, not run"
    assert PROBES in reasons(found)[slug].text


# ---- files and manifest, before anything is run


@pytest.mark.parametrize(
    ("path", "old", "new", "slug", "told"),
    [
        (PROBES, "def probe_scaled(", "def probe_scales(", "probe-missing", "defines no probe_scaled"),
        (PROBES, "def probe_scaled(", "def probe_more(s): ...\ndef probe_scaled(", "probe-undeclared", "probe_more"),
        (PROBES, "def probe_scaled(seed):", "def probe_scaled(seed)", "course-unreadable", "does not parse"),
        (MANIFEST, "rtol = 1e-9", "rtol = -1.0", "bad-probe", "a tolerance of the probe scaled"),
        (MANIFEST, "margin = 1e-6", "margin = inf", "bad-probe", "a tolerance of the probe largest"),
        (MANIFEST, "margin = 1e-6", "margins = 1e-6", "unknown-key", "margins"),
        (MANIFEST, 'name = "scaled"', 'name = "scaled up"', "bad-probe", "cannot be a function probe_"),
        (MANIFEST, 'name = "scaled"', 'name = "largest"', "named-twice", "probe largest stands there twice"),
    ],
)  # fmt: skip
def test_files_that_do_not_belong_together_are_refused(
    author: AuthorWorld, path: str, old: str, new: str, slug: str, told: str
) -> None:
    author.edit(path, old, new)
    found = reasons(author.verify().gates[0])[slug]
    assert told in found.text


def test_a_missing_file_of_probes_is_named(author: AuthorWorld) -> None:
    author.remove(PROBES)
    assert PROBES in reasons(author.verify().gates[0])["course-file-missing"].text
