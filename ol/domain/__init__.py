"""Frozen values and pure functions: no files, no processes, no clock, no numpy."""
