"""The clues a message gives: what the signals are weighed from.

Cues of the lexicons, and things seen in any language: that the answer ended in a question, that a
word is repeated the answer left out, that the message is the last one with one word changed.
"""

from __future__ import annotations

import re

from conch.learning.echoes import Clues, echo_clues, overlap_clues
from conch.learning.exchange import Exchange
from conch.words.cues import is_boundary
from conch.words.thanks import are_thanks

_ASKS = re.compile(r"[?？؟]")
_ENDS_ASKING = re.compile(r"[?？؟][\s\"'”»)]*$")
_QUOTED = re.compile(
    r"「[^」]*」|『[^』]*』|“[^”]*”|„[^“”]*[“”]|«[^»]*»|\"[^\"\n]*\"|```.*?```", re.DOTALL
)
_SHOUTED = re.compile(r"\b[^\W\d_]{3,}\b")
_GROUPS = (
    "correction.",
    "rephrasing.",
    "frustration.",
    "frames.",
    "thanks.thank",
    "thanks.praise",
    "thanks.works",
    "thanks.spoils",
    "durable.first",
    "durable.always",
)
_OPENING = ("correction.", "rephrasing.", "frustration.", "frames.yes", "frames.question")
_CORRECTING = frozenset(
    f"correction.{name}"
    for name in (
        "no",
        "meant",
        "should",
        "wrong",
        "amiss",
        "instead",
        "slip",
        "undo",
        "check",
        "reversed",
    )
)
_EARLY = 3
_SHORT, _VERY_SHORT, _LONG = 7, 2, 25
TOGETHER: dict[str, tuple[tuple[str, ...], ...]] = {
    "correction": (
        ("repeats what was left out", "short", "statement"),
        ("mostly what was left out", "short", "statement"),
        ("mostly what was left out", "told", "exclaims"),
        ("takes up the answer", "correction.points", "statement"),
        ("takes up the answer", "correction.no", "statement"),
        ("takes up the answer", "frames.not", "told"),
        ("all new words", "correction.points", "statement"),
        ("all new words", "short", "statement"),
        ("says no to the answer's word", "told", "statement"),
        ("says no to the answer's word", "correction.no"),
        ("shouts a word", "repeats what was left out"),
        ("answer:asks", "short"),
        ("answer:asks", "frames.not"),
        ("durable.first", "frames.not", "statement"),
        ("durable.first", "takes up the answer", "told"),
        ("correction.reversed", "short"),
        ("correction.no", "rephrasing.follow_up"),
        ("opens:correction.no", "told", "short"),
        ("correction.wrong", "statement"),
        ("correction.amiss", "short", "told"),
        ("correction.should", "statement", "told"),
        ("correction.undo", "told"),
        ("a word almost like the answer's", "short", "told"),
        ("wonders", "one word changed"),
    ),
    "rephrasing": (
        ("wonders", "all new words"),
        ("wonders", "some words shared"),
        ("wonders", "one word changed"),
        ("wonders", "short"),
        ("wonders", "told"),
        ("wonders", "rephrasing.follow_up"),
        ("wonders", "rephrasing.need"),
    ),
    "frustration": (
        ("thanks.praise", "frames.still"),
        ("thanks.thank", "frames.still"),
        ("thanks.praise", "frustration.mild"),
        ("thanks.praise", "thanks.spoils"),
        ("frustration.mock", "thanks.spoils"),
        ("frustration.mock", "answer:done"),
        ("thanks.thank", "thanks.spoils"),
        ("thanks not meant", "statement"),
        ("frames.still", "exclaims"),
        ("frames.still", "frustration.mild"),
        ("frustration.mild", "frustration.again"),
        ("frustration.strong", "frames.reported"),
        ("exclaims twice", "short"),
        ("shouts a word", "correction.meant"),
    ),
}
"""Clues that say more together than apart, by the signal they speak of."""


def _by_first() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for together in dict.fromkeys(one for some in TOGETHER.values() for one in some):
        found.setdefault(together[0], []).append((" & ".join(together), together[1:]))
    return found


_BY_FIRST = _by_first()


def clues_of(exchange: Exchange) -> Clues:
    """Every clue of a message in its place, by name; a clue that is not seen is left out."""
    clues: Clues = {group: 1.0 for group in exchange.reading.groups if group.startswith(_GROUPS)}
    if any(group in clues for group in ("thanks.thank", "thanks.praise", "thanks.works")):
        meant = are_thanks(exchange.reading)
        clues["thanks meant" if meant else "thanks not meant"] = 1.0
    _openings(exchange, clues)
    _shape(exchange, clues)
    if exchange.answered:
        _the_answer(exchange, clues)
        echo_clues(exchange, clues)
        overlap_clues(exchange, clues)
    for first in [clue for clue in clues if clue in _BY_FIRST]:
        for name, others in _BY_FIRST[first]:
            if all(clue in clues for clue in others):
                clues[name] = 1.0
    return clues


def _openings(exchange: Exchange, clues: Clues) -> None:
    groups = exchange.reading.groups
    for group, hits in groups.items():
        if not group.startswith(_OPENING):
            continue
        if hits[0].start == 0:
            clues[f"opens:{group}"] = 1.0
        elif hits[0].start <= _EARLY:
            clues[f"early:{group}"] = 1.0
    kinds = sum(1 for group in groups if group in _CORRECTING)
    if kinds >= 3:
        clues["three kinds of correction"] = 1.0
    elif kinds == 2:
        clues["two kinds of correction"] = 1.0
    elif kinds == 0:
        clues["no correction"] = 1.0


def _shape(exchange: Exchange, clues: Clues) -> None:
    words = [word for word in exchange.reading.words if not is_boundary(word)]
    length = sum(0.5 if word[0] >= "\u3040" else 1.0 for word in words)
    if length <= _SHORT:
        clues["short"] = 1.0
        if length <= _VERY_SHORT:
            clues["very short"] = 1.0
    elif length > _LONG:
        clues["long"] = 1.0
    prose = exchange.prose
    if _ASKS.search(prose):
        clues["asks"] = 1.0
        if _ENDS_ASKING.search(prose):
            clues["ends asking"] = 1.0
    groups = exchange.reading.groups
    if "asks" in clues or "rephrasing.asks" in groups or "frames.question" in groups:
        clues["wonders"] = 1.0
    else:
        clues["statement"] = 1.0
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
        if len(shouted) > 1:
            clues["shouts words"] = 1.0
    if exchange.prose.strip() != exchange.text.strip():
        clues["brings other words"] = 1.0


def _the_answer(exchange: Exchange, clues: Clues) -> None:
    reply = exchange.reply_start
    if not reply.strip() or exchange.ended in ("failed", "stopped"):
        clues["answer:none"] = 1.0
    asked = _QUOTED.sub(" ", reply) if _ASKS.search(reply) else ""
    if _ENDS_ASKING.search(asked):
        clues["answer:asks"] = 1.0
    elif _ASKS.search(asked):
        clues["answer:asked"] = 1.0
    else:
        clues["told"] = 1.0
    reading = exchange.reply_reading
    if reading.has("frames.failed"):
        clues["answer:failed"] = 1.0
    if reading.has("frames.done"):
        clues["answer:done"] = 1.0
    groups = exchange.reading.groups
    if "answer:asks" in clues or "answer:asked" in clues:
        for group in ("correction.no", "correction.against", "frames.yes", "thanks.praise"):
            if group in groups:
                clues[f"to a question:{group}"] = 1.0
