"""The judge of a milestone, in a process where no student code runs: `judge.py ASKED`.

ASKED is a JSON file: `root` of the course, `program` of the judge below it, `folder` that holds what the steps left,
`words`, `said`, `reference_said` and `calls`. The files below `folder` may come from an adversary: the judge reads
them with the frozen kit. One JSON object a line comes out for each call, then the closing one with their number.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

Record = dict[str, Any]
MEMORY_BYTES = 4 << 30


@dataclass(frozen=True)
class Work:
    """What a judge is shown: files below `files` and `reference`, last lines by step, words by placeholder."""

    files: Path
    reference: Path
    words: dict[str, str]
    said: dict[str, Record]
    reference_said: dict[str, Record]


def judged(call: Callable[[Work], Any], work: Work) -> Record:
    """A figure that is a finite number; of a claim that holds nothing, else the sentence that says why not."""
    try:
        found = call(work)
        if found is None:
            return {}
        if isinstance(found, str):
            return {"wrong": _plain(found)}
        return {"figure": float(found)} if math.isfinite(found) else {"raised": f"the figure is {found}"}
    except Exception as error:  # what broke over a file that is no model is told, and holds nothing
        return {"raised": _plain(f"{type(error).__name__}: {error}")[:300]}


def _plain(text: str) -> str:
    """With what no UTF-8 can say spelled out: the names in a file are its writer's."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def loaded(root: Path, program: str) -> ModuleType:
    """The judge, with the frozen kit beside it; nothing is written into the course."""
    sys.dont_write_bytecode = True
    os.environ["OL_COURSE_ROOT"] = str(root)
    sys.path.append(str(root / "course" / "tests"))
    spec = importlib.util.spec_from_file_location("judge", root / program)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["judge"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def bound_memory() -> None:
    """A file that asks for more raises MemoryError here, and ends nothing else. Windows has no such bound."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main(asked_path: str) -> None:
    bound_memory()
    asked = json.loads(Path(asked_path).read_text(encoding="utf-8"))
    judge, folder = loaded(Path(asked["root"]), asked["program"]), Path(asked["folder"])
    work = Work(
        folder / "files", folder / "reference", asked["words"], asked["said"], asked["reference_said"]
    )
    for call in asked["calls"]:
        print(json.dumps(judged(getattr(judge, call), work)))
    print(json.dumps({"judged": len(asked["calls"])}))


if __name__ == "__main__":
    main(sys.argv[1])
