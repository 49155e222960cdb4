"""Run every comparison and put what they print into docs/performance.md and docs/results.md:
`python bench/all.py [NAME …]`.

Run it on a quiet machine. OL_BENCH_TORCH and OL_BENCH_PEERS name the Pythons that have torch, and mutmut with
cosmic-ray, where this one has not. A comparison that cannot run keeps its old figures, is named, and makes the
exit code 1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
DOCS = BENCH.parent / "docs"
COMPARISONS = (
    "mutation_grade",
    "mutation_runners",
    "commands",
    "torch_step",
    "torch_generation",
    "shuffle",
    "verify",
    "counts",
    "torch_milestone",
    "results_ms_l2",
    "results_names",
    "results_counts",
)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in COMPARISONS]
    if unknown:
        sys.exit(f"There is no comparison {', '.join(unknown)}; there are {', '.join(COMPARISONS)}.")
    missed = [name for name in names or COMPARISONS if not measured(name)]
    if missed:
        print(f"Not measured, and left as they were: {', '.join(missed)}.", file=sys.stderr)
    return 1 if missed else 0


def measured(name: str) -> bool:
    """Run one and write its block; False, with its last words shown, when it fails."""
    python = os.environ.get("OL_BENCH_TORCH", sys.executable) if name.startswith("torch_") else sys.executable
    asked = [python, str(BENCH / f"{name}.py")]
    done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
    print(done.stdout or f"{name}: {done.stderr.strip().splitlines()[-1]}", flush=True)
    if done.returncode == 0:
        page = DOCS / ("results.md" if name.startswith("results_") else "performance.md")
        page.write_text(with_block(page, name, done.stdout), encoding="utf-8")
    return done.returncode == 0


def with_block(page: Path, name: str, text: str) -> str:
    """The page's text with what stands between the two marks of this name replaced."""
    block = f"<!-- {name} -->\n```text\n{text.strip()}\n```\n<!-- end -->"
    found, count = re.subn(
        rf"<!-- {name} -->.*?<!-- end -->", lambda _: block, page.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    if count != 1:
        sys.exit(f"{page} has {count} places marked <!-- {name} --> … <!-- end -->; it must have one.")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
