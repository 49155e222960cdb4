"""The chapter of M06.3 says what the course says, and its worked example is what the generator gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.course.chapter import COURSE, blocks, chapter, flat
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.num.rng import GOLDEN, MULT, PCG32, child_seed

TEXT = chapter("M06.3")
MASK32, MASK64 = 2**32 - 1, 2**64 - 1


def generator() -> PCG32:
    """The one of the example: seed 1 on stream 1."""
    return PCG32(1, seq=1)


def draws(n: int) -> list[int]:
    rng = generator()
    return [rng.next_u32() for _ in range(n)]


def seeding() -> dict[str, Any]:
    state, inc, seed = generator().state()
    return {"inc": inc, "stepped": inc, "seeded": inc + seed, "state": state}


def one_draw() -> dict[str, Any]:
    rng = generator()
    s, _, _ = rng.state()
    xor = s >> 18 ^ s
    output = rng.next_u32()
    found = {"s": s, "s >> 18": s >> 18, "xor": xor, "x": xor >> 27 & MASK32, "turn": s >> 59}
    return {**found, "output": output, "next s": rng.state()[0], "draws": draws(6)}


def below() -> dict[str, Any]:
    n, rng = 3 << 30, generator()
    return {"n": n, "t": 2**32 % n, "draws": draws(3), "values": [rng.below(n) for _ in range(2)]}


def shuffle() -> dict[str, Any]:
    """Each exchange, from the picks of below; the last line is compared with shuffle itself."""
    rng, items, order = generator(), list("abcde"), list("abcde")
    picks = [rng.below(bound) for bound in (5, 4, 3, 2)]
    found: dict[str, Any] = {"bounds": [5, 4, 3, 2], "picks": picks}
    for i, j in zip((4, 3, 2, 1), picks, strict=True):
        items[i], items[j] = items[j], items[i]
        found[f"after {i}"] = list(items)
    generator().shuffle(order)
    assert found["after 1"] == order
    return found


def substream() -> dict[str, Any]:
    draw = generator().substream("shuffle").next_u32()
    return {"p": 3, "x": (1 + 3 * GOLDEN) & MASK64, "child": child_seed(1, 3), "draw": draw}


EXPECTED = {
    "seeding": seeding(),
    "draw": one_draw(),
    "uniform": {
        "a >> 5": draws(1)[0] >> 5,
        "b >> 6": draws(2)[1] >> 6,
        "u": round(generator().uniform(), 14),
    },
    "below": below(),
    "shuffle": shuffle(),
    "substream": substream(),
}


def value(text: str) -> Any:
    """A word, a float, or an integer in decimal or hexadecimal digits."""
    text = text.strip()
    if text.isalpha():
        return text
    return float(text) if "." in text else int(text, 0)


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("M06.3")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_generator_gives(title: str) -> None:
    (block,) = blocks(TEXT, f"numbers {title}")
    lines = [line.partition("#")[0].partition("=") for line in block.splitlines()]
    told = {name.strip(): [value(each) for each in values.split(",")] for name, _, values in lines}
    assert told == {
        name: each if isinstance(each, list) else [each] for name, each in EXPECTED[title].items()
    }


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_numbers_of_the_prose() -> None:
    assert f"the multiplier {MULT} " in TEXT and f"0x{GOLDEN:X}" in TEXT
    rounds, more = divmod(2**32, 6)
    assert more and f"{rounds + 1:,} draws against {rounds:,}" in flat(TEXT)
    assert 2**32 // (3 << 30) == 1 and 2**32 % (3 << 30) == 1 << 30  # two draws against one, for a third
    rng = PCG32(42, 54)
    assert " ".join(f"{rng.next_u32():08x}" for _ in range(6)) in TEXT


def test_how_often_a_shuffle_refuses_a_draw() -> None:
    def refused(items: int) -> float:
        return sum(2**32 % bound for bound in range(2, items + 1)) / 2**32

    assert f"1,000 items that happens once in {round(1 / refused(1000)):,} times" in flat(TEXT)
    windows = len((COURSE / "corpora" / "ms-l2" / "train.txt").read_bytes()) - 8
    assert (
        f"In one of {windows:,}, the windows of the stories, it happens {refused(windows):.1f} times"
        in flat(TEXT)
    )


def test_small_seeds_begin_with_0_without_the_last_step() -> None:
    for seed in range(3):
        s = PCG32(0).state()[1] + seed  # the state before the last step
        assert (s >> 18 ^ s) >> 27 & MASK32 == 0
    assert "small seeds all begin with the draw 0" in flat(TEXT)
