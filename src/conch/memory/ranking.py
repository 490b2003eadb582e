"""How well a memory fits a text, from its words and its meaning. Pure.

One order for `recall`, the prompt's section, nearby and the terminal (`fit_scores`); only what
counts as fitting at all differs: an answer to a question (`answers`), what may stand in a person's
list (`near_enough`), what may stand beside a message (learning/nearby.py). What weighs how much is
told by the text itself: a question is answered by the memory that speaks of the same things; a
message calls for the memory that matters for it, which often shares no word with it (ADR 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from conch.memory.memory import Memory
from conch.words.stems import stem
from conch.words.tokens import content_tokens, tokens

if TYPE_CHECKING:
    import numpy

WORD_WEIGHT = 0.06
"""What a point of BM25 counts beside a cosine of 1 where the text asks after something known."""
TIE_WEIGHT = 0.002
"""The same where it calls for what matters: a rare word in common breaks a tie."""
ASKS_FROM, ASKS_UNTIL = 0.2, 0.6
"""How much a text calls for a memory (`Nearness.calls`): up to the first it asks after something
that is known or stands alone, from the second it calls for what matters."""
MEANT_FROM, MEANT_UNTIL = 0.42, 0.47
"""The closeness of the closest memory from which a text speaks of what is known all the same."""
RECALL_FLOOR = 0.12
"""The cosine from which a memory that shares no word with the query is still an answer."""

ANSWER_FLOOR = 0.35
"""Closeness and nearness together that the best memory must reach for any to be an answer by
meaning alone. Over 51 memories in seven languages: 50 of 51 paraphrases are still answered, 26 of
45 queries about something else no longer are."""

LISTED_SHARE = 0.5
"""What share of the best one's score a memory must reach to stand in a person's list."""


@dataclass(frozen=True)
class Hit:
    """A memory with how well it fits, 0 to 1."""

    memory: Memory
    score: float


@dataclass(frozen=True)
class Near:
    """A memory that may matter for a message.

    `score` ranks. `likeness`: -1 to 1, whatever the languages. `words`: how telling the words
    they share are; 1 is one word that no other memory has, 0 is none.
    """

    memory: Memory
    score: float
    likeness: float
    words: float


def searched_text(memory: Memory) -> str:
    """What a memory is found by: its words, and the topics when it matters."""
    return " · ".join((memory.text, *memory.cues))


def terms_of(text: str) -> list[str]:
    """The stems a text is found by; of a text of nothing but function words, all its words.

    Of scripts without spaces every pair of characters counts: what is a function word in Chinese
    may be half a name in Japanese.
    """
    words = tokens(text)
    content = content_tokens(text) or words
    return [stem(word) for word in content] + [word for word in words if _is_unspaced(word)]


def _is_unspaced(word: str) -> bool:
    return word[0] >= "\u0e00" and not "\uac00" <= word[0] <= "\ud7a3"


def edits_allowed(term: str) -> int:
    """How many letters of a word may be off: none in a short one, 1 from four, 2 from seven.

    Only in alphabets where a slip leaves most of the word standing.
    """
    if not term.isalpha() or not "a" <= term[0] <= "ӿ":
        return 0
    return 0 if len(term) < 4 else 1 if len(term) < 7 else 2


def near_terms(term: str, vocabulary: Sequence[str], at_most: int = 5) -> list[str]:
    """The words of `vocabulary` that `term` may be a slip of the finger for, nearest first.

    >>> near_terms("berln", ["berlin", "bern", "merlin", "lisbon"])
    ['berlin', 'bern']
    """
    edits = edits_allowed(term)
    if not edits:
        return []
    found = process.extract(
        term, vocabulary, scorer=OSA.distance, score_cutoff=edits, limit=4 * at_most
    )
    # A slip seldom hits the first letter, and leaves one out more often than it adds one.
    near = [pair for pair in found if pair[0][0] == term[0] and len(pair[0]) > 2]
    near.sort(key=lambda pair: (pair[1], -len(pair[0])))
    return [word for word, _, _ in near[:at_most]]


def asks(calls: float, closeness: numpy.ndarray) -> float:
    """How much a text asks after what is known, 1, rather than calls for what matters, 0.

    `calls`: as of `Nearness.calls`. `closeness`: cosines with every memory, nan for none.
    """
    import numpy

    closest = float(numpy.nan_to_num(closeness, nan=0.0).max(initial=0.0))
    by_calls = (ASKS_UNTIL - calls) / (ASKS_UNTIL - ASKS_FROM)
    by_closest = (closest - MEANT_FROM) / (MEANT_UNTIL - MEANT_FROM)
    return min(1.0, max(0.0, by_calls, by_closest))


def fit_scores(
    words: numpy.ndarray,
    closeness: numpy.ndarray | None = None,
    nearness: numpy.ndarray | None = None,
    calls: float = 0.0,
) -> numpy.ndarray:
    """The one order: a score a memory, shape (n,), the better the higher.

    `words`: BM25. `closeness`: cosines; `nearness`: as of a message; nan where a memory is not
    encoded yet, and None where there is nothing to tell them by. `calls`: as of `Nearness.calls`.
    """
    import numpy

    if closeness is None:
        return WORD_WEIGHT * words
    close = numpy.nan_to_num(closeness, nan=0.0)
    if nearness is None:
        return WORD_WEIGHT * words + close
    asked = asks(calls, closeness)
    weight = asked * WORD_WEIGHT + (1.0 - asked) * TIE_WEIGHT
    return weight * words + asked * close + numpy.nan_to_num(nearness, nan=0.0)


def answers(
    words: numpy.ndarray, closeness: numpy.ndarray | None, likeness: numpy.ndarray | None
) -> numpy.ndarray:
    """Which memories may answer a question, shape (n,) of bool.

    `likeness`: nearness without regard to language; it and `closeness` may be None.
    """
    import numpy

    found = words > 0
    if closeness is None:
        return found
    close = numpy.nan_to_num(closeness, nan=0.0)
    if likeness is not None and len(likeness):
        meant = close + numpy.nan_to_num(likeness, nan=0.0)
        if float(meant.max()) < ANSWER_FLOOR:
            return found
    return found | (close >= RECALL_FLOOR)


def near_enough(
    words: numpy.ndarray, closeness: numpy.ndarray | None, likeness: numpy.ndarray | None
) -> numpy.ndarray:
    """Which memories may stand in a person's list of what was found, shape (n,) of bool.

    The assistant is given whatever may answer and leaves out what doesn't; a person reads a list,
    where what has nothing to do with their words is a fault. So each by itself, and not only the
    best, must share a word with them or reach ANSWER_FLOOR. Over 60 memories in three languages,
    with `LISTED_SHARE`: 155 of the 161 right ones that the ranking finds are still listed, those
    of another topic fall from 3.2 to 0.3 a query, and from 2.7 to 0.7 where nothing is known.
    """
    import numpy

    if closeness is None or likeness is None:
        return numpy.ones(len(words), dtype=bool)
    meant = numpy.nan_to_num(closeness, nan=0.0) + numpy.nan_to_num(likeness, nan=0.0)
    return (words > 0) | (meant >= ANSWER_FLOOR)


def only_answers(scores: numpy.ndarray, able: numpy.ndarray) -> numpy.ndarray:
    """The scores of what is `able` to answer, all above 0 and in the same order; 0 for the rest."""
    import numpy

    least = numpy.float32(1e-6)
    low = least * numpy.exp(numpy.minimum(scores, 0.0))
    return numpy.where(able, numpy.where(scores > least, scores, low), 0.0)


def as_share(score: float) -> float:
    """A score above 0 as 0 to 1, in the same order."""
    return score / (1.0 + score) if score > 0 else 0.0
