"""Make the MS-L2 corpus: 1,100 little stories drawn from grammar.toml by the frozen PCG32.

    python course/corpora/ms-l2/generate.py [--out DIR] [--check]

writes train.txt and val.txt (ASCII, one story a line) and the same bytes as token shards, train.bin and
val.bin; with --check nothing is written. The exit code is 1 when the files are not those SHA256SUMS names.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from frozen.pcg32 import PCG32  # noqa: E402  (the line above lets it be found)
from frozen.toml_file import read_toml  # noqa: E402

SEED = 1678
STORIES = 1100
VALIDATION_EVERY = 20  # story i is validation when i mod 20 = 19

Grammar = dict[str, Any]
VARIABLE = re.compile(r"\{(~?)(\w+)\}")


@dataclass(frozen=True)
class Story:
    """One story and the surprise, in nats, of all the draws that made it."""

    text: str
    nats: float


class Storyteller:
    """Draws one story: its sentences one after another, a variable where it is first read."""

    def __init__(self, grammar: Grammar, rng: PCG32) -> None:
        self.grammar = grammar
        self.rng = rng
        self.kept: dict[str, str] = {}
        self.nats = 0.0

    def tell(self) -> Story:
        """The whole story: opening, liking, the steps of one plot, ending."""
        grammar = self.grammar
        sentences = [self.sentence(grammar["opening"]), self.sentence(grammar["liking"])]
        plot = self.choose(list(grammar["plots"].values()))
        sentences += [self.sentence(alternatives) for alternatives in plot]
        sentences.append(self.sentence(grammar["ending"]))
        return Story(" ".join(sentences), self.nats)

    def choose(self, options: list[Any]) -> Any:
        """One of the options, all equally likely; a list of one takes a draw too."""
        self.nats += math.log(len(options))
        return options[self.rng.below(len(options))]

    def sentence(self, alternatives: list[str]) -> str:
        """One of the alternatives, its variables filled in from left to right."""
        return VARIABLE.sub(self.fill, self.choose(alternatives))

    def fill(self, match: re.Match[str]) -> str:
        """The text of one {variable}."""
        fresh, name = match.groups()
        if fresh:
            return str(self.choose(self.words(name)))
        if name == "acted":
            return str(self.grammar["past"][self.variable("act")])
        if name in self.grammar["pronouns"]:
            boys = self.grammar["names"]["boys"]
            return str(self.grammar["pronouns"][name][self.variable("name") not in boys])
        return self.variable(name)

    def variable(self, name: str) -> str:
        """The value of a variable, drawn on first use from the words its kin have not taken."""
        if name not in self.kept:
            taken = [word for other, word in self.kept.items() if self.kind(other) == self.kind(name)]
            self.kept[name] = self.choose([word for word in self.words(name) if word not in taken])
        return self.kept[name]

    def words(self, name: str) -> list[str]:
        """The list a variable draws from."""
        kind, names = self.kind(name), self.grammar["names"]
        return names["boys"] + names["girls"] if kind == "name" else list(self.grammar["words"][kind])

    def kind(self, name: str) -> str:
        """The name of that list: {animal2} draws from animal, {friend} from name."""
        return str(self.grammar["kinds"].get(name, name.rstrip("2")))


def read_grammar() -> Grammar:
    """The grammar beside this program."""
    return read_toml(HERE / "grammar.toml")


def draw_stories(grammar: Grammar, seed: int = SEED, stories: int = STORIES) -> list[Story]:
    """Story i is told by its own generator, PCG32(seed, seq=i), so that one can be looked at alone."""
    return [Storyteller(grammar, PCG32(seed, seq=i)).tell() for i in range(stories)]


def split(stories: list[Story]) -> tuple[list[Story], list[Story]]:
    """(train, validation): every twentieth story is held out."""
    train = [story for i, story in enumerate(stories) if (i + 1) % VALIDATION_EVERY]
    return train, stories[VALIDATION_EVERY - 1 :: VALIDATION_EVERY]


def text_of(stories: list[Story]) -> bytes:
    """The stories as a file: ASCII, each line ended by a single newline on every system."""
    return "".join(story.text + "\n" for story in stories).encode("ascii")


def corpus() -> tuple[bytes, bytes]:
    """(train.txt, val.txt), made in memory."""
    train, validation = split(draw_stories(read_grammar()))
    return text_of(train), text_of(validation)


def generator_perplexity(stories: list[Story]) -> float:
    """The perplexity per byte of the generator itself on these stories, which no model can expect to beat.

    A story shows every draw that made it, so its probability is the product of the draws' probabilities and
    its surprise the sum of theirs. The newlines are certain: they add bytes and no nats.
    """
    return math.exp(math.fsum(story.nats for story in stories) / len(text_of(stories)))


def shard(text: bytes) -> bytes:
    """A token shard, an id a byte: 256 little-endian int32 (magic, version, n, vocab), then uint16 ids."""
    header = struct.pack("<256i", 20240520, 1, len(text), 256, *[0] * 252)
    return header + struct.pack(f"<{len(text)}H", *text)


def make_files() -> dict[str, bytes]:
    """Every file of the corpus, by name."""
    train, validation = corpus()
    texts = {"train": train, "val": validation}
    return {f"{part}.txt": text for part, text in texts.items()} | {
        f"{part}.bin": shard(text) for part, text in texts.items()
    }


def sums(files: dict[str, bytes]) -> str:
    """The files' hashes as sha256sum prints them."""
    return "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items())


def main(argv: list[str] | None = None) -> int:
    """Write the corpus, or check it; the exit code is 1 when it is not the one SHA256SUMS names."""
    parser = argparse.ArgumentParser(description="Make the MS-L2 corpus.")
    parser.add_argument("--out", type=Path, default=HERE, metavar="DIR", help="default: beside this program")
    parser.add_argument("--check", action="store_true", help="write nothing; compare with SHA256SUMS")
    options = parser.parse_args(argv)
    files = make_files()
    if not options.check:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (options.out / name).write_bytes(content)
            print(f"{options.out / name}: {len(content):,} bytes")
    if sums(files) != (HERE / "SHA256SUMS").read_text(encoding="utf-8"):
        print("The corpus is not the one SHA256SUMS names: undo the change, or record the new sums there.")
        return 1
    print("The corpus is the one SHA256SUMS names.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
