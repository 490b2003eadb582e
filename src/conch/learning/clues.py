"""The clues a message gives: what the signals are weighed from.

Cues of the lexicons, and things seen in any language: that the answer ended in a question, that a
word is repeated the answer left out, that the message is the last one with one word changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from conch.learning.exchange import Exchange
from conch.words.cues import is_boundary
from conch.words.tokens import tokens

_ASKS = re.compile(r"[?？؟]")
_ENDS_ASKING = re.compile(r"[?？؟][\s\"'”»)]*$")
_SHOUTED = re.compile(r"\b[^\W\d_]{3,}\b")
_DIGIT = re.compile(r"\d")

Clues = dict[str, float]


def clues_of(exchange: Exchange) -> Clues:
    """Every clue of a message in its place, by name; a clue that is not seen is left out."""
    clues: Clues = dict.fromkeys(exchange.reading.groups, 1.0)
    _openings(exchange, clues)
    _shape(exchange, clues)
    if exchange.answered:
        _the_answer(exchange, clues)
        _echoes(exchange, clues)
        _overlap(exchange, clues)
    return clues


def _openings(exchange: Exchange, clues: Clues) -> None:
    for group, hits in exchange.reading.groups.items():
        if hits[0].start == 0:
            clues[f"opens:{group}"] = 1.0
        elif hits[0].start <= 3:
            clues[f"early:{group}"] = 1.0


def _shape(exchange: Exchange, clues: Clues) -> None:
    words = [word for word in exchange.reading.words if not is_boundary(word)]
    length = sum(0.5 if word[0] >= "\u3040" else 1.0 for word in words)
    clues["length:" + _bucket(length)] = 1.0
    prose = exchange.prose
    if _ASKS.search(prose):
        clues["asks"] = 1.0
        if _ENDS_ASKING.search(prose):
            clues["ends asking"] = 1.0
    if "!" in prose or "！" in prose:
        clues["exclaims"] = 1.0
    if re.search(r"[!?]{2,}|[！？]{2,}", prose):
        clues["exclaims twice"] = 1.0
    if re.search(r"(?:\.{2,}|…)\s*$", prose):
        clues["trails off"] = 1.0
    shouted = [word for word in _SHOUTED.findall(prose) if word.isupper()]
    if shouted:
        quiet = any(word.islower() for word in _SHOUTED.findall(prose))
        clues["shouts a word" if quiet else "shouts"] = 1.0
    if exchange.prose.strip() != exchange.text.strip():
        clues["brings other words"] = 1.0


def _bucket(length: float) -> str:
    for most in (2, 4, 7, 11, 16, 25, 40):
        if length <= most:
            return f"{most}"
    return "more"


def _the_answer(exchange: Exchange, clues: Clues) -> None:
    reply = exchange.reply_start
    if not reply.strip() or exchange.ended in ("failed", "stopped"):
        clues["answer:none"] = 1.0
    if _ENDS_ASKING.search(reply):
        clues["answer:asks"] = 1.0
    elif _ASKS.search(reply):
        clues["answer:asked"] = 1.0
    reading = exchange.reply_reading
    if reading.has("frames.failed"):
        clues["answer:failed"] = 1.0
    if reading.has("frames.done"):
        clues["answer:done"] = 1.0
    if _DIGIT.search(reply):
        clues["answer:figures"] = 1.0
    if len(reading.words) <= 8:
        clues["answer:short"] = 1.0
    groups = exchange.reading.groups
    if "answer:asks" in clues or "answer:asked" in clues:
        for group in ("correction.no", "correction.against", "frames.yes", "thanks.praise"):
            if group in groups:
                clues[f"to a question:{group}"] = 1.0


def _echoes(exchange: Exchange, clues: Clues) -> None:
    """Words taken up from the answer or from before: what a correction is made of."""
    said, before, reply = exchange.content, exchange.content_before, exchange.content_reply
    only_reply, only_before = reply - before, before - reply
    if said & only_before:
        clues["repeats what was left out"] = 1.0
    if said & only_reply:
        clues["takes up the answer"] = 1.0
    if said and not said & (before | reply):
        clues["all new words"] = 1.0
    if said and said <= before | reply:
        clues["no new words"] = 1.0
    if _near_a_no(exchange, only_reply):
        clues["says no to the answer's word"] = 1.0
    elif _near_a_no(exchange, before):
        clues["says no to own word"] = 1.0
    if said & only_before and said & only_reply:
        clues["both words"] = 1.0


_REACH = 3


def _near_a_no(exchange: Exchange, wanted: frozenset[str]) -> bool:
    if not wanted:
        return False
    words = exchange.reading.words
    for hit in exchange.reading.groups.get("frames.not", ()):
        around = words[max(0, hit.start - _REACH) : hit.end + _REACH]
        if wanted.intersection(around):
            return True
        if any(word[0] >= "\u3040" for word in around):
            joined = "".join(around)
            if any(one in joined for one in wanted):
                return True
    return False


def _overlap(exchange: Exchange, clues: Clues) -> None:
    """How the message lies over the one before it: the same frame with one thing changed, or not."""
    ours, theirs = exchange.content, exchange.content_before
    if not ours or not theirs:
        return
    shared = len(ours & theirs)
    clues["shared words"] = shared / len(ours | theirs)
    added, left = len(ours - theirs), len(theirs - ours)
    if shared and added <= 1 and left <= 1:
        clues["one word changed"] = 1.0
    if shared and added and not left:
        clues["only adds"] = 1.0
    if shared == 0:
        clues["shares no word"] = 1.0
    numbers = {word for word in ours if word[0].isdigit()}
    if numbers - theirs:
        clues["a new number"] = 1.0
    order = _common_run(tokens(exchange.before_prose[:300]), tokens(exchange.prose[:300]))
    if order >= 0.6:
        clues["same frame"] = 1.0
    elif order >= 0.4:
        clues["half the frame"] = 1.0


def _common_run(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of the shorter text's words that stand at the same end of both."""
    if not a or not b:
        return 0.0
    shorter = min(len(a), len(b))
    start = _same_at(lambda at: a[at] == b[at], shorter)
    end = _same_at(lambda at: a[-1 - at] == b[-1 - at], shorter - start)
    return (start + end) / shorter


def _same_at(same: Callable[[int], bool], most: int) -> int:
    at = 0
    while at < most and same(at):
        at += 1
    return at
