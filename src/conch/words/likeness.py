"""Whether two short texts say the very same thing, and how close their words are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from conch.words.fold import fold
from conch.words.language import likely_languages
from conch.words.lexicon import Lexicon, lexicons
from conch.words.names import names
from conch.words.same_form import SameForm, same_form
from conch.words.same_words import INSTEAD, Phrase, SameWords, same_words
from conch.words.stems import stem
from conch.words.tokens import content_tokens


def same(a: str, b: str) -> bool:
    """Whether `a` and `b` say the very same thing: words in order, with what they deny and count.

    Never true for opposites: a reversal, another number, time or name, a negation more or less.
    True whatever the case, punctuation, articles, contractions, digits or number words, and for
    the few other ways of saying one thing that the lexicons list (design.md, "The same thing or
    not"). When in doubt it is not the same.

    >>> same("Prefers tabs instead of spaces", "prefers tabs, not spaces.")
    True
    >>> same("Prefers light over dark", "Prefers dark over light")
    False
    """
    if a == b:
        return True
    (one, ours), (other, theirs) = glance(a), glance(b)
    if one == other:
        return True
    if len(ours & theirs) < LEAST_SHARED[min(len(ours), len(theirs), len(LEAST_SHARED) - 1)]:
        return False
    return any(
        _agree(form_of(a, code), form_of(b, code), same_words(code))
        for code in {*codes_of(a), *codes_of(b)}
    )


def find_same(text: str, among: Sequence[str]) -> int | None:
    """The place of the first of `among` that is the `same` as `text`; None when none is."""
    return next((place for place, one in enumerate(among) if same(text, one)), None)


LEAST_SHARED = (0, 1, 1, 1, 1, 2, 2, 2, 3)
"""Beginnings of words two texts must share to be looked at, by how many the shorter one has."""


@lru_cache(maxsize=65536)
def glance(text: str) -> tuple[str, frozenset[str]]:
    """The folded text and the beginnings of its words: texts that share none are not the same."""
    folded = fold(text)
    return folded, frozenset(
        letter
        for word in _WORD.findall(folded)
        for letter in (word if word[0] >= "\u3040" else (word[:3],))
    )


_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65536)
def _languages(text: str, _of: tuple[Lexicon, ...]) -> tuple[str, ...]:
    return likely_languages(text) or ("en",)


def codes_of(text: str) -> tuple[str, ...]:
    """The languages `text` may be in, by which it is compared; English when none shows."""
    return _languages(text, lexicons())


def form_of(text: str, code: str) -> SameForm:
    """What `text` is compared by in the language `code`."""
    return _form(text, code, lexicons())


@lru_cache(maxsize=32768)
def _form(text: str, code: str, _of: tuple[Lexicon, ...]) -> SameForm:
    return same_form(text, same_words(code))


def _agree(one: SameForm, other: SameForm, words: SameWords) -> bool:
    if one.floats != other.floats or not one.core or not other.core:
        return False
    if _other_cases(one, other):
        return False
    if one.core == other.core:
        return _as_many(one, other)
    if sorted(one.core) != sorted(other.core):
        return "".join(one.core) == "".join(other.core) and _digits(one) == _digits(other)
    if not (one.one_clause and other.one_clause):
        return False
    if words.particles:
        return _by_verb(one.core, words) == _by_verb(other.core, words)
    return _same_chunks(one.core, other.core, words) or _turned_round(one, other, words)


def _other_cases(one: SameForm, other: SameForm) -> bool:
    """ "Der Lehrer lobt den Schüler" beside "Den Lehrer lobt der Schüler"."""
    ours, theirs = dict(one.cases), dict(other.cases)
    return any(word in theirs and theirs[word] != case for word, case in ours.items())


def _as_many(one: SameForm, other: SameForm) -> bool:
    """Not "a cat" beside "cats": where one speaks of one and the other of several."""
    either = one.counted | other.counted
    return not any({place, place - 1, place - 2} & either for place in one.plural ^ other.plural)


def _digits(form: SameForm) -> list[str]:
    return [word for word in form.core if word[:1].isdigit()]


def _by_verb(core: Phrase, words: SameWords) -> list[tuple[list[str], str]]:
    """Japanese, Korean: each part without a particle, the marked parts before it in no order."""
    found: list[tuple[list[str], str]] = []
    marked: list[str] = []
    for part in core:
        if part.endswith(words.particles):
            marked.append(part)
        else:
            found.append((sorted(marked), part))
            marked = []
    return [*found, (sorted(marked), "")]


def _same_chunks(one: Phrase, other: Phrase, words: SameWords) -> bool:
    """Two parts that say where or when ("from Hull", "to Leeds") have changed places at the end."""
    if INSTEAD in one:
        return False
    (head, *parts), (other_head, *other_parts) = _chunks(one, words), _chunks(other, words)
    return (
        bool(head)
        and head == other_head
        and len(parts) == 2
        and parts == other_parts[::-1]
        and all(part[0] in words.moves for part in parts)
    )


def _chunks(core: Phrase, words: SameWords) -> list[Phrase]:
    """The words before the first preposition, then each preposition with what follows it."""
    found: list[list[str]] = [[]]
    for word in core:
        if word in words.binds and (not found[-1] or found[-1][-1] not in words.binds):
            found.append([word])
        else:
            found[-1].append(word)
    return [tuple(part) for part in found]


def _turned_round(one: SameForm, other: SameForm, words: SameWords) -> bool:
    """The sentence's two halves have changed places, and either order reads the same way."""
    core = one.core
    named = {fold(name) for name in (*names(one.text), *names(other.text))}
    for place in range(1, len(core)):
        first, second = core[:place], core[place:]
        if second + first != other.core or INSTEAD in core:
            continue
        for part in (first, second):
            if part[0] in words.moves and len(_chunks(part, words)) == 2:
                return True
        if named & {*core}:
            continue
        denied = any("+" in word for word in core)
        named_again = one.object or other.object
        fronted = named_again and (denied or one.comma != other.comma or one.object == other.object)
        if fronted or words.free_order:
            return True
    return False


def closeness(a: str, b: str) -> float:
    """How much `a` and `b` say with the same words, 0 (nothing) to 1; order counts little."""
    ours, theirs = _stems(a, lexicons()), _stems(b, lexicons())
    one, other = glance(a)[0], glance(b)[0]
    if not ours or not theirs:
        return 1.0 if one == other else 0.0
    shared = len(ours & theirs) / len(ours | theirs)
    return max(shared, min(shared + 0.15, fuzz.token_sort_ratio(one, other) / 100))


@lru_cache(maxsize=65536)
def _stems(text: str, _of: tuple[Lexicon, ...]) -> frozenset[str]:
    return frozenset(stem(word) for word in content_tokens(text))
