"""How well a memory fits a query: words and meaning blended into one score. Pure.

One ranking for `recall`, the prompt's section, nearby and the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from conch.memory.memory import Memory
from conch.words.stems import stem
from conch.words.tokens import content_tokens, tokens

if TYPE_CHECKING:
    import numpy

FUZZY_WEIGHT = 0.7
"""What a word spelled nearly the same counts, beside one spelled the same."""


@dataclass(frozen=True)
class Hit:
    """A memory with how well it fits, 0 to 1."""

    memory: Memory
    score: float


def searched_text(memory: Memory) -> str:
    """What a memory is found by: its words, and the topics when it matters."""
    return " · ".join((memory.text, *memory.cues))


def terms_of(text: str) -> list[str]:
    """The stems a text is found by; of a text of nothing but function words, all its words."""
    return [stem(word) for word in content_tokens(text) or tokens(text)]


def edits_allowed(term: str) -> int:
    """How many letters of a word may be off: none in a short one, 1 from four, 2 from seven."""
    if not term.isalpha() or not "a" <= term[0] <= "ӿ":
        return 0
    return 0 if len(term) < 4 else 1 if len(term) < 7 else 2


def near_terms(term: str, vocabulary: Sequence[str], at_most: int = 5) -> list[str]:
    """The words of `vocabulary` that `term` may be a slip of the finger for, nearest first."""
    edits = edits_allowed(term)
    if not edits:
        return []
    found = process.extract(
        term, vocabulary, scorer=OSA.distance, score_cutoff=edits, limit=at_most
    )
    return [word for word, _, _ in found if word[0] == term[0] or len(term) > 5]


def blended(words: Mapping[int, float], cosines: numpy.ndarray | None, count: int) -> numpy.ndarray:
    """One score a memory, 0 to 1, shape (count,).

    `words`: BM25 by place, only of those that share a word. `cosines`: closeness in meaning, shape
    (count,), nan where it is not known; None without a model.
    """
    import numpy

    by_words = numpy.zeros(count, dtype=numpy.float32)
    if words:
        best = max(words.values())
        for place, score in words.items():
            by_words[place] = score / best if best > 0 else 0.0
    if cosines is None:
        return by_words
    by_meaning = numpy.clip(numpy.nan_to_num(cosines, nan=0.0), 0.0, 1.0)
    return 0.5 * by_words + 0.5 * by_meaning
