"""Model directories: a new one takes its place when it is whole, and any kind of model is read from its own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM, load_nplm

Model = NGramLM | NPLM


@contextmanager
def in_place_of(out: str) -> Iterator[str]:
    """A folder to write into, which becomes `out` when all went well, and is gone when it did not.

    ValueError, before anything is computed, for a path that holds something else than a model.
    """
    place = Path(out).absolute()
    if place.exists() and not (place / "config.json").is_file() and not _is_empty(place):
        raise ValueError(f"{out} holds no model, so it is not written over: name another --out")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as scratch:
        new, old = Path(scratch, "new"), Path(scratch, "old")
        new.mkdir()
        yield str(new)
        try:
            if place.exists():
                place.rename(old)
            new.rename(place)
        except BaseException:  # Ctrl-C between the two as well: the old model would go with the scratch
            if old.exists() and not place.exists():
                old.rename(place)
            raise


def load(dir: str) -> Model:
    """The model of a directory, whichever kind wrote it. ValueError for none, or for another kind."""
    try:
        kind = json.loads(Path(dir, "config.json").read_text(encoding="utf-8"))["tl_arch"]
    except (FileNotFoundError, NotADirectoryError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{dir} holds no model: train one with --out {dir}") from error
    if kind == "nplm":
        return load_nplm(dir)
    if kind == "ngram":
        return NGramLM.load(dir)
    raise ValueError(f"{dir} holds a model of kind {kind!r}; this command knows nplm and ngram")


def vocabulary(model: Model) -> int:
    """V: how many ids the model knows."""
    return int(model.vocab_size or 0) if isinstance(model, NGramLM) else model.vocab


def _is_empty(place: Path) -> bool:
    return place.is_dir() and not any(place.iterdir())
