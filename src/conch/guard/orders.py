"""Is a text about the assistant itself, or an order to it? Such a text is never learned.

Spec 0088 §4: 'About the assistant itself, or an order to it ("from now on", "always say")'. A
memory says how the person is and what they like; how the assistant must behave is not a memory.
"Prefers short answers" is a preference, "Keep answers short" an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conch.guard.phrasebook import phrases_in, read_words
from conch.words.cues import Hit, is_boundary

_TOPIC = "guard.orders"
_STATED_WITHIN = 5
"""Words after a noun-like verb in which a verb shows that something is stated, not ordered."""


def about_the_assistant(text: str) -> bool:
    """True when `text` says what the assistant is, is called, must do or is told.

    >>> about_the_assistant("The assistant is called Max")
    True
    >>> about_the_assistant("Works as a dental assistant")
    False
    """
    return any(hit.group in ("assistant", "you") for hit in phrases_in(_TOPIC, read_words(text)))


def an_order(text: str) -> bool:
    """True when `text`, or a clause of it, tells somebody to do something or sets a standing rule.

    >>> an_order("From now on, answer in French")
    True
    >>> an_order("Always uses pnpm")
    False
    """
    words = read_words(text)
    hits = phrases_in(_TOPIC, words)
    if any(hit.group in ("standing", "rule") for hit in hits):
        return True
    return any(_imperative(words, start, end, hits) for start, end in _clauses(words))


def _clauses(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(len(words) + 1):
        if at == len(words) or is_boundary(words[at]):
            if at > start:
                yield start, at
            start = at + 1


def _imperative(words: Sequence[str], start: int, end: int, hits: Sequence[Hit]) -> bool:
    """True when the clause `words[start:end]` opens (or, where verbs come last, closes) as one."""
    inside = [hit for hit in hits if start <= hit.start and hit.end <= end]
    if any(hit.group == "imperative_last" and hit.end == end for hit in inside):
        return True
    openings = {_past_leading(start, inside)}
    for joint in (hit.end for hit in inside if hit.group == "and"):
        led = _past_leading(joint, inside)
        if led > joint:
            openings.add(led)
    for hit in inside:
        if hit.start not in openings:
            continue
        if hit.group == "imperative":
            return True
        if hit.group == "imperative_or_noun" and not _states(hit, end, inside):
            return True
    return False


def _past_leading(at: int, hits: Sequence[Hit]) -> int:
    """Where a clause's verb is expected: after "please", "always", "never" and their like."""
    moved = True
    while moved:
        moved = False
        for hit in hits:
            if hit.group == "leading" and hit.start == at and hit.end > at:
                at, moved = hit.end, True
                break
    return at


def _states(verb: Hit, end: int, hits: Sequence[Hit]) -> bool:
    """True when the "verb" is a noun: it stands alone, or "is", "goes to"… follows soon."""
    return verb.end == end or any(
        hit.group == "states" and verb.end <= hit.start < verb.end + _STATED_WITHIN for hit in hits
    )
