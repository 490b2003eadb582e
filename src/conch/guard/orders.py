"""Is a text about the assistant itself, or an order to it? Such a text is never learned.

Spec 0088 §4: 'About the assistant itself, or an order to it ("from now on", "always say")'. A
memory says how the person is and what they like; how the assistant must behave is not a memory.
"Prefers short answers" is a preference, "Keep answers short" an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
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
    # How a verb orders is one language's affair: "di" is "say" in Spanish and "of" in Italian.
    hits = in_its_language(hits, text)
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
    openings = _openings(start, inside)
    for joint in (hit.end for hit in inside if hit.group == "and"):
        openings |= _openings(joint, inside) - {joint}
    led = len(openings) > 1
    for hit in inside:
        if hit.group == "imperative_last" and hit.end == end:
            return True
        if hit.group == "infinitive_last" and hit.end == end and led:
            return True
        if hit.start not in openings:
            continue
        if hit.group == "imperative":
            return True
        if hit.group == "imperative_or_noun" and _orders(hit, led, end, inside):
            return True
    return False


def _openings(at: int, hits: Sequence[Hit]) -> set[int]:
    """Where a clause's verb may stand: at its start, or after "please", "always", "never"…"""
    found = {at}
    for hit in hits:
        if hit.group == "leading" and hit.start in found:
            found.add(hit.end)
    return found


def _orders(verb: Hit, led: bool, end: int, hits: Sequence[Hit]) -> bool:
    """Whether a verb that may be a noun orders: with an object, and nothing stated after it."""
    near = [hit for hit in hits if verb.end <= hit.start < verb.end + _STATED_WITHIN]
    if verb.end == end or any(hit.group == "states" for hit in near):
        return False
    return led or any(hit.group == "object" and hit.start == verb.end for hit in near)
