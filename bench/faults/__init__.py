"""Faults made by rule, for `survey.py`: what is put wrong, which of it is trivial, and what the course tests say."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # ol need not be installed
