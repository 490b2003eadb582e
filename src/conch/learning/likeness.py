"""How near two memories are: for "only close to what you took back" (spec 0088 §6)."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import takewhile

from conch.learning.statement import Statement, stated
from conch.words.fold import fold
from conch.words.likeness import closeness
from conch.words.meaning import Meaning, calibrated, cosines
from conch.words.stems import same_word, stem
from conch.words.tokens import function_words

CLOSE_BY_WORDS = 0.5
CLOSE_BY_MEANING = 0.6
CLOSE_WITHOUT_FRAME = 0.45
"""The cosine of what two texts are about once their shared verb is left out; set on the open half
of `tests/cases/never.jsonl`."""
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


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
    for at in sorted(range(len(left)), key=near.__getitem__, reverse=True):
        if calibrated(near[at]) < CLOSE_BY_MEANING:
            return None
        if _close_without_frame(text, others[left[at]], meaning):
            return left[at]
    return None


def _close_without_frame(text: str, other: str, meaning: Meaning) -> bool:
    """Whether two texts that are put alike are close in what they are about, too.

    Short statements are: "Prefers green" and "Prefers vegetarian" are near each other by "prefers".
    """
    ours, theirs = _without_frame(text, other)
    if not ours or not theirs or (ours, theirs) == (text, other):
        return True
    one, two = meaning.encode([ours, theirs])
    return float(one @ two) >= CLOSE_WITHOUT_FRAME


def _without_frame(text: str, other: str) -> tuple[str, str]:
    """Both without what any memory may start or end with: the verb they share and small words."""
    if _UNSPACED.search(text) and _UNSPACED.search(other):
        start = _alike_from_the_start(text, other)
        ours, theirs = text[start:], other[start:]
        end = _alike_from_the_start(ours[::-1], theirs[::-1])
        return ours[: len(ours) - end], theirs[: len(theirs) - end]
    shared = {
        (one, two)
        for one in stated(text).verbs
        for two in stated(other).verbs
        if one == two or same_word(one, two)
    }
    if not shared:
        return text, other
    frame = {stem for pair in shared for stem in pair}
    return _rest(text, frame), _rest(other, frame)


def _alike_from_the_start(a: str, b: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _rest(text: str, frame: Set[str]) -> str:
    words = [(word, fold(word).strip(".,;:!?")) for word in text.split()]
    small = function_words()
    return " ".join(
        word for word, folded in words if folded not in small and stem(folded) not in frame
    )


def _another_fact(a: Statement, b: Statement) -> bool:
    return another_value(a, b) or bool(a.numbers and b.numbers and a.numbers != b.numbers)


def _close_by_words(text: str, other: str) -> bool:
    ours, theirs = stated(text).things, stated(other).things
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return True
    return closeness(text, other) >= CLOSE_BY_WORDS
