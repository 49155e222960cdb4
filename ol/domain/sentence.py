"""A sentence ends once, whatever it quotes last."""

from __future__ import annotations


def sentence(text: str) -> str:
    """With a stop at its end, where the quoted words have none of their own: Python asks `forgot a comma?`."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
