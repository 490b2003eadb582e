"""How near two memories are: for "only close to what you took back" (spec 0088 §6).

Two ways to be close. Put with the same words but for one place: then what stands there decides,
and another name, day or thing is another fact. Put with other words: then meaning decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from conch.learning.statement import Statement, stated
from conch.words.fold import fold
from conch.words.kinds import another_of_its_kind
from conch.words.language import likely_language
from conch.words.likeness import closeness
from conch.words.meaning import Meaning, cosines, whatever_the_language
from conch.words.names import names
from conch.words.negation import negated
from conch.words.scripts import UNSPACED
from conch.words.stems import same_word, stem
from conch.words.tokens import function_words

CLOSE_BY_WORDS = 0.5
CLOSE_BY_MEANING = 0.3
"""The cosine, whatever the language, of two statements that are put with other words."""
BOTH_DENY = 0.42
"""The same of two that each say no: "doesn't" alone makes them alike."""
CLOSE_IN_ONE_PLACE = 0.39
"""The cosine of what stands in the one place where two statements differ. Both are set on the open
`tests/cases/never*.jsonl`, and on pairs of memories that have nothing to do with each other."""
_SAYS_SOMETHING = re.compile("[\u0e00-\u0e7f\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]")
_BETWEEN_WORDS = re.compile(r"[\s'’]+")


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
    unsure: list[tuple[int, Difference]] = []
    for at, other in enumerate(others):
        difference = _difference(text, other)
        if _another_fact(text, other, difference):
            continue
        if _close_by_words(text, other, difference, meaning is not None):
            return at
        unsure.append((at, difference))
    if meaning is None or not unsure:
        return None
    rows = whatever_the_language(meaning, meaning.encode([text, *(others[at] for at, _ in unsure)]))
    near = cosines(rows[1:], rows[0]).tolist()
    for place in sorted(range(len(unsure)), key=near.__getitem__, reverse=True):
        at, difference = unsure[place]
        if near[place] < CLOSE_BY_MEANING:
            return None
        if difference.in_one_place:
            if _alike_there(difference, meaning):
                return at
        elif near[place] >= BOTH_DENY or not (negated(text) and negated(others[at])):
            return at
    return None


@dataclass(frozen=True)
class Difference:
    """What each of two texts says that the other does not; small words count for nothing.

    `in_one_place`: all else is the same words, their verb among them.
    """

    ours: str
    theirs: str
    shared: bool
    in_one_place: bool


def _difference(text: str, other: str) -> Difference:
    if UNSPACED.search(text) and UNSPACED.search(other):
        return _between_unspaced(text, other)
    ours, theirs = _words(text), _words(other)
    left = [at for at, word in enumerate(ours) if not _among(word, theirs)]
    right = [at for at, word in enumerate(theirs) if not _among(word, ours)]
    shared = len(left) < len(ours) and len(right) < len(theirs)
    shared = shared or _same_small_frame(text, other)
    verbs = stated(text).verbs | stated(other).verbs
    rest = [*(ours[at] for at in left), *(theirs[at] for at in right)]
    in_one_place = (
        shared
        and bool(left and right)
        and _one_run(left)
        and _one_run(right)
        and not any(stem(fold(word)) in verbs for word in rest)
    )
    return Difference(
        " ".join(ours[at] for at in left),
        " ".join(theirs[at] for at in right),
        shared,
        in_one_place,
    )


def _same_small_frame(text: str, other: str) -> bool:
    """ "Has a cat" and "Has a boat": both start, or end, with the same small word."""
    ours, theirs = fold(text).split(), fold(other).split()
    small = function_words()
    return any(
        len(ours) > 1 and len(theirs) > 1 and ours[end] == theirs[end] and ours[end] in small
        for end in (0, -1)
    )


def _between_unspaced(text: str, other: str) -> Difference:
    """The middle, where both start and end alike with more than endings and small words."""
    start = _alike_from_the_start(text, other)
    ours, theirs = text[start:], other[start:]
    end = _alike_from_the_start(ours[::-1], theirs[::-1])
    around = text[:start] + ours[len(ours) - end :]
    small = function_words()
    shared = any(char not in small for char in _SAYS_SOMETHING.findall(around))
    ours, theirs = ours[: len(ours) - end], theirs[: len(theirs) - end]
    return Difference(ours, theirs, shared, shared and bool(ours and theirs))


def _alike_from_the_start(a: str, b: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _words(text: str) -> list[str]:
    """The words that say something, as written."""
    small = function_words()
    words = [word.strip('.,;:!?"()।،؟') for word in _BETWEEN_WORDS.split(text)]
    return [word for word in words if word and fold(word) not in small]


def _among(word: str, others: Sequence[str]) -> bool:
    return any(same_word(fold(word), fold(other)) for other in others)


def _one_run(places: Sequence[int]) -> bool:
    return places[-1] - places[0] + 1 == len(places)


def _another_fact(text: str, other: str, difference: Difference) -> bool:
    a, b = stated(text), stated(other)
    if another_value(a, b) or (a.numbers and b.numbers and a.numbers != b.numbers):
        return True
    if difference.shared and another_of_its_kind(text, other):
        return True
    return difference.in_one_place and _other_names(text, other, difference)


def _other_names(text: str, other: str, difference: Difference) -> bool:
    """Whether a name stands where the other text has another name; German writes all nouns so."""
    if "de" in (likely_language(text), likely_language(other)):
        return False
    ours = [name for name in names(text) if name in difference.ours]
    theirs = [name for name in names(other) if name in difference.theirs]
    return bool(ours and theirs) and not any(_among(name, theirs) for name in ours)


def _close_by_words(text: str, other: str, difference: Difference, with_meaning: bool) -> bool:
    ours, theirs = stated(text).things, stated(other).things
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return True
    if difference.in_one_place and with_meaning:
        return False
    return closeness(text, other) >= CLOSE_BY_WORDS


def _alike_there(difference: Difference, meaning: Meaning) -> bool:
    rows = meaning.encode([difference.ours, difference.theirs])
    one, two = whatever_the_language(meaning, rows)
    return float(one @ two) >= CLOSE_IN_ONE_PLACE
