"""How near two memories are: for "only close to what you took back" and "about the same thing"."""

from __future__ import annotations

from functools import lru_cache

from conch.guard.phrasebook import phrases_in, read_words
from conch.learning.slots import statements
from conch.words.likeness import closeness
from conch.words.meaning import Meaning
from conch.words.numbers import numbers
from conch.words.stems import stem
from conch.words.tokens import content_tokens

CLOSE_BY_WORDS = 0.5
CLOSE_BY_MEANING = 0.6


@lru_cache(maxsize=32768)
def subject_words(text: str) -> frozenset[str]:
    """The stems of what a memory is about, without the verbs any memory may have."""
    plain = {
        word
        for hit in phrases_in("learning.grounding", read_words(text))
        if hit.group == "plain_verb"
        for word in read_words(text)[hit.start : hit.end]
    }
    return frozenset(stem(word) for word in content_tokens(text) if word not in plain)


def another_value(a: str, b: str) -> bool:
    """True when both fill the same slot of the same subject with something else.

    "Lives in Berlin" and "Lives in Lisbon"; "Has 2 kids" and "Has 3 kids".
    """
    for one in statements(a):
        for other in statements(b):
            if one.slot == other.slot and one.about == other.about:
                return not set(one.value) & set(other.value)
    return False


def close(a: str, b: str, meaning: Meaning | None = None) -> bool:
    """True when `a` may well be `b` in other words, or `b` with a little more or less."""
    if another_value(a, b) or (numbers(a) != numbers(b) and numbers(a) and numbers(b)):
        return False
    ours, theirs = subject_words(a), subject_words(b)
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return True
    if closeness(a, b) >= CLOSE_BY_WORDS:
        return True
    return meaning is not None and meaning.likeness(a, b) >= CLOSE_BY_MEANING
