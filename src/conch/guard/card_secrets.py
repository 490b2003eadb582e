"""Payment cards: a number that a card can have, or one that the text calls a card's."""

from __future__ import annotations

import re

from conch.guard.findings import Finding
from conch.guard.secret_words import folded, mentions, words_of

_NUMBER = re.compile(r"(?<![\w.:/#+-])\d(?:[ -]?\d){11,18}(?![\w/]|[.:-]\d)")
_NETWORK = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5|4[4-9])|35|62|50|6[37]")
_GROUPS = re.compile(r"(?:\d{4}[ -]){3}\d{4}|\d{4}[ -]\d{6}[ -]\d{5}|\d{13,19}")
_NEAR = 45


def card_secrets(text: str) -> list[Finding]:
    """Card numbers in `text`, which is read as it is seen; kind "chat:card".

    A number grouped as on a card whose check digit fits and whose first digits are a network's is
    one, unless the text calls it something else; beside "card" or an expiry any such number is.
    """
    found: list[Finding] = []
    for run in _NUMBER.finditer(text):
        shown = run.group()
        digits = re.sub(r"\D", "", shown)
        if not _NETWORK.match(digits) or not _GROUPS.fullmatch(shown):
            continue
        start, end = run.span()
        around = folded(text[max(0, start - _NEAR) : end + _NEAR])
        called = {mention.name for mention in mentions(around, ("card", "card_extra"))}
        fits = _luhn(digits) and len(digits) in {15, 16} and not _called_otherwise(around)
        if called or fits:
            found.append(Finding(start, end, "chat:card"))
    return found


def _called_otherwise(around: str) -> bool:
    words = set(re.findall(r"[^\W\d_]+", around))
    return not words.isdisjoint(words_of("not_a_card"))


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
