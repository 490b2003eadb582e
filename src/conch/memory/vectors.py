"""The encoder's rows of memories, by the hash of the text they are of, kept across restarts."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conch.memory.index_file import IndexFile
from conch.memory.nearness import Nearness, load_nearness
from conch.words.meaning import Meaning, cosines

if TYPE_CHECKING:
    import numpy

_A_FEW = 200
"""Rows that are looked up one by one; where more are wanted all are read."""
_SETTLED = 50
"""Memories after which the store's own mean row counts half, beside the encoder's common one."""
_MOVED = 1.2
"""How many times larger a store has grown before its mean row is taken anew."""


@dataclass(frozen=True)
class _Settled:
    """Every slot's row without what the store's rows share; that was taken when `of` were there."""

    of: int
    mean: numpy.ndarray
    shared: numpy.ndarray | None
    centred: numpy.ndarray
    near: numpy.ndarray | None


class Vectors:
    """Rows by hash. Not safe for threads by itself, but for `encode`."""

    def __init__(self, file: IndexFile, meaning: Meaning) -> None:
        self.meaning = meaning
        self.nearness: Nearness | None = load_nearness(meaning.name)
        self._file = file
        self._slots: dict[str, int] = {}
        self._rows: numpy.ndarray | None = None
        self._settled: _Settled | None = None

    def __contains__(self, words: object) -> bool:
        return words in self._slots

    def __len__(self) -> int:
        return len(self._slots)

    def slots(self, hashes: Iterable[str]) -> numpy.ndarray:
        """Where the rows of these hashes are, -1 for what is not encoded yet."""
        import numpy

        return numpy.fromiter((self._slots.get(one, -1) for one in hashes), dtype=numpy.int64)

    def load(self, hashes: Iterable[str]) -> None:
        """Read kept rows of these hashes; rows of texts no longer there are dropped from disk."""
        import numpy

        wanted = set(hashes)
        new = wanted - self._slots.keys()
        if not new:
            return
        found: dict[str, numpy.ndarray] = {}
        if len(new) <= _A_FEW:
            with contextlib.suppress(sqlite3.Error), self._file.using() as db:
                for words in new:
                    one = db.execute(
                        "SELECT row FROM memory_vectors WHERE words = ? AND encoder = ?",
                        (words, self.meaning.name),
                    ).fetchone()
                    if one is not None:
                        found[words] = numpy.frombuffer(one[0], dtype="<f2").astype(numpy.float32)
            self._take(found)
            return
        with contextlib.suppress(sqlite3.Error), self._file.using() as db:
            rows = db.execute(
                "SELECT words, row FROM memory_vectors WHERE encoder = ?", (self.meaning.name,)
            ).fetchall()
            for words, row in rows:
                if words in new:
                    found[words] = numpy.frombuffer(row, dtype="<f2").astype(numpy.float32)
            if len(rows) > 2 * len(wanted) + 1_000:
                db.executemany(
                    "DELETE FROM memory_vectors WHERE words = ?",
                    [(words,) for words, _ in rows if words not in wanted],
                )
        self._take(found)

    def add(self, texts: Mapping[str, str], rows: numpy.ndarray) -> None:
        """Take in the rows of these texts (by hash), and keep them on disk."""
        self._take(dict(zip(texts, rows, strict=True)))
        kept = [
            (words, self.meaning.name, row.astype("<f2").tobytes())
            for words, row in zip(texts, rows, strict=True)
        ]
        self._settle()
        with contextlib.suppress(sqlite3.Error), self._file.using() as db:
            db.executemany("INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?)", kept)

    def closeness(self, row: numpy.ndarray) -> numpy.ndarray:
        """Cosines of `row` with every slot's, what the store's rows share taken out of both."""
        import numpy

        if (settled := self._settle()) is None:
            return numpy.zeros(0, dtype=numpy.float32)
        return cosines(settled.centred, _unit(row - settled.mean))

    def near(self, row: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray] | None:
        """Nearness of a message to every slot: for ranking, and without regard to language.

        None without the numbers for this encoder, or with no rows.
        """
        settled = self._settle()
        if self.nearness is None or settled is None or settled.near is None:
            return None
        asked = self.nearness.of_message(row)
        tongue = self.nearness.tongue_width()
        spoken = cosines(settled.near[:, -tongue:], asked[-tongue:])
        whole = cosines(settled.near, asked)
        return whole, whole - spoken

    def _take(self, found: Mapping[str, numpy.ndarray]) -> None:
        import numpy

        new = {words: row for words, row in found.items() if words not in self._slots}
        if not new:
            return
        for words in new:
            self._slots[words] = len(self._slots)
        rows = numpy.stack(list(new.values())).astype(numpy.float32)
        self._rows = rows if self._rows is None else numpy.vstack([self._rows, rows])
        settled = self._settled
        if settled is not None and len(self._rows) <= settled.of * _MOVED:
            self._settled = _Settled(
                settled.of,
                settled.mean,
                settled.shared,
                numpy.vstack([settled.centred, _unit(rows - settled.mean)]),
                None
                if self.nearness is None or settled.near is None
                else numpy.vstack([settled.near, self.nearness.of_memories(rows, settled.shared)]),
            )
        else:
            self._settled = None

    def _settle(self) -> _Settled | None:
        if self._settled is None and self._rows is not None:
            rows, nearness = self._rows, self.nearness
            mean = rows.mean(0) * (len(rows) / (len(rows) + _SETTLED))
            shared = None if nearness is None else nearness.shared_by(rows)
            near = None if nearness is None else nearness.of_memories(rows, shared)
            self._settled = _Settled(len(rows), mean, shared, _unit(rows - mean), near)
        return self._settled


def _unit(rows: numpy.ndarray) -> numpy.ndarray:
    import numpy

    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
