"""Amounts that speak for themselves: "18 an hour" is pay, "50mg" is a dose (spec 0088 §4).

No word beside them names money or an illness. The words are `[guard.amounts]` in
`words/lexicons/<code>.toml`.
"""

from __future__ import annotations

import re
from typing import Literal

from conch.guard.secret_words import folded
from conch.words.lexicon import from_lexicons, phrases

_TABLE = "guard.amounts"
_NUMBER = r"(?<![\w.,:/-])[€$£]?\d{1,4}(?:[.,]\d{1,2})?"


def telling_amount(text: str) -> Literal["health", "money"] | None:
    """What an amount in `text` tells of: "health" for a dose, "money" for pay by the hour.

    None where a word beside it says what else is counted ("reads 20 an hour", "50mg caffeine").

    >>> telling_amount("18 an hour at the cafe"), telling_amount("Trains leave 4 an hour")
    ('money', None)
    """
    if not re.search(r"\d", text):
        return None
    low = folded(text)
    words = set(re.findall(r"[^\W\d_]+", low))
    dose, hourly = _amounts()
    if dose.search(low) and not _beside("not_dose", words, low):
        return "health"
    if hourly.search(low) and not _beside("not_hourly", words, low):
        return "money"
    return None


def _beside(name: str, words: set[str], low: str) -> bool:
    known = _folded(name)
    return bool(known & words) or any(not w.isascii() and w in low for w in known)


def _folded(name: str) -> frozenset[str]:
    return frozenset(folded(word) for some in phrases(_TABLE, name).values() for word in some)


@from_lexicons
def _amounts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds a dose, and what finds pay by the hour, in folded text."""
    dose, hourly = ("|".join(map(re.escape, _longest_first(n))) for n in ("dose", "hourly"))
    return (
        re.compile(rf"{_NUMBER}\s?(?:{dose})(?![a-z/])"),
        re.compile(rf"{_NUMBER}\s?(?:[€$£]|euros?|eur|dollars|bucks|quid)?\s?(?:{hourly})(?!\w)"),
    )


def _longest_first(name: str) -> list[str]:
    return sorted(_folded(name), key=len, reverse=True)
