"""Thanks: words that say that something went well (spec 0088 §2, 0058)."""

from __future__ import annotations

from conch.words.cue_reading import CueReading, read_cues
from conch.words.cues import is_boundary

_LONGEST = 1500


def thanks(prose: str) -> bool:
    """Whether the person's own prose thanks for, or praises, what was done.

    "no errors now, thanks" and "spot on. now do march" do. Thanks in advance, "no thanks", thanks
    with a complaint after them, a question how to thank and mocking praise do not.
    """
    return are_thanks(read_cues(prose[:_LONGEST]))


def are_thanks(reading: CueReading) -> bool:
    """`thanks` for a message that has been read for cues already."""
    if not any(reading.has(f"thanks.{group}") for group in ("thank", "praise", "works")):
        return False
    return True


def thanks_clues(reading: CueReading) -> dict[str, float]:
    words = [word for word in reading.words if not is_boundary(word)]
    return {"length": float(len(words))}
