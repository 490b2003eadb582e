"""Is work like a skill the person has, or like one they turned down for good (spec 0058 §1)?

Asked before any model is, with what the person asked for, and again after, with the draft's own
title and description.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conch.words.likeness import closeness
from conch.words.meaning import Meaning
from conch.words.names import names
from conch.words.stems import stem
from conch.words.tokens import content_tokens

_BY_WORDS = 0.34
_BY_MEANING = 0.5
_WITH_A_WORD = 0.3
_READ = 400


def like_one_of(
    asked: Sequence[str], known: Iterable[str], meaning: Meaning | None = None
) -> str | None:
    """The first of `known` that any of `asked` is like; None when none is.

    Names and numbers count little here: the way to Lyon is the way to Nice. Closeness by words
    decides alone; where only meaning says so it takes more, unless a word is shared too.
    """
    wanted = [text[:_READ] for text in asked if content_tokens(text[:_READ])]
    for other in known:
        if any(_alike(text, other[:_READ], meaning) for text in wanted):
            return other
    return None


def _alike(text: str, other: str, meaning: Meaning | None) -> bool:
    ours, theirs = what_of(text), what_of(other)
    shared = ours & theirs
    if shared and len(shared) >= 2 and len(shared) / len(ours | theirs) >= _BY_WORDS:
        return True
    if closeness(text, other) >= 2 * _BY_WORDS:
        return True
    if meaning is None:
        return bool(ours) and len(shared) >= 2 and shared in (ours, theirs)
    near = meaning.likeness(text, other)
    return near >= _BY_MEANING or (len(shared) >= 2 and near >= _WITH_A_WORD)


def what_of(text: str) -> frozenset[str]:
    """The stems of a request without its names and numbers, as far as anything is left."""
    named = {stem(word) for name in names(text) for word in content_tokens(name)}
    every = frozenset(stem(word) for word in content_tokens(text))
    return frozenset(word for word in every - named if not word[:1].isdigit()) or every
