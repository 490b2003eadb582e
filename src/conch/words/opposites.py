"""Words that say the opposite of each other, from `[words.opposites]`."""

from __future__ import annotations

from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.phrase_sets import WORD, PhraseSet
from conch.words.scripts import SCRIPTS
from conch.words.tokens import spelled_out


def opposed(a: str, b: str) -> bool:
    """Whether one text says one side of a pair of opposites and the other text the other side.

    A word both have says nothing. Negation is not looked at (`negation.negated`).

    >>> opposed("Likes olives", "Hates olives"), opposed("Likes olives", "Loves olives")
    (True, False)
    """
    one, other = _read(a), _read(b)
    for left, right in _pairs():
        sides = [(side.at(*text) is not None) for text in (one, other) for side in (left, right)]
        if sides in ([True, False, False, True], [False, True, True, False]):
            return True
    return False


def _read(text: str) -> tuple[str, list[str]]:
    folded = spelled_out(fold(text[:2000]))
    return folded, WORD.findall(folded)


@from_lexicons
def _pairs() -> tuple[tuple[PhraseSet, PhraseSet], ...]:
    found: list[tuple[PhraseSet, PhraseSet]] = []
    for lexicon in lexicons():
        for line in lexicon.phrases("words.opposites", "pairs"):
            left, _, right = line.partition("|")
            found.append((_side(left, lexicon.script), _side(right, lexicon.script)))
    return tuple(found)


def _side(listed: str, script: str) -> PhraseSet:
    phrases = [fold(phrase) for phrase in listed.split(",")]
    return PhraseSet((), phrases) if script in SCRIPTS else PhraseSet(phrases, ())
