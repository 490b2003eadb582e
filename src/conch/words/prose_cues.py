"""The phrases of `[words.prose]` that tell a person's own words from pasted ones.

Mail may be in any language; what announces or asks is looked for in the message's own ones, since
a small word of one language asks in another.
"""

from __future__ import annotations

from dataclasses import dataclass

from conch.words.phrase_sets import PhraseSet, phrase_set
from conch.words.language import likely_language

HEADERS = phrase_set("words.prose", "headers")
WROTE = phrase_set("words.prose", "wrote")
FORWARDED = phrase_set("words.prose", "forwarded")
GREETING = phrase_set("words.prose", "greeting")
CLOSING = phrase_set("words.prose", "closing")
SPEAKERS = phrase_set("words.prose", "speakers")

_SAID = phrase_set("words.prose", "said")
_TEXTS = phrase_set("words.prose", "texts")
_TEXT_WORK = phrase_set("words.prose", "text_work")
_ASKS = phrase_set("words.prose", "asks")
_SELF = phrase_set("words.prose", "self")
_I = phrase_set("words.prose", "i")
_POINTS = phrase_set("words.prose", "points")


@dataclass(frozen=True)
class ProseCues:
    """The cues of the languages a message is probably in."""

    said: PhraseSet
    texts: PhraseSet
    text_work: PhraseSet
    asks: PhraseSet
    self: PhraseSet
    i: PhraseSet
    points: PhraseSet


def prose_cues(text: str) -> ProseCues:
    """The cues of the languages `text` starts, ends and is mostly in; of all when none shows."""
    first, last = text[:120].strip().split("\n", 1)[0], text[-160:].strip().rsplit("\n", 1)[-1]
    found = {likely_language(first), likely_language(last), likely_language(text[:600])} - {None}
    codes = tuple(sorted(code for code in found if code))
    return ProseCues(
        _SAID(*codes),
        _TEXTS(*codes),
        _TEXT_WORK(*codes),
        _ASKS(*codes),
        _SELF(*codes),
        _I(*codes),
        _POINTS(*codes),
    )
