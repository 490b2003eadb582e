"""Durable words: something about the person that will still be true in the next chat."""

from __future__ import annotations

from conch.words.cue_reading import CueReading, read_cues
from conch.words.cues import is_boundary
from conch.words.weighing import load_weighing

_LONGEST = 6000


def durable(prose: str) -> bool:
    """Whether the person's own prose says something durable about them (spec 0088 §2).

    "I live in Utrecht", "call me Jo", "we use pnpm here"; not a question, a wish for now, a
    supposition, a part that is played or what somebody else likes. Every sentence is weighed by
    itself, so that a pronoun in one and a cue in another do not add up.
    """
    weighing = load_weighing("conch.learning", "durable")
    reading = read_cues(prose[:_LONGEST])
    if not any(group.startswith("durable.") for group in reading.groups):
        return False
    return any(weighing.says_yes(clues) for clues in durable_clues(reading))


def durable_clues(reading: CueReading) -> list[dict[str, float]]:
    """The clues of each sentence of a message."""
    around = {
        f"anywhere:{group}": 1.0
        for group in ("frames.role", "frames.supposing", "frames.words_about", "frames.reported")
        if reading.has(group)
    }
    return [_of_sentence(sentence) | around for sentence in reading.sentences()]


def _of_sentence(sentence: CueReading) -> dict[str, float]:
    clues = {group: 1.0 for group in sentence.groups if group.startswith(("durable.", "frames."))}
    for group, hits in sentence.groups.items():
        if hits[0].start == 0 and group.startswith(("durable.", "frames.")):
            clues[f"opens:{group}"] = 1.0
    words = [word for word in sentence.words if not is_boundary(word)]
    if sentence.words and sentence.words[-1] in "?？؟":
        clues["asks"] = 1.0
    length = sum(0.5 if word[0] >= "\u3040" else 1.0 for word in words)
    clues[
        "length:"
        + ("4" if length <= 4 else "10" if length <= 10 else "20" if length <= 20 else "more")
    ] = 1.0
    kinds = sum(
        1
        for group in sentence.groups
        if group.startswith("durable.")
        and group
        not in (
            "durable.first",
            "durable.trouble",
            "durable.wants",
            "durable.this_once",
            "durable.against",
        )
    )
    if kinds >= 2:
        clues["two kinds of cue"] = 1.0
    if kinds and "durable.first" in sentence.groups:
        clues["own cue"] = 1.0
    return clues
