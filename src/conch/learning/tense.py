"""Was it so only once? "I lived in Lisbon" is no ground for "Lives in Lisbon" (spec 0088 §4).

A past tense of living, having, being or doing by habit says that it was so. One of an event ("I
moved to Lisbon", "ich habe mich entschieden") says what is so since, and none of these is listed.
"""

from __future__ import annotations

from conch.guard.phrasebook import in_its_language, phrases_in
from conch.words.cues import cue_words

_TOPIC = "learning.grounding"
_OF_THE_PAST = frozenset(("past", "was"))


def only_once(clause: str, text: str) -> bool:
    """True when `clause` says of the past what the memory `text` says of now.

    A memory of the past may rest on it, and "still" or "since 2019" in the clause makes it last.

    >>> only_once("I lived in Lisbon", "Lives in Lisbon")
    True
    >>> only_once("I lived in Lisbon", "Lived in Lisbon")
    False
    """
    said = _groups(clause)
    if "was" not in said or "holds_still" in said:
        return False
    return not _OF_THE_PAST & _groups(text)


def _groups(text: str) -> set[str]:
    words = tuple(cue_words(text))
    return {hit.group for hit in in_its_language(phrases_in(_TOPIC, words), text)}
