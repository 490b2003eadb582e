"""Memories by their words: an inverted index in FTS5 over script-aware stems, forgiving slips."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from conch.memory.index_file import IndexFile
from conch.memory.ranking import edits_allowed, near_terms, terms_of

SLIP_WEIGHT = 0.7
"""What a word spelled nearly the same counts, beside one spelled the same."""
_COMMON = 8
"""In a large store, a word in more than one memory of so many tells nothing."""
_LARGE = 500
_K1, _B = 1.2, 0.75


@dataclass(frozen=True)
class Indexed:
    """What is indexed of one memory: the hash of the text it is found by, and the text."""

    words: str
    text: str


class WordIndex:
    """Kept in step by `set`; asked by `scores`."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._ids: dict[int, str] = {}
        self._lengths: dict[int, int] = {}
        self._average = 1.0
        self._vocabulary: list[str] | None = None

    def set(self, memories: Mapping[str, Indexed]) -> None:
        """These are the memories, by id; only what changed is read anew."""
        try:
            self._set(memories)
        except sqlite3.Error:
            self._set(memories)

    def scores(self, query: str) -> dict[str, float]:
        """BM25 by memory id, of those that share a word with `query`; a rare word weighs most."""
        try:
            return self._scores(terms_of(query))
        except sqlite3.Error:
            return {}

    def rarest(self) -> float:
        """What a word that only one memory has counts, in a memory of average length."""
        return _rarity(len(self._ids), 1)

    def _set(self, memories: Mapping[str, Indexed]) -> None:
        with self._file.using() as db:
            kept = {
                memory_id: (key, words)
                for key, memory_id, words in db.execute("SELECT key, id, words FROM memory_rows")
            }
            gone = [
                key
                for memory_id, (key, words) in kept.items()
                if memory_id not in memories or memories[memory_id].words != words
            ]
            new = [
                (memory_id, one)
                for memory_id, one in memories.items()
                if memory_id not in kept or kept[memory_id][1] != one.words
            ]
            db.executemany("DELETE FROM memory_words WHERE rowid = ?", [(key,) for key in gone])
            db.executemany("DELETE FROM memory_rows WHERE key = ?", [(key,) for key in gone])
            for memory_id, one in new:
                terms = terms_of(one.text)
                key = db.execute(
                    "INSERT INTO memory_rows (id, words, length) VALUES (?, ?, ?)",
                    (memory_id, one.words, len(terms)),
                ).lastrowid
                db.execute(
                    "INSERT INTO memory_words (rowid, text) VALUES (?, ?)", (key, " ".join(terms))
                )
            if gone or new:
                self._vocabulary = None
            rows = db.execute("SELECT key, id, length FROM memory_rows").fetchall()
        self._ids = {key: memory_id for key, memory_id, _ in rows}
        self._lengths = {key: length for key, _, length in rows}
        self._average = max(1.0, sum(self._lengths.values()) / max(1, len(rows)))

    def _scores(self, terms: list[str]) -> dict[str, float]:
        found: dict[str, float] = {}
        with self._file.using() as db:
            for term in dict.fromkeys(terms):
                spellings = [(term, 1.0)]
                count = _count(db, term)
                if not count and edits_allowed(term):
                    spellings = [(one, SLIP_WEIGHT) for one in near_terms(term, self._words(db))]
                for spelling, weight in spellings:
                    for memory_id, score in self._of_term(db, spelling):
                        found[memory_id] = found.get(memory_id, 0.0) + weight * score
        return found

    def _of_term(self, db: sqlite3.Connection, term: str) -> list[tuple[str, float]]:
        total, having = len(self._ids), _count(db, term)
        if not having or (total > _LARGE and having * _COMMON > total):
            return []
        rarity = _rarity(total, having)
        match = '"' + term.replace('"', '""') + '"'
        return [
            (self._ids[key], rarity * (_K1 + 1.0) / (1.0 + _K1 * self._length_factor(key)))
            for (key,) in db.execute("SELECT rowid FROM memory_words(?)", (match,))
            if key in self._ids
        ]

    def _length_factor(self, key: int) -> float:
        return 1.0 - _B + _B * self._lengths[key] / self._average

    def _words(self, db: sqlite3.Connection) -> list[str]:
        if self._vocabulary is None:
            self._vocabulary = [row[0] for row in db.execute("SELECT term FROM memory_terms")]
        return self._vocabulary


def _rarity(total: int, having: int) -> float:
    return math.log(1.0 + max(0.0, total - having + 0.5) / (having + 0.5))


def _count(db: sqlite3.Connection, term: str) -> int:
    found = db.execute("SELECT doc FROM memory_terms WHERE term = ?", (term.lower(),)).fetchone()
    return int(found[0]) if found else 0
