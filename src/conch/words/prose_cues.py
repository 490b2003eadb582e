"""The phrases of `[words.prose]` that tell a person's own words from pasted ones."""

from __future__ import annotations

from conch.words.cues import cues

HEADERS = cues("words.prose", "headers")
WROTE = cues("words.prose", "wrote")
FORWARDED = cues("words.prose", "forwarded")
GREETING = cues("words.prose", "greeting")
CLOSING = cues("words.prose", "closing")
SAID = cues("words.prose", "said")
TEXTS = cues("words.prose", "texts")
TEXT_WORK = cues("words.prose", "text_work")
ASKS = cues("words.prose", "asks")
SELF = cues("words.prose", "self")
SPEAKERS = cues("words.prose", "speakers")
I_AM = cues("words.prose", "i")
POINTS = cues("words.prose", "points")
