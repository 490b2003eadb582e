"""What bounds a statement, so that another may be true beside it: "at work", "as well", "for the
summer", "in the game". The words are `[learning.scope]` in each language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.cues import Hit, is_boundary
from conch.words.fold import fold
from conch.words.kinds import kinds_named
from conch.words.lexicon import from_lexicons, phrases
from conch.words.stems import stem
from conch.words.tokens import function_words

_TOPIC = "learning.scope"
_FIRST_WORDS = 2
_FIRST_LETTERS = 4
_KANA = re.compile("[\u3041-\u3096]")
_REMEMBERED = 16_384


@dataclass(frozen=True)
class Scope:
    """What bounds a text.

    `as_well`: it is so beside something else. `where`: the stems of where or when it holds ("at
    work"). `passing`: it holds for a while only. `unreal`: in a game, a story or a dream.
    """

    as_well: bool = False
    where: frozenset[str] = frozenset()
    passing: bool = False
    unreal: bool = False

    @property
    def bounded(self) -> bool:
        """Whether it holds only somewhere or for a while."""
        return bool(self.where) or self.passing or self.unreal


@lru_cache(maxsize=_REMEMBERED)
def scope_of(text: str) -> Scope:
    """What bounds `text`, a memory or a clause.

    What happened "this week" is no passing thing: "moved to Lisbon this week" holds from then on.
    """
    words = read_words(text)
    hits = in_its_language(phrases_in(_TOPIC, words), text)
    passing = [hit for hit in hits if hit.group == "for_now"]
    times = [hit for hit in hits if hit.group == "this_time"]
    if times and not _changed(words, text, (*passing, *times)):
        passing += times
    places = [words[hit.start : hit.end] for hit in hits if hit.group == "where"]
    where = {word for place in places for word in _weighty(place)}
    frames = in_its_language(phrases_in("learning.frames", words), text)
    return Scope(
        any(hit.group == "as_well" for hit in hits) or any(map(_ends_as_well, words)),
        frozenset(where),
        bool(passing),
        any(hit.group == "played" for hit in frames),
    )


def _weighty(place: Sequence[str]) -> list[str]:
    """The stems of what a place is called; its small words too where it has no others."""
    named = [word for word in place if not (is_boundary(word) or _KANA.match(word))]
    return [stem(word) for word in named if word not in function_words()] or list(place)


def _ends_as_well(word: str) -> bool:
    """Whether a word carries its "too" as an ending ("vim도")."""
    endings, others = _endings()
    return word not in others and any(
        word.endswith(one) and len(word) > len(one) for one in endings
    )


@from_lexicons
def _endings() -> tuple[frozenset[str], frozenset[str]]:
    """`as_well_ending`, and the words that end so and say something else."""
    ends, others = (
        frozenset(fold(one) for some in phrases(_TOPIC, key).values() for one in some)
        for key in ("as_well_ending", "as_well_ending_not")
    )
    return ends, others


def _changed(words: Sequence[str], text: str, beside: Sequence[Hit]) -> bool:
    """Whether `words` say that something changed, elsewhere than in the hits `beside`."""
    return any(
        hit.group == "changed"
        and not any(one.start <= hit.start and hit.end <= one.end for one in beside)
        for hit in in_its_language(phrases_in("learning.slots", words), text)
    )


def scope_of_clauses(clause: str, aside: Sequence[str]) -> Scope:
    """What bounds a clause, and what the other clauses of its sentence add that are nothing else:
    "At work, I use Windows", "I use vim, too"."""
    bounds = [scope_of(clause), *(scope_of(one) for one in aside if _bounds_only(one))]
    return Scope(
        any(one.as_well for one in bounds),
        frozenset[str]().union(*(one.where for one in bounds)),
        any(one.passing for one in bounds),
        any(one.unreal for one in bounds),
    )


def _bounds_only(clause: str) -> bool:
    words = read_words(clause)
    hits = (*phrases_in(_TOPIC, words), *phrases_in("learning.frames", words))
    covered = {at for hit in hits for at in range(hit.start, hit.end)}
    small = function_words()
    return bool(covered) and all(
        at in covered or is_boundary(word) or word in small for at, word in enumerate(words)
    )


def other_person(new: str, old: str) -> bool:
    """Whether one starts with a relative or somebody like that ("Sister moved"), and the other not
    with the same."""
    return _who(new) != _who(old)


@lru_cache(maxsize=_REMEMBERED)
def _who(text: str) -> frozenset[int]:
    start = text.strip()[:_FIRST_LETTERS]
    if not any("\u3040" <= letter <= "\u9fff" for letter in start):
        start = " ".join(text.split()[:_FIRST_WORDS])
    return kinds_named(start, text).get("kin", frozenset())
