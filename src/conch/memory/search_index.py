"""Finding memories, by their words and their meaning. Derived from the files; loses nothing.

`set` says which memories there are. Words are indexed at once; rows of the encoder are made when
there is time (`encode_some`) and kept by the hash of the text, so that a restart makes none anew.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conch.memory.index_file import IndexFile
from conch.memory.memory import Memory
from conch.memory.ranking import (
    LISTED_SHARE,
    Hit,
    Near,
    answers,
    as_share,
    fit_scores,
    near_enough,
    only_answers,
    searched_text,
)
from conch.memory.vectors import Vectors
from conch.memory.word_index import Indexed, WordIndex
from conch.words.meaning import Meaning

if TYPE_CHECKING:
    import numpy

LONGEST_QUERY = 400
"""Characters of a query that are read: its first and its last half."""
ENCODED_FOR_RECALL = 32
ENCODED_FOR_NEARBY = 1
"""Memories encoded while somebody waits; the rest is left to `encode_some`."""


class SearchIndex:
    """The index of one home. Safe to use from any thread."""

    def __init__(self, file: Path | None, meaning: Meaning | None = None) -> None:
        self._lock = threading.RLock()
        self._file = IndexFile(file)
        self._words = WordIndex(self._file)
        self._meaning = meaning
        self._vectors: Vectors | None = None
        self._memories: list[Memory] = []
        self._indexed: dict[str, tuple[Memory, Indexed]] = {}
        self._places: dict[str, int] = {}
        self._hashes: list[str] = []
        self._slots: tuple[int, numpy.ndarray] | None = None

    def set(self, memories: Iterable[Memory]) -> None:
        """These are the memories to find, and no others."""
        indexed: dict[str, Indexed] = {}
        with self._lock:
            before, self._indexed = self._indexed, {}
            self._memories = list({memory.id: memory for memory in memories}.values())
            self._places = {memory.id: place for place, memory in enumerate(self._memories)}
            for memory in self._memories:
                known = before.get(memory.id)
                if known is None or known[0] is not memory:
                    text = searched_text(memory)
                    known = memory, Indexed(_hash(text), text)
                self._indexed[memory.id] = known
                indexed[memory.id] = known[1]
            self._hashes = [one.words for one in indexed.values()]
            self._words.set(indexed)
            self._slots = None
            if self._vectors is not None:
                self._vectors.load(self._hashes)

    def ready(self) -> tuple[int, int]:
        """How many memories there are, and of how many the meaning is at hand."""
        with self._lock:
            known = self._vectors
            encoded = sum(words in known for words in self._hashes) if known is not None else 0
            return len(self._memories), encoded

    def search(
        self, query: str, limit: int, include_earlier: bool = False, *, listed: bool = False
    ) -> list[Hit]:
        """What answers `query` best, of usable memories, the best first.

        `listed`: only what is near enough to stand in a person's list.
        """
        query = _start_and_end(query)
        if not query:
            return []
        row = self._row(query, ENCODED_FOR_RECALL)
        with self._lock:
            if not self._memories:
                return []
            fit = self._fit(query, row)
            able = answers(fit.words, fit.closeness, fit.likeness)
            worth = near_enough(fit.words, fit.closeness, fit.likeness) if listed else able
            scores = only_answers(fit.scores, able)
            found: list[tuple[int, float]] = []
            lowest = 0.0
            for place in _best_first(scores):
                memory, score = self._memories[place], float(scores[place])
                if len(found) == limit or score <= lowest:
                    break
                # Where anything is worth listing, the best one leads the list.
                if (memory.usable or (include_earlier and memory.invalid_at is not None)) and (
                    worth[place] or not found
                ):
                    found.append((place, score))
                    lowest = lowest or (LISTED_SHARE * score if listed else 0.0)
            if not any(worth[place] for place, _ in found):
                return []
            return [Hit(self._memories[place], as_share(score)) for place, score in found]

    def near(
        self, message: str, may: Callable[[Memory], bool], limit: int
    ) -> tuple[float, list[Near]] | None:
        """How much `message` calls for a memory, and those it may call for, the nearest first.

        `may` says which memories count. None without an encoder the numbers are made for; then
        `by_words` is left.
        """
        message = _start_and_end(message)
        row = self._row(message, ENCODED_FOR_NEARBY) if message else None
        with self._lock:
            if row is None or self._vectors is None or self._vectors.nearness is None:
                return None
            calls = self._vectors.nearness.calls(row)
            fit = self._fit(message, row)
            if fit.likeness is None:
                return calls, []
            rarest = self._words.rarest()
            found: list[Near] = []
            for place in _best_first(fit.scores):
                if len(found) == limit:
                    break
                memory, likeness = self._memories[place], float(fit.likeness[place])
                if not math.isnan(likeness) and may(memory):
                    score, words = float(fit.scores[place]), float(fit.words[place])
                    found.append(Near(memory, score, likeness, words / rarest))
            return calls, found

    def by_words(self, message: str, may: Callable[[Memory], bool], limit: int) -> list[Near]:
        """The memories that share the most telling words with `message`, the best first."""
        with self._lock:
            scores = self._words.scores(_start_and_end(message))
            best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
            rarest = self._words.rarest()
            found = ((self._memories[self._places[one]], score / rarest) for one, score in best)
            return [Near(memory, words, 0.0, words) for memory, words in found if may(memory)][
                :limit
            ]

    def encode_some(self, at_most: int) -> int:
        """Encode memories that are not encoded yet, the newest first; gives how many remain."""
        if self._meaning is None or at_most <= 0:
            return 0
        with self._lock:
            if self._vectors is None:
                self._vectors = Vectors(self._file, self._meaning)
                self._vectors.load(self._hashes)
            if bool((self._slots_of(self._vectors) >= 0).all()):
                return 0
            missing: dict[str, str] = {}
            for words, memory in zip(reversed(self._hashes), reversed(self._memories), strict=True):
                if words not in self._vectors:
                    missing[words] = searched_text(memory)
        now = dict(list(missing.items())[:at_most])
        if now:
            rows = self._meaning.encode(list(now.values()))
            with self._lock:
                self._vectors.add(now, rows)
        return len(missing) - len(now)

    def file_of(self, memory_id: str) -> bytes:
        """A memory's file as it was when its seal last fitted, b"" when it is not known."""
        return self._file.file_of(memory_id)

    def keep_files(self, files: Mapping[str, bytes]) -> None:
        """Remember sealed files by memory id."""
        self._file.keep_files(files)

    def forget(self, memory: Memory) -> None:
        """Rub out what is kept of a memory that was removed."""
        self._file.forget(memory.id, [_hash(searched_text(memory))])

    def _row(self, query: str, encode_at_most: int) -> numpy.ndarray | None:
        if self._meaning is None:
            return None
        self.encode_some(encode_at_most)
        return self._meaning.encode([query])[0]

    def _slots_of(self, vectors: Vectors) -> numpy.ndarray:
        """Where each memory's row is; looked up anew when memories or rows were added."""
        if self._slots is None or self._slots[0] != len(vectors):
            self._slots = (len(vectors), vectors.slots(self._hashes))
        return self._slots[1]

    def _fit(self, text: str, row: numpy.ndarray | None) -> _Fit:
        """How well every memory fits a text, whatever it is asked for."""
        words = self._word_scores(text)
        vectors = self._vectors
        if row is None or vectors is None:
            return _Fit(words, fit_scores(words))
        slots = self._slots_of(vectors)
        closeness = _at(vectors.closeness(row), slots)
        near = vectors.near(row)
        if near is None or vectors.nearness is None:
            return _Fit(words, fit_scores(words, closeness), closeness)
        nearness, likeness = _at(near[0], slots), _at(near[1], slots)
        calls = vectors.nearness.calls(row)
        return _Fit(words, fit_scores(words, closeness, nearness, calls), closeness, likeness)

    def _word_scores(self, query: str) -> numpy.ndarray:
        import numpy

        scores = numpy.zeros(len(self._memories), dtype=numpy.float32)
        for memory_id, score in self._words.scores(query).items():
            place = self._places.get(memory_id)
            if place is not None:
                scores[place] = score
        return scores


@dataclass(frozen=True)
class _Fit:
    """How well each memory fits a text, shape (n,) each: `scores` order them, the rest tells which
    fit at all; nan where a memory is not encoded yet, None without an encoder for it."""

    words: numpy.ndarray
    scores: numpy.ndarray
    closeness: numpy.ndarray | None = None
    likeness: numpy.ndarray | None = None


def _at(scores: numpy.ndarray, slots: numpy.ndarray) -> numpy.ndarray:
    """The scores at these slots, nan for slot -1."""
    import numpy

    if not len(scores):
        return numpy.full(len(slots), numpy.nan, dtype=numpy.float32)
    return numpy.where(slots >= 0, scores[slots], numpy.nan)


def _best_first(scores: numpy.ndarray) -> Iterable[int]:
    import numpy

    return (int(place) for place in numpy.argsort(-scores, kind="stable"))


def _start_and_end(text: str) -> str:
    text = text.strip()
    if len(text) <= LONGEST_QUERY:
        return text
    half = LONGEST_QUERY // 2
    return f"{text[:half]} … {text[-half:]}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
