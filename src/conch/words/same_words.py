"""The tables `[words.same]`: what may differ between two sentences that say the very same thing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from conch.words.fold import fold
from conch.words.lexicon import Lexicon, from_lexicons, lexicons
from conch.words.phrase_sets import WORD
from conch.words.scripts import SCRIPTS

Phrase = tuple[str, ...]

INSTEAD = "⊖"
"""Stands for every way to say "not that one, this one"."""
PREFERS = "≻"
"""Stands for every way to say "likes better", where what it is better than is said."""


@dataclass(frozen=True)
class SameWords:
    """One language's tables. `phrases` maps what is written to what stands for it."""

    code: str
    unspaced: bool
    phrases: dict[Phrase, Phrase]
    around: dict[str, tuple[tuple[Phrase, Phrase], ...]]
    leave_out: frozenset[Phrase]
    subjects: frozenset[str]
    first: frozenset[str]
    clauses: frozenset[str]
    objects: frozenset[str]
    instead: frozenset[Phrase]
    but: frozenset[Phrase]
    both: frozenset[str]
    binds: frozenset[str]
    moves: frozenset[str]
    cases: dict[str, int]
    floats: frozenset[Phrase]
    negation: frozenset[str]
    particles: tuple[str, ...]
    ends: tuple[str, ...]
    free_order: bool
    prefer: frozenset[str]
    prefer_to: frozenset[Phrase]
    likes_more: tuple[tuple[frozenset[str], frozenset[Phrase]], ...]
    """Verbs that prefer only with a comparison after them: "likes tea *better than* coffee"."""
    framed: dict[str, tuple[tuple[Phrase, Phrase], ...]]
    """Words that stand around what they speak of: "nach Linz gezogen"."""
    after_verb: frozenset[str]
    replaced: tuple[tuple[str, str], ...]
    longest: int
    starts: frozenset[str]
    """First words of every phrase that may be evened out."""


def same_words(code: str | None) -> SameWords:
    """The tables of a language, or English's for one that has none."""
    tables = _tables()
    return tables.get(code or "en", tables["en"])


@from_lexicons
def _tables() -> dict[str, SameWords]:
    return {lexicon.code: _read(lexicon) for lexicon in lexicons()}


def _read(lexicon: Lexicon) -> SameWords:
    def listed(key: str) -> list[str]:
        return [fold(phrase) for phrase in lexicon.phrases("words.same", key)]

    def phrases(key: str) -> frozenset[Phrase]:
        return frozenset(_words(phrase) for phrase in listed(key))

    unspaced = lexicon.script in SCRIPTS
    alike: dict[Phrase, Phrase] = {}
    replaced: list[tuple[str, str]] = []
    for line in lexicon.phrases("words.same", "alike"):
        first, *others = [fold(phrase) for phrase in line.split("|")]
        for other in others:
            alike[_words(other)] = _words(first)
            replaced.append((other, first))
    around = _pairs(listed("around"))
    likes_more: list[tuple[frozenset[str], frozenset[Phrase]]] = []
    for line in lexicon.phrases("words.same", "likes_more"):
        verbs, _, than = line.partition("|")
        compared = frozenset(_words(fold(phrase)) for phrase in than.split(","))
        likes_more.append((frozenset(fold(verb).strip() for verb in verbs.split(",")), compared))
    joined = {_words(phrase): _words(phrase) for phrase in (*listed("floats"), *listed("binds"))}
    joined |= {result: result for pairs in around.values() for _, result in pairs}
    for line in lexicon.phrases("words", "contractions"):
        short, _, full = line.partition("=")
        if "'" not in short:
            alike[_words(fold(short))] = _words(fold(full))
    every = [
        *phrases("prefer_to"),
        *(than for _, compared in likes_more for than in compared),
        *alike,
        *joined,
        *phrases("leave_out"),
        *phrases("instead"),
        *phrases("but"),
    ]
    replaced.extend((phrase, "") for phrase in listed("leave_out"))
    replaced.sort(key=lambda pair: -len(pair[0]))
    return SameWords(
        code=lexicon.code,
        unspaced=unspaced,
        phrases=joined | alike,
        around=around,
        leave_out=phrases("leave_out"),
        subjects=frozenset(listed("subjects")),
        first=frozenset(listed("first")),
        clauses=frozenset(listed("clauses")),
        objects=frozenset(listed("objects")),
        instead=phrases("instead"),
        but=phrases("but"),
        both=frozenset(listed("and")),
        binds=frozenset("_".join(_words(phrase)) for phrase in listed("binds")),
        moves=frozenset("_".join(_words(phrase)) for phrase in listed("moves")),
        cases={
            fold(word): place
            for place, line in enumerate(lexicon.phrases("words.same", "cases"))
            for word in line.split("|")
        },
        floats=phrases("floats"),
        negation=frozenset(fold(word) for word in lexicon.phrases("words", "negation")),
        particles=tuple(sorted(listed("particles"), key=len, reverse=True)),
        ends=tuple(sorted(listed("ends"), key=len, reverse=True)),
        free_order=bool(listed("free_order")),
        prefer=frozenset(listed("prefer")),
        prefer_to=phrases("prefer_to"),
        likes_more=tuple(likes_more),
        framed=_pairs(listed("framed")),
        after_verb=frozenset(listed("after_verb")),
        replaced=tuple(replaced),
        longest=max((len(phrase) for phrase in every), default=1),
        starts=frozenset(phrase[0] for phrase in every if phrase),
    )


def _pairs(lines: Iterable[str]) -> dict[str, tuple[tuple[Phrase, Phrase], ...]]:
    """Lines such as "not ... but = instead" by their first word: what stands after, what for it."""
    found: dict[str, tuple[tuple[Phrase, Phrase], ...]] = {}
    for line in lines:
        pattern, _, result = line.partition("=")
        first, _, later = pattern.partition("...")
        key = first.strip()
        found[key] = (*found.get(key, ()), (_words(later), _words(result)))
    return found


def _words(phrase: str) -> Phrase:
    return tuple(WORD.findall(phrase.replace("'", " ")))
