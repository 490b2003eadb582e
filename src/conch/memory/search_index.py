"""The index over memories: words in SQLite's FTS5, vectors by the hash of their words. Derived.

Deleting the file loses nothing; a file that is damaged or busy is done without.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from conch.memory.memory import Memory
from conch.memory.ranking import Hit, blended, near_terms, searched_text, terms_of
from conch.words.meaning import Meaning

if TYPE_CHECKING:
    import numpy

LONGEST_QUERY = 2_000
ENCODED_AT_ONCE = 32
"""Memories encoded while somebody waits for a search; the rest is left to `encode_some`."""

_VECTORS = """
CREATE TABLE IF NOT EXISTS memory_vectors (
    words TEXT NOT NULL, encoder TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (words, encoder)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memory_known (id TEXT PRIMARY KEY, file BLOB NOT NULL) WITHOUT ROWID;
"""


class SearchIndex:
    """Finds memories. `set` says which there are; everything else is kept up by itself."""

    def __init__(self, file: Path | None, meaning: Meaning | None = None) -> None:
        self.meaning = meaning
        self._lock = threading.RLock()
        self._memories: list[Memory] = []
        self._places: dict[str, int] = {}
        self._hashes: list[str] = []
        self._vectors: dict[str, numpy.ndarray] = {}
        self._matrix: numpy.ndarray | None = None
        self._vocabulary: list[str] = []
        self._words = sqlite3.connect(":memory:", check_same_thread=False)
        self._kept = _open(file)
        self._read_vectors()

    def set(self, memories: Iterable[Memory]) -> None:
        """These are the memories to find, and no others."""
        with self._lock:
            self._memories = list(memories)
            self._places = {memory.id: place for place, memory in enumerate(self._memories)}
            texts = [searched_text(memory) for memory in self._memories]
            self._hashes = [_hash(text) for text in texts]
            self._matrix = None
            self._words.executescript(
                "DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS terms;"
                'CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "unicode61 '
                "remove_diacritics 0 categories 'L* N* M* Co S*'\");"
                "CREATE VIRTUAL TABLE terms USING fts5vocab (words, row);"
            )
            self._words.executemany(
                "INSERT INTO words (rowid, text) VALUES (?, ?)",
                ((place, " ".join(terms_of(text))) for place, text in enumerate(texts)),
            )
            self._vocabulary = [row[0] for row in self._words.execute("SELECT term FROM terms")]

    def known(self, memory_id: str) -> Memory | None:
        return None

    def forget(self, memory_id: str) -> None:
        pass

    def search(self, query: str, limit: int, include_earlier: bool = False) -> list[Hit]:
        """The memories that fit `query` best, the best first; none for an empty query."""
        query = query[:LONGEST_QUERY]
        if not query.strip():
            return []
        with self._lock:
            if not self._memories:
                return []
            words = self._by_words(query)
            scores = blended(words, self._by_meaning(query), len(self._memories))
            found = [
                place
                for place, memory in enumerate(self._memories)
                if memory.usable or (include_earlier and memory.invalid_at is not None)
            ]
            best = sorted(found, key=lambda place: -scores[place])[:limit]
            return [Hit(self._memories[place], float(scores[place])) for place in best]

    def encode_some(self, at_most: int) -> int:
        """Encode memories whose vectors are missing; gives how many there still are."""
        if self.meaning is None:
            return 0
        with self._lock:
            missing = {
                words: searched_text(memory)
                for words, memory in zip(self._hashes, self._memories, strict=True)
                if words not in self._vectors
            }
        now = list(missing.items())[:at_most]
        if now:
            rows = self.meaning.encode([text for _, text in now])
            with self._lock:
                self._matrix = None
                for (words, _), row in zip(now, rows, strict=True):
                    self._vectors[words] = row
            self._keep_vectors([words for words, _ in now])
        return len(missing) - len(now)

    def _by_words(self, query: str) -> dict[int, float]:
        terms: dict[str, None] = {}
        known = frozenset(self._vocabulary)
        for term in terms_of(query):
            for one in [term] if term in known else near_terms(term, self._vocabulary):
                terms[one] = None
        if not terms:
            return {}
        match = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        found = self._words.execute("SELECT rowid, bm25(words) FROM words(?)", (match,))
        return {place: -score for place, score in found}

    def _by_meaning(self, query: str) -> numpy.ndarray | None:
        if self.meaning is None:
            return None
        import numpy

        self.encode_some(ENCODED_AT_ONCE)
        row = self.meaning.encode([query])[0]
        if self._matrix is None:
            missing = numpy.full(len(row), numpy.nan, dtype=numpy.float32)
            self._matrix = numpy.stack(
                [self._vectors.get(words, missing) for words in self._hashes]
            )
        return self._matrix @ row

    def _read_vectors(self) -> None:
        if self._kept is None or self.meaning is None:
            return
        import numpy

        with contextlib.suppress(sqlite3.Error):
            rows = self._kept.execute(
                "SELECT words, vector FROM memory_vectors WHERE encoder = ?", (self.meaning.name,)
            )
            for words, vector in rows:
                self._vectors[words] = numpy.frombuffer(vector, dtype="<f2").astype("float32")

    def _keep_vectors(self, hashes: Sequence[str]) -> None:
        if self._kept is None or self.meaning is None:
            return
        with contextlib.suppress(sqlite3.Error), self._lock, self._kept:
            self._kept.executemany(
                "INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?)",
                [
                    (words, self.meaning.name, self._vectors[words].astype("<f2").tobytes())
                    for words in hashes
                ],
            )


def _open(file: Path | None) -> sqlite3.Connection | None:
    if file is None:
        return None
    try:
        db = sqlite3.connect(file, check_same_thread=False, timeout=0.2)
        db.executescript(_VECTORS)
    except sqlite3.Error:
        return None
    return db


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
