"""Is a text about somebody's health or money? Such a text is never learned (spec 0088 §4).

Two looks. The first goes by words, in every language: what names an illness, a treatment, an
income or a debt. The second goes by meaning, for wordings no list holds: is the text nearer to
sentences about health or money than to ordinary ones? When in doubt it is one. Diet and allergies
are preferences; a person's trade ("works at a hospital", "is a loan officer") is a fact.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.lexicon import lexicons

if TYPE_CHECKING:
    import numpy

    from conch.words.meaning import Meaning

Topic = Literal["health", "money"]

_TOPIC = "guard.sensitive"
_SORTS = ("health", "money", "neither")
NEAREST = 4
"""How many sentences of each sort a text is compared with: its nearest ones."""
MARGIN = 0.0
"""How much nearer an ordinary sentence must be before the second look lets a text go."""


def sensitive_topic(text: str, meaning: Meaning | None = None) -> Topic | None:
    """"health" or "money" when `text` is about either, else None. Without `meaning`: by words only.

    >>> sensitive_topic("Takes sertraline every morning")
    'health'
    >>> sensitive_topic("Is a Doctor Who fan") is None
    True
    """
    return by_words(text) or (by_meaning(text, meaning) if meaning is not None else None)


def by_words(text: str) -> Topic | None:
    """The first look: what the lexicons name.

    A word of a trade ("doctor", "loan") counts only where no trade is being told ("works for a
    bank", "translates books on debt").
    """
    hits = in_its_language(phrases_in(_TOPIC, read_words(text)), text)
    trades = [(hit.start, hit.end) for hit in hits if hit.group == "trade"]
    for hit in hits:
        topic = hit.group.removesuffix("_unless_trade")
        if topic not in ("health", "money"):
            continue
        in_a_trade = any(start <= hit.start <= end + 3 for start, end in trades)
        if topic == hit.group or not in_a_trade:
            return "health" if topic == "health" else "money"
    return None


def by_meaning(text: str, meaning: Meaning) -> Topic | None:
    """The second look: the sentences of `[guard.sensitive]` that are nearest in meaning."""
    if meaning.name.startswith("words") or not text.strip():
        return None
    vector = meaning.encode([text])[0]
    health, money, neither = (_nearness(vector, sort, meaning) for sort in _SORTS)
    if max(health, money) <= neither + MARGIN:
        return None
    return "health" if health >= money else "money"


def _nearness(vector: numpy.ndarray, sort: str, meaning: Meaning) -> float:
    """The mean likeness of a text to its nearest sentences of one sort."""
    scores = sorted((_sentences(sort, meaning) @ vector).tolist(), reverse=True)[:NEAREST]
    return sum(scores) / len(scores)


@lru_cache(maxsize=16)
def _sentences(sort: str, meaning: Meaning) -> numpy.ndarray:
    return meaning.encode(
        [
            sentence
            for lexicon in lexicons()
            for sentence in lexicon.phrases(_TOPIC, f"{sort}_sentences")
        ]
    )
