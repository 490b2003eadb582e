"""The phrases of `[words.prose]` that tell a person's own words from pasted ones.

Mail may be in any language; what announces or asks is looked for in the message's own ones, since
a small word of one language asks in another.
"""

from __future__ import annotations

from functools import cached_property

from conch.words.language import likely_language
from conch.words.phrase_sets import PhraseSet, phrase_set

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


class ProseCues:
    """The cues of the languages a message is probably in: those it starts, ends and is mostly in.

    Of all languages when none shows. Languages and cues are only looked for once they are needed.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def codes(self) -> tuple[str, ...]:
        text = self._text
        first = text[:160].lstrip().split("\n", 1)[0]
        last = text[-160:].rstrip().rsplit("\n", 1)[-1]
        pieces = {first[:160], last[:160], text[:400]}
        return tuple(sorted({code for piece in pieces if (code := likely_language(piece))}))

    @cached_property
    def said(self) -> PhraseSet:
        return _SAID(*self.codes)

    @cached_property
    def texts(self) -> PhraseSet:
        return _TEXTS(*self.codes)

    @cached_property
    def text_work(self) -> PhraseSet:
        return _TEXT_WORK(*self.codes)

    @cached_property
    def asks(self) -> PhraseSet:
        return _ASKS(*self.codes)

    @cached_property
    def self(self) -> PhraseSet:
        return _SELF(*self.codes)

    @cached_property
    def i(self) -> PhraseSet:
        return _I(*self.codes)

    @cached_property
    def points(self) -> PhraseSet:
        return _POINTS(*self.codes)
