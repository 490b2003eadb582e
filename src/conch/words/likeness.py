"""Whether two short texts say the very same thing, and how close their words are."""

from __future__ import annotations

from rapidfuzz import fuzz

from conch.words.fold import fold
from conch.words.language import likely_language
from conch.words.numbers import in_digits
from conch.words.stems import stem
from conch.words.tokens import content_tokens, spelled_out


def same(a: str, b: str) -> bool:
    """Whether `a` and `b` say the very same thing: words in order, with what they deny and count.

    Never true for opposites: a reversal, another number, time or name, a negation more or less.
    """
    return _key(a) == _key(b)


def closeness(a: str, b: str) -> float:
    """How much `a` and `b` say with the same words, 0 (nothing) to 1; order counts little."""
    ours = {stem(word) for word in content_tokens(a)}
    theirs = {stem(word) for word in content_tokens(b)}
    if not ours or not theirs:
        return 1.0 if fold(a) == fold(b) else 0.0
    shared = len(ours & theirs) / len(ours | theirs)
    return max(shared, min(shared + 0.15, fuzz.token_sort_ratio(fold(a), fold(b)) / 100))


def _key(text: str) -> tuple[str, ...]:
    words = in_digits(spelled_out(fold(text)), likely_language(text))
    return tuple(stem(word) for word in words if word not in ("a", "an", "the"))
