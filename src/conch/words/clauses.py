"""The clauses of a message that was read for cues: where they are, and which of them ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from conch.words.cue_reading import CueReading
from conch.words.cues import is_boundary
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, lexicons

_ENDS = frozenset(".!?…¶।؟。！？;；")
_ASKING = frozenset("?？؟")
_SHOWS = 80


@dataclass(frozen=True)
class Clause:
    """Words `start` to `end` of a reading, without the marks around them.

    `asks`: it is a question or the part of one after its question word. `opens_asking`: it begins
    with a question word. The sentence it is in lies between `sentence_start` and `sentence_end`.
    """

    start: int
    end: int
    sentence_start: int
    sentence_end: int
    asks: bool
    opens_asking: bool


def clauses_of(
    reading: CueReading, codes: Collection[str], stated: Collection[int] = ()
) -> list[Clause]:
    """The clauses in order. `codes`: the languages whose question words count.

    `stated`: words that open a statement where no question mark follows, though they could open a
    question ("sono vegetariana").

    Of a sentence with a question mark the last clause asks ("I am vegan, what can I eat?"), and
    every clause from the first one on that begins with a question word.
    """
    opening = {
        hit.start for hit in reading.groups.get("frames.question", ()) if hit.language in codes
    }
    return [
        clause
        for start, end in _sentences(reading.words)
        for clause in _of_sentence(reading.words, start, end, opening, stated)
    ]


def _sentences(words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    start, said = 0, False
    for at, word in enumerate(words):
        if word not in _ENDS:
            said = said or not is_boundary(word)
            continue
        following = words[at + 1] if at + 1 < len(words) else ""
        if said and following not in _ENDS:
            yield start, at + 1
            start, said = at + 1, False
    if said:
        yield start, len(words)


def _of_sentence(
    words: tuple[str, ...],
    start: int,
    end: int,
    opening: Collection[int],
    stated: Collection[int],
) -> Iterator[Clause]:
    spans: list[tuple[int, int]] = []
    at = start
    while at < end:
        if is_boundary(words[at]):
            at += 1
            continue
        stop = at
        while stop < end and not is_boundary(words[stop]):
            stop += 1
        spans.append((at, stop))
        at = stop
    marked = any(word in _ASKING for word in words[spans[-1][1] : end]) if spans else False
    asking = False
    for place, (first, stop) in enumerate(spans):
        opens = first in opening and (marked or first not in stated)
        asking = asking or opens or (marked and place == len(spans) - 1)
        yield Clause(first, stop, start, end, asking, opens)


def languages_of(
    reading: CueReading, groups: Collection[str], *, only: bool = False
) -> frozenset[str]:
    """The languages to read a message's cues of `groups` in.

    The language the message is in, when that has such cues; otherwise every language that does,
    together with the message's own, so that its "but" is not overlooked. With `only`, another
    language's cues count for a message in a known language only where there are several, or where
    they are that language's words in Latin letters (which are taken for something else easily).
    """
    have = {hit.language for group in groups for hit in reading.groups.get(group, ())}
    language = likely_language(" ".join(reading.words[:_SHOWS]))
    if language is None:
        return frozenset(have)
    if language in have:
        return frozenset((language,))
    if only:
        have = {code for code in have if code in _other_script() or _surely(reading, code)}
    return frozenset((*have, language))


def _surely(reading: CueReading, code: str) -> bool:
    """Whether a language shows by two cues, one of them of several words."""
    spans = {
        (hit.start, hit.end)
        for group, hits in reading.groups.items()
        if group.startswith("durable.")
        for hit in hits
        if hit.language == code
    }
    return len(spans) >= 2 and any(end - start >= 2 for start, end in spans)


@from_lexicons
def _other_script() -> frozenset[str]:
    return frozenset(lexicon.code for lexicon in lexicons() if lexicon.script != "Latn")
