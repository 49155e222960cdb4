"""docs/messages.md has an entry for every slug that `ol` can print, and for nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ol.domain.exit_code import ExitCode
from tests.docs.slugs import Program

ROOT = Path(__file__).resolve().parents[2]
SLUGS = Program.below(ROOT / "ol").slugs
ENTRIES = re.findall(
    r"^### (.+)\n((?:(?!#).*\n?)*)", (ROOT / "docs" / "messages.md").read_text(encoding="utf-8"), re.MULTILINE
)
PAGE = dict(ENTRIES)

ERRORS = """
class ExitCode(IntEnum):
    WRONG = 2
    WORSE = 7
class Stop(Exception):
    def __init__(self, slug, message): ...
class Wrong(Stop):
    exit_code = ExitCode.WRONG
class Why(Enum):
    HEAT = "heat"
    COLD = "cold"
class Cause:
    why: Why
class Reason:
    text: str
    slug: str
"""


def told_codes(entry: str) -> set[int]:
    """The exit codes of an entry: of its last sentence, `Exit 1, or 3 where …`."""
    (told,) = re.findall(r"\bExit (\d.*)", entry)
    return {int(code) for code in re.findall(r"\d+", told)}


def test_every_slug_has_an_entry() -> None:
    assert sorted(SLUGS.keys() - PAGE.keys()) == []


def test_every_entry_is_of_a_slug() -> None:
    assert sorted(PAGE.keys() - SLUGS.keys()) == []


def test_no_slug_has_two_entries() -> None:
    assert len(ENTRIES) == len(PAGE)


def test_a_slug_is_words_joined_by_hyphens() -> None:
    assert [slug for slug in SLUGS if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)] == []


@pytest.mark.parametrize("slug", PAGE)
def test_an_entry_says_what_it_means_and_a_right_exit_code(slug: str) -> None:
    words, told = PAGE[slug].split("Exit")[0], told_codes(PAGE[slug])
    assert len(words.split()) > 5
    assert told <= {int(code) for code in ExitCode}
    assert SLUGS.get(slug, set()) <= told


# ---- how slugs are found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("raise Wrong('hot', 'It is hot.')", {"hot": {2}}),
        ("raise Wrong(message='It is hot.', slug='hot')", {"hot": {2}}),
        ("Reason('It is hot.', 'hot')", {"hot": set()}),
        ("Reason('It is hot.', error.slug)", {}),
        ("Reason('', Why.HEAT.value)", {"heat": set()}),
        ("Reason('', cause.why.value)", {"heat": set(), "cold": set()}),
        ("SLUGS = {1: 'hot', 2: 'icy'}\nReason('', SLUGS[n])", {"hot": set(), "icy": set()}),
        ("SLUGS = {1: 'hot'}\nReason('', SLUGS.get(n, 'mild'))", {"hot": set(), "mild": set()}),
        ("def _wrong(text, slug) -> Wrong:\n    return Wrong(slug, text)\n_wrong('', 'hot')", {"hot": {2}}),
        ("def end(slug, code) -> None: ...\nend('hot', ExitCode.WORSE)", {"hot": {7}}),
        ("print('hot')", {}),
    ],
)
def test_a_slug_is_found_with_the_exit_code_of_what_is_made_of_it(
    code: str, found: dict[str, set[int]]
) -> None:
    assert Program({"errors.py": ERRORS, "code.py": code}).slugs == found


@pytest.mark.parametrize(
    "code",
    [
        "Reason('', f'{kind}-rejects')",
        "Reason('', slug)",
        "Reason('', Odd.HOT.value)",
        "Reason('', SLUGS[n])",
    ],
)
def test_a_slug_that_cannot_be_found_is_refused(code: str) -> None:
    with pytest.raises(AssertionError, match=r"code\.py:1"):
        _ = Program({"errors.py": ERRORS, "code.py": code}).slugs


def test_a_public_function_that_takes_a_slug_is_known_in_every_file_and_a_private_one_in_its_own() -> None:
    made = "def stop(slug) -> None: ...\ndef _stop(slug) -> None: ...\n"
    assert Program({"a.py": made, "b.py": "stop('hot')\n_stop('icy')"}).slugs == {"hot": set()}
