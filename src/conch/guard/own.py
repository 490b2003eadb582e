"""Whose words a text is made of: the person's own, or those of something the chat read."""

from __future__ import annotations

from collections.abc import Iterable

from conch.words.tokens import content_tokens, tokens

HALF = 0.5
_RUN = 3


def mostly_said(text: str, said: Iterable[str]) -> bool:
    """True when at least half of the words of `text` that carry its meaning are in `said`.

    A text with no such words counts as said.
    """
    wanted = set(content_tokens(text))
    if not wanted:
        return True
    known = {word for words in said for word in content_tokens(words)}
    return sum(_among(word, known) for word in wanted) >= HALF * len(wanted)


def lifted_from(text: str, read: Iterable[str]) -> bool:
    """True when at least half of the three-word runs of `text` stand in one of the texts `read`."""
    wanted = _runs(text)
    if len(wanted) < 2:
        return False
    return any(len(wanted & _runs(page)) >= HALF * len(wanted) for page in read)


def _among(word: str, known: set[str]) -> bool:
    if word in known:
        return True
    stem = word[: max(4, len(word) - 3)]
    return len(word) > 4 and any(other.startswith(stem) for other in known)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
