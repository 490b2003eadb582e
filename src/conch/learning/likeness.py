"""How near two memories are: for "only close to what you took back" (spec 0088 §6)."""

from __future__ import annotations

from collections.abc import Sequence

from conch.learning.statement import Statement, stated
from conch.words.likeness import closeness
from conch.words.meaning import Meaning, calibrated, cosines

CLOSE_BY_WORDS = 0.5
CLOSE_BY_MEANING = 0.6


def another_value(a: Statement, b: Statement) -> bool:
    """True when both fill the same slot of the same subject, each with something else.

    "Lives in Berlin" and "Lives in Lisbon"; never true of "Lives in Berlin" twice.
    """
    shared = [
        (one, other)
        for one in a.slots
        for other in b.slots
        if one.slot == other.slot and one.about == other.about
    ]
    return bool(shared) and all(not set(one.value) & set(other.value) for one, other in shared)


def close_to(text: str, others: Sequence[str], meaning: Meaning | None = None) -> int | None:
    """Which of `others` `text` may well be in other words, or with a little more or less.

    The first that is close by words, else the closest by meaning, else None. Another place, number
    or name in the same words is another fact, and not close.
    """
    ours = stated(text)
    apart = [_another_fact(ours, stated(other)) for other in others]
    for at, other in enumerate(others):
        if not apart[at] and _close_by_words(text, other):
            return at
    left = [at for at in range(len(others)) if not apart[at]]
    if meaning is None or not left:
        return None
    rows = meaning.encode([text, *(others[at] for at in left)])
    near = cosines(rows[1:], rows[0]).tolist()
    best = max(range(len(left)), key=near.__getitem__)
    return left[best] if calibrated(near[best]) >= CLOSE_BY_MEANING else None


def _another_fact(a: Statement, b: Statement) -> bool:
    return another_value(a, b) or bool(a.numbers and b.numbers and a.numbers != b.numbers)


def _close_by_words(text: str, other: str) -> bool:
    ours, theirs = stated(text).things, stated(other).things
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return True
    return closeness(text, other) >= CLOSE_BY_WORDS
