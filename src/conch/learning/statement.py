"""A memory read for what it states: its slots, the things it names, its numbers, its yes or no.

Two memories are compared on these, so each text is read once and kept (10,000 memories are).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.learning.slots import Filled, filled_slots
from conch.words.fold import fold
from conch.words.negation import negated
from conch.words.numbers import in_digits, numbers
from conch.words.scripts import UNSPACED
from conch.words.stems import stem
from conch.words.tokens import content_tokens

_REMEMBERED = 65_536
_WORD = re.compile("[^\\W\\d_]+|\\d+")


@dataclass(frozen=True)
class Statement:
    """What a memory states.

    `slots`: what it fills of which there is only one. `things`: the stems of what it names, the
    verbs any memory may have left out; `order`: the same in their order. `verbs`: those verbs.
    `marks`: the keys of `[learning.slots]` found in it ("also", "over", "additive"…).
    """

    slots: tuple[Filled, ...]
    things: frozenset[str]
    order: tuple[str, ...]
    verbs: frozenset[str]
    numbers: tuple[str, ...]
    negated: bool
    marks: frozenset[str]


@lru_cache(maxsize=_REMEMBERED)
def stated(text: str) -> Statement:
    """`text` as a `Statement`."""
    words = read_words(text)
    verbs = {
        word
        for hit in in_its_language(phrases_in("learning.grounding", words), text)
        if hit.group == "plain_verb"
        for word in words[hit.start : hit.end]
    }
    counts = set(numbers(text))
    digits = in_digits(fold(text))
    spelled = {word for word in content_tokens(text) if word not in digits and not word.isdigit()}
    order = tuple(
        stem(word)
        for word in content_tokens(text)
        if word not in verbs
        and not word[:1].isdigit()
        and not (counts and word in spelled and not UNSPACED.match(word))
    )
    marks = {hit.group for hit in in_its_language(phrases_in("learning.slots", words), text)}
    return Statement(
        filled_slots(text),
        frozenset(order),
        order,
        frozenset(stem(verb) for verb in verbs),
        tuple(numbers(text)),
        negated(text),
        frozenset(marks),
    )


@lru_cache(maxsize=_REMEMBERED)
def starts(text: str) -> frozenset[str]:
    """The first four letters of each word of `text` (one where blanks are not written): a cheap
    test of whether two texts can have anything to do with each other."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if UNSPACED.match(word):
            found.update(word)
        else:
            found.add(stem(word)[:4])
    return frozenset(found)
