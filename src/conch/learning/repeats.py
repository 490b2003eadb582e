"""The same message sent again (retry), and messages that are meant to be sent again."""

from __future__ import annotations

from collections.abc import Sequence

from conch.learning.exchange import Exchange
from conch.words.cue_reading import CueReading, read_cues
from conch.words.cues import is_boundary

_LONG_ENOUGH = 5


def is_retry(exchange: Exchange) -> bool:
    """Whether the person sent the same message again because nothing came of it the first time.

    Case, blanks and marks make no difference. "continue" and other words that move a talk on, and
    what is meant to be done again ("roll a d20"), are no retry unless the answer failed.
    """
    if not says_the_same(exchange):
        return False
    said = exchange.own.said
    reading = read_cues(exchange.text)
    if _moves_on(reading, said):
        return False
    if nothing_came(exchange):
        return True
    return len(said) >= _LONG_ENOUGH and not reading.has("frames.repeatable")


def says_the_same(exchange: Exchange) -> bool:
    """Whether the message has the very words of the one before it, in order."""
    before = exchange.own_before
    if before is None or len(exchange.text) > 2 * len(before.text) + 20:
        return False
    said = exchange.own.said
    return bool(said) and said == before.said


def nothing_came(exchange: Exchange) -> bool:
    """Whether the turn before failed, was stopped, or says that it could not do it."""
    if exchange.ended in ("failed", "stopped") or not (exchange.reply or "").strip():
        return True
    return exchange.reply_reading.has("frames.failed")


def _moves_on(reading: CueReading, said: Sequence[str]) -> bool:
    """Whether the whole message is one of the words that move a talk on, or a bare choice."""
    if len(said) == 1 and ((len(said[0]) == 1 and said[0] < "\u3040") or said[0].isdigit()):
        return True
    last = len(reading.words)
    marks = sum(1 for word in reading.words if is_boundary(word))
    return any(
        hit.end - hit.start >= last - marks for hit in reading.groups.get("frames.go_on", ())
    )
