"""Is a text about somebody's health or money? Such a text is never learned (spec 0088 §4).

Two looks. The first goes by words, in every language: what names an illness, a treatment, an
income or a debt. The second goes by meaning, for wordings no list holds: is the text nearer to
sentences about health or money than to ordinary ones? When in doubt it is one. Diet and allergies
are preferences; a person's trade ("works at a hospital", "is a loan officer") is a fact.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from conch.guard.phrasebook import phrasebook, ready
from conch.words.lexicon import lexicons

if TYPE_CHECKING:
    import numpy

    from conch.words.meaning import Meaning

Topic = Literal["health", "money"]

_TOPICS: tuple[Topic, ...] = ("health", "money")
NEAREST = 4
"""How many prototypes of each sort are asked."""
MARGIN = 0.0
"""How much nearer an ordinary sentence has to be before the second look lets a text go."""


def sensitive_topic(text: str, meaning: Meaning | None = None) -> Topic | None:
    """ "health" or "money" when `text` is about either, else None. Without `meaning`: by words only.

    >>> sensitive_topic("Takes sertraline every morning")
    'health'
    >>> sensitive_topic("Is a Doctor Who fan") is None
    True
    """
    return _by_words(text) or (_by_meaning(text, meaning) if meaning is not None else None)


def _by_words(text: str) -> Topic | None:
    folded = phrasebook("guard.sensitive", "harmless").without(ready(text))
    for topic in _TOPICS:
        if phrasebook("guard.sensitive", topic).find(folded):
            return topic
    trade = phrasebook("guard.sensitive", "trade").without(folded)
    for topic in _TOPICS:
        if phrasebook("guard.sensitive", f"{topic}_unless_trade").find(trade):
            return topic
    return None


def _by_meaning(text: str, meaning: Meaning) -> Topic | None:
    if meaning.name == "words-only" or not text.strip():
        return None
    likeness = {sort: _nearness(text, sort, meaning) for sort in (*_TOPICS, "neither")}
    topic = max(_TOPICS, key=lambda sort: likeness[sort])
    return topic if likeness[topic] > likeness["neither"] + MARGIN else None


def _nearness(text: str, sort: str, meaning: Meaning) -> float:
    """The mean likeness of `text` to its nearest prototypes of one sort."""
    vector = _vector(text, meaning)
    scores = sorted((_prototypes(sort, meaning) @ vector).tolist(), reverse=True)[:NEAREST]
    return sum(scores) / len(scores)


@lru_cache(maxsize=256)
def _vector(text: str, meaning: Meaning) -> numpy.ndarray:
    return meaning.encode([text])[0]


@lru_cache(maxsize=16)
def _prototypes(sort: str, meaning: Meaning) -> numpy.ndarray:
    sentences = [
        sentence
        for lexicon in lexicons()
        for sentence in lexicon.phrases("guard.sensitive", f"{sort}_sentences")
    ]
    return meaning.encode(sentences)
