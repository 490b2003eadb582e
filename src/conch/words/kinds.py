"""Things of one kind, from `[words.kinds]`: days, months, relatives, times of day.

Two of a kind are close in meaning and never the same thing, which vectors do not tell apart.
"""

from __future__ import annotations

import re
from functools import lru_cache

from conch.words.fold import fold
from conch.words.language import likely_languages
from conch.words.lexicon import Lexicon, from_lexicons, lexicons
from conch.words.scripts import SCRIPTS
from conch.words.stems import stem
from conch.words.tokens import tokens

_LEAST_STEM = 3
_HANGUL = re.compile("[\uac00-\ud7a3]")


def another_of_its_kind(a: str, b: str) -> bool:
    """Whether both texts name things of one closed kind, and not one the same.

    >>> another_of_its_kind("Meets on Tuesdays", "Meets every Thursday")
    True
    >>> another_of_its_kind("Her mum lives here", "Her mother lives here")
    False
    """
    ours, theirs = _members(a, lexicons()), _members(b, lexicons())
    return any(
        kind in theirs and members.isdisjoint(theirs[kind]) for kind, members in ours.items()
    )


def kinds_named(part: str, text: str) -> dict[str, frozenset[int]]:
    """What `part` of `text` names of each kind, as places in the lists of the text's language."""
    return _members(part, lexicons(), text)


@lru_cache(maxsize=16384)
def _members(text: str, _of: tuple[Lexicon, ...], within: str = "") -> dict[str, frozenset[int]]:
    """The places, in their kind's list, of what `text` names; `within`: the text it is part of."""
    folded = fold(text)
    words = set(tokens(text))
    words |= {stem(word) for word in words if len(stem(word)) >= _least(word)}
    words |= {word[:place] for word in words if _HANGUL.match(word) for place in (2, 3)}
    found: dict[str, set[int]] = {}
    for code in likely_languages(within or text) or ("en",):
        kinds, unspaced = _kinds().get(code, ({}, False))
        for kind, members in kinds.items():
            for place, forms in enumerate(members):
                if any(form in folded if unspaced else form in words for form in forms):
                    found.setdefault(kind, set()).add(place)
    return {kind: frozenset(places) for kind, places in found.items()}


@from_lexicons
def _kinds() -> dict[str, tuple[dict[str, tuple[frozenset[str], ...]], bool]]:
    return {
        lexicon.code: (
            {
                kind: tuple(
                    _forms(line, lexicon.script) for line in lexicon.phrases("words.kinds", kind)
                )
                for kind in ("weekday", "month", "kin", "daytime")
            },
            lexicon.script in SCRIPTS,
        )
        for lexicon in lexicons()
    }


def _forms(line: str, script: str) -> frozenset[str]:
    forms = {fold(form) for form in line.split()}
    if script in SCRIPTS or script == "Kore":
        return frozenset(forms)
    return frozenset(forms | {stem(form) for form in forms if len(stem(form)) >= _LEAST_STEM})


def _least(word: str) -> int:
    """Letters a stem needs to be looked up; one Hangul syllable with a particle is a word."""
    return 1 if _HANGUL.match(word) else _LEAST_STEM
