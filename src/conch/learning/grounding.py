"""Does a change rest on the person's own words? (spec 0088 §4)

The quote must stand, word for word, in one message's own prose, must say something, and must mean
there what the memory makes of it: a "not", an "if" or a "used to" left out beside it counts.
Then the memory itself is held against the words (`says_more.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from conch.guard.characters import canonical
from conch.guard.phrasebook import in_its_language, phrases_in
from conch.learning.changes import Said
from conch.learning.frames import TAKEN_BACK, not_meant, taken_back
from conch.learning.opposites import takes_what_was_refused
from conch.learning.says_more import says_more
from conch.learning.tense import only_once
from conch.words.cues import cue_words, is_boundary
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, phrases
from conch.words.meaning import Meaning
from conch.words.negation import negated
from conch.words.tokens import content_tokens, function_words, shares_a_word

_TOPIC = "learning.grounding"
ANOTHER_LANGUAGE = "It isn't in the language you said it in."
"""The reason counted apart in `docs/quality.md` (issue 4, grounding)."""
_CLAUSE = re.compile(r"(?:[;!?…\n。！？；、，،؛؟।()]|[.,:](?!\d)|(?<=\s)[-–—]+(?=\s))+")
_SENTENCE_ENDS = re.compile("[.!?…\n。！？؟।]")
_ASKS = re.compile("[?？؟]")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")


@dataclass(frozen=True)
class Grounding:
    """Whether a change rests on what was said; if not, why in the product's words.

    `seq` is the message the quote stands in, 0 when it stands in none. `clause` is the clause of
    it that carries the memory, `aside` the other clauses of its sentence.
    """

    ok: bool
    reason: str = ""
    seq: int = 0
    clause: str = ""
    aside: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Clause:
    """A clause of a message: its text, its words, and the mark that ends it."""

    text: str
    words: tuple[str, ...]
    mark: str


@dataclass(frozen=True)
class _Place:
    """Where a quote stands: the clauses it touches, how far into the first of them, what stands
    before them in the sentence, and what follows them in the message."""

    clauses: tuple[_Clause, ...]
    before: tuple[str, ...]
    earlier: tuple[_Clause, ...]
    later: tuple[_Clause, ...]

    @property
    def around(self) -> tuple[_Clause, ...]:
        """All clauses of the sentence."""
        rest: list[_Clause] = []
        last = self.clauses[-1]
        for clause in self.later:
            if _SENTENCE_ENDS.search(last.mark):
                break
            rest.append(clause)
            last = clause
        return (*self.earlier, *self.clauses, *rest)

    @property
    def sentence(self) -> str:
        """The clauses of the sentence, parted by commas."""
        return " ".join(f"{one.text}{',' if one.mark else ''}" for one in self.around)

    @property
    def hangs_on_a_question(self) -> bool:
        """Whether a question asks if it is so: "Stimmt es, dass ich in Oslo wohne?"."""
        first = self.clauses[0]
        after = (self.clauses[-1].mark, *(clause.mark for clause in self.later))
        ends = next((mark for mark in after if _SENTENCE_ENDS.search(mark)), "")
        return _ASKS.search(ends) is not None and any(
            hit.group == "that" and hit.start == 0 for hit in phrases_in(_TOPIC, first.words)
        )


def grounded(
    quote: str, text: str, said: Sequence[Said], meaning: Meaning | None = None
) -> Grounding:
    """Whether the memory `text` rests on `quote`, and `quote` on the person's own words.

    Only `Said.prose` counts. Letters that look alike, hidden characters, case, accents and
    punctuation make no difference; another word, number or "not" does.
    """
    words = _words(quote)
    if not _says_something(quote, words):
        return Grounding(False, "It rests on no words of yours.")
    refused: Grounding | None = None
    for message in said:
        for place in _places(words, message.prose):
            why = _why_not(quote, text, place, message, said, meaning)
            if not why:
                bearing = _bearing(place.clauses, text)
                aside = tuple(one.text for one in place.around if one is not bearing)
                return Grounding(True, "", message.seq, bearing.text, aside)
            refused = refused or Grounding(False, why, message.seq)
    return refused or Grounding(False, "The words it rests on aren't in what you said.")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in cue_words(canonical(text)) if not is_boundary(word))


def _says_something(quote: str, words: Sequence[str]) -> bool:
    """Two words at least, one of them of weight; three characters where blanks are not written."""
    if not content_tokens(canonical(quote)):
        return False
    if any(_UNSPACED.match(word) for word in words):
        return len(words) >= 3
    if len(words) == 1:
        return len(words[0]) >= (4 if _HANGUL.match(words[0]) else 8)
    return len(words) >= 2


@lru_cache(maxsize=256)
def _clauses(prose: str) -> tuple[_Clause, ...]:
    found: list[_Clause] = []
    prose = canonical(prose)
    at = 0
    for mark in [*_CLAUSE.finditer(prose), None]:
        piece = prose[at : mark.start()] if mark else prose[at:]
        parts = list(_at_conjunctions(piece))
        for place, part in enumerate(parts):
            words = _words(part)
            ends = (mark.group().strip() if mark else "") or ","
            if words:
                last = place == len(parts) - 1
                found.append(_Clause(part.strip(), words, ends if last else ""))
        at = mark.end() if mark else at
    return tuple(found)


def _at_conjunctions(piece: str) -> Iterator[str]:
    """A stretch without stops, parted where a new clause begins: "but", "and I"."""
    pattern = _conjunctions()
    at = 0
    for found in pattern.finditer(piece) if pattern else ():
        if found.start() > at:
            yield piece[at : found.start()]
            at = found.start()
    yield piece[at:]


@from_lexicons
def _conjunctions() -> re.Pattern[str] | None:
    either = sorted(
        {phrase for some in phrases(_TOPIC, "new_clause").values() for phrase in some},
        key=len,
        reverse=True,
    )
    spaced = [re.escape(phrase) for phrase in either if not _UNSPACED.search(phrase)]
    tight = [re.escape(phrase) for phrase in either if _UNSPACED.search(phrase)]
    if not either:
        return None
    return re.compile("|".join([rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", *tight]), re.IGNORECASE)


def _places(words: Sequence[str], prose: str) -> Iterator[_Place]:
    """Every place of `prose` where `words` stand one after the other."""
    clauses = _clauses(prose)
    flat = [
        (word, number, at)
        for number, clause in enumerate(clauses)
        for at, word in enumerate(clause.words)
    ]
    for start in range(len(flat) - len(words) + 1):
        if flat[start][0] != words[0]:
            continue
        if all(flat[start + step][0] == word for step, word in enumerate(words)):
            first, last = flat[start], flat[start + len(words) - 1]
            touched = clauses[first[1] : last[1] + 1]
            opens = first[1]
            while opens and not _SENTENCE_ENDS.search(clauses[opens - 1].mark):
                opens -= 1
            yield _Place(
                touched,
                touched[0].words[: first[2]],
                clauses[opens : first[1]],
                clauses[last[1] + 1 :],
            )


def _why_not(
    quote: str,
    text: str,
    place: _Place,
    message: Said,
    said: Sequence[Said],
    meaning: Meaning | None,
) -> str:
    """Why words that were said do not carry `text`, or ""."""
    around = " ".join(clause.text for clause in place.clauses)
    bearing = _bearing(place.clauses, text)
    groups = _groups(bearing.words, bearing.text)
    text_groups = _groups(_words(text), text)
    left_out = _groups(place.before, around)
    if negated(around) and not negated(quote):
        return 'The words it rests on leave out a "not" you said.'
    if "left_out" in left_out or "supposed" in groups | left_out:
        return "You were only supposing it."
    if place.hangs_on_a_question:
        return "You were asking, not saying it."
    if "asked" in groups or ("asked_first" in left_out and "?" in bearing.mark):
        return "You were asking, not saying it."
    if "past" in groups and "past" not in text_groups and not negated(text):
        return "You said it of the past."
    if only_once(bearing.text, text):
        return "You said it of the past."
    if "unsure" in groups and "unsure" not in text_groups:
        return "You weren't sure of it yet."
    if _in_another_language(text, message.prose):
        return ANOTHER_LANGUAGE
    if not shares_a_word(quote, text):
        return "It shares no word with what you said."
    why = not_meant(text, *(_texts(some) for some in (place.earlier, place.clauses, place.later)))
    if why:
        return why
    if taken_back(text, _texts(_clauses(message.prose))):
        return TAKEN_BACK
    if takes_what_was_refused(text, place.sentence):
        return "It takes what you set aside."
    return says_more(text, quote, bearing.text, message, said, meaning)


def _texts(clauses: Sequence[_Clause]) -> tuple[str, ...]:
    return tuple(clause.text for clause in clauses)


def _bearing(clauses: Sequence[_Clause], text: str) -> _Clause:
    """Of the clauses a quote touches, the one that shares most with the memory."""
    wanted = set(_words(text))
    return max(clauses, key=lambda clause: len(wanted.intersection(clause.words)))


def _groups(words: Sequence[str], text: str) -> set[str]:
    return {hit.group for hit in in_its_language(phrases_in(_TOPIC, words), text)}


def _in_another_language(text: str, prose: str) -> bool:
    """True when the memory is not in the language of the message it rests on.

    Told by the plain verbs any memory has ("lives", "mora", "wohnt"): those that the message does
    not have show the writer's language. In doubt False.
    """
    spoken = set(_words(prose))
    theirs = {
        hit.language
        for hit in phrases_in(_TOPIC, _words(prose))
        if hit.group in ("plain_verb", "mine")
    }
    language = likely_language(canonical(prose))
    known = {language} if language else set[str]()
    words = _words(text)
    verbs: dict[str, set[str]] = {}
    for hit in phrases_in(_TOPIC, words):
        word = " ".join(words[hit.start : hit.end])
        if word in function_words():  # "Le chat": an article here, a verb's part elsewhere
            continue
        if hit.group == "plain_verb" and not spoken.issuperset(words[hit.start : hit.end]):
            verbs.setdefault(word, set()).add(hit.language)
    ours = set[str]().union(*verbs.values()) if verbs else set[str]()
    return bool(ours) and bool(theirs | known) and not ours & (theirs | known)
