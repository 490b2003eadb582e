"""What a person states, told from what they ask or only report: a question is no statement.

"Is it true that I prefer dark mode?" and "the page says I live in Oslo" hold a memory's words and
say nothing of the person themself (spec 0088 §4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.clauses import clauses_of, languages_of
from conch.words.cue_reading import read_cues

_SENTENCE = re.compile("[^.!?…\n。！？؟।]+(?:\\.(?=\\d)[^.!?…\n。！？؟।]+)*[.!?…。！？؟।]*")
_PART = re.compile("[,;:،؛、，；：()]|(?<=\\s)[-–—]+(?=\\s)")
_ASKING = re.compile("[?？؟]")
_ENDS = ".!?…。！？؟।"
_HELD_BACK = frozenset({"denied", "played", "reported", "told_by", "taken_back"})
_LONGEST = 20_000


def statements(prose: str) -> str:
    """The clauses of a person's own prose that state something, each on a line of its own.

    >>> statements("I work at Aker. Does the page say I live in Oslo?")
    'I work at Aker'
    """
    return "\n".join(_stated(prose[:_LONGEST], questions=False))


def not_only_asked(prose: str) -> str:
    """The same without what is asked to be true or is reported; other questions stay.

    What a question takes for granted may be true of who asks it: "what can I eat as a vegan?".
    """
    return "\n".join(_stated(prose[:_LONGEST], questions=True))


def _stated(prose: str, *, questions: bool) -> Iterator[str]:
    for sentence in _SENTENCE.findall(prose):
        marked = _ASKING.search(sentence) is not None
        parts = [part.strip() for part in _PART.split(sentence) if part.strip()]
        reaching = False
        for place, part in enumerate(parts):
            asked = reaching or _is_asked(part, granting=questions) or (marked and _hangs(part))
            if not questions:
                last = place + 1 == len(parts)
                asked = asked or (marked and last) or _opens_asking(part)
            reaching = _reaches_on(part)
            if not asked:
                yield part.rstrip(_ENDS)


def _is_asked(part: str, *, granting: bool) -> bool:
    """Whether a clause asks if it is so, or reports it.

    `granting`: not where it opens with a question word, which takes the rest for granted.
    """
    words = read_words(part)
    framed = in_its_language(phrases_in("learning.frames", words), part)
    if any(hit.group in _HELD_BACK for hit in framed):
        return True
    weighed = in_its_language(phrases_in("learning.grounding", words), part)
    if any(hit.group == "supposed" for hit in weighed):
        return True
    opens = [hit for hit in weighed if hit.group == "asked_first" and hit.start == 0]
    return any(
        hit.group == "asked" and not (granting and any(one.end <= hit.start for one in opens))
        for hit in weighed
    )


def _hangs(part: str) -> bool:
    """Whether a clause of a question begins with "that" or "whether"."""
    return any(
        hit.group == "that" and hit.start == 0
        for hit in phrases_in("learning.grounding", read_words(part))
    )


def _opens_asking(part: str) -> bool:
    reading = read_cues(part)
    clauses = clauses_of(reading, languages_of(reading, ("frames.question",)))
    return any(clause.asks for clause in clauses)


def _reaches_on(part: str) -> bool:
    """Whether a clause closes with words that hold for the next: "LinkedIn sagt, …"."""
    words = read_words(part)
    return any(
        hit.group in _HELD_BACK and hit.end >= len(words)
        for hit in in_its_language(phrases_in("learning.frames", words), part)
    )
