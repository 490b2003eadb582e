"""A memory as a person is shown it: a secret that got into its file by hand is not repeated."""

from __future__ import annotations

from typing import NamedTuple

from conch.guard.redactor import Redactor
from conch.memory.memory import Memory


class Shown(NamedTuple):
    """The words as shown, and their hash: "" when something in them is hidden.

    Nobody saw such words, so no press can be for them (design.md, promise 3).
    """

    text: str
    words_hash: str


def shown(memory: Memory) -> Shown:
    """A memory's words for any door. Only those the check holds can hide something."""
    if memory.held is None:
        return Shown(memory.text, memory.words_hash)
    text = Redactor().redact(memory.text)
    return Shown(text, memory.words_hash if text == memory.text else "")
