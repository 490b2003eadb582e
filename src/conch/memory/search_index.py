"""Finding memories, by their words and their meaning. Derived from the files; loses nothing.

`set` says which memories there are. Words are indexed at once; rows of the encoder are made when
there is time (`encode_some`) and kept by the hash of the text, so that a restart makes none anew.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from conch.memory.index_file import IndexFile
from conch.memory.memory import Memory
from conch.memory.ranking import (
    LISTED_SHARE,
    Hit,
    Near,
    as_share,
    near_enough,
    near_scores,
    recall_scores,
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
            words = self._word_scores(query)
            closeness = nearness = None
            if row is not None and self._vectors is not None:
                slots = self._slots_of(self._vectors)
                closeness = _at(self._vectors.closeness(row), slots)
                if (near := self._vectors.near(row)) is not None:
                    nearness = _at(near[1], slots)
            scores = recall_scores(words, closeness, nearness)
            if listed:
                scores[~near_enough(words, closeness, nearness)] = 0.0
            found: list[Hit] = []
            lowest = 0.0
            for place in _best_first(scores):
                memory, score = self._memories[place], float(scores[place])
                if len(found) == limit or score <= lowest:
                    break
                if memory.usable or (include_earlier and memory.invalid_at is not None):
                    found.append(Hit(memory, as_share(score)))
                    lowest = lowest or (LISTED_SHARE * score if listed else 0.0)
            return found

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
            near = self._vectors.near(row)
            if near is None:
                return calls, []
            slots = self._slots_of(self._vectors)
            words = self._word_scores(message)
            likeness = _at(near[1], slots)
            scores = near_scores(words, _at(near[0], slots))
            rarest = self._words.rarest()
            found: list[Near] = []
            for place in _best_first(scores):
                if len(found) == limit or slots[place] < 0:
                    break
                memory = self._memories[place]
                if may(memory):
                    found.append(
                        Near(
                            memory,
                            float(scores[place]),
                            float(likeness[place]),
                            float(words[place]) / rarest,
                        )
                    )
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

    def _word_scores(self, query: str) -> numpy.ndarray:
        import numpy

        scores = numpy.zeros(len(self._memories), dtype=numpy.float32)
        for memory_id, score in self._words.scores(query).items():
            place = self._places.get(memory_id)
            if place is not None:
                scores[place] = score
        return scores


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
