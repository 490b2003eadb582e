"""The memories' part of the home's index file (SQLite). Derived: deleting it loses nothing.

A file that is damaged, locked or not writable is done without: the index is then kept in memory.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from conch.home.files import make_folder, make_private

VERSION = 1
_TABLES = """
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS memory_index (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS memory_rows (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, words TEXT NOT NULL, length INTEGER NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_words USING fts5 (
    text, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co' tokenchars '#'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_terms USING fts5vocab (memory_words, row);
CREATE TABLE IF NOT EXISTS memory_vectors (
    words TEXT NOT NULL, encoder TEXT NOT NULL, row BLOB NOT NULL, PRIMARY KEY (words, encoder)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memory_files (id TEXT PRIMARY KEY, file BLOB NOT NULL) WITHOUT ROWID;
"""
_DROPPED = """
DROP TABLE IF EXISTS memory_terms; DROP TABLE IF EXISTS memory_words;
DROP TABLE IF EXISTS memory_rows; DROP TABLE IF EXISTS memory_vectors;
DROP TABLE IF EXISTS memory_files; DROP TABLE IF EXISTS memory_index;
"""


class IndexFile:
    """One connection, used by one thread at a time (`using`)."""

    def __init__(self, file: Path | None) -> None:
        self._lock = threading.RLock()
        self._db = _open(file)

    @contextlib.contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """The connection, in a transaction. An index that fails here starts anew in memory.

        Raises sqlite3.Error all the same, so that the caller begins again.
        """
        with self._lock:
            try:
                with self._db:
                    yield self._db
            except sqlite3.Error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.close()
                self._db = _open(None)
                raise

    def file_of(self, memory_id: str) -> bytes:
        """A memory's file as it was when its seal last fitted, b"" when it is not known."""
        try:
            with self.using() as db:
                found = db.execute(
                    "SELECT file FROM memory_files WHERE id = ?", (memory_id,)
                ).fetchone()
        except sqlite3.Error:
            return b""
        return bytes(found[0]) if found else b""

    def keep_files(self, files: Mapping[str, bytes]) -> None:
        """Remember sealed files by memory id."""
        with contextlib.suppress(sqlite3.Error), self.using() as db:
            db.executemany(
                "INSERT INTO memory_files VALUES (?, ?) ON CONFLICT (id) DO UPDATE "
                "SET file = excluded.file WHERE file IS NOT excluded.file",
                files.items(),
            )

    def forget(self, memory_id: str, words: Iterable[str]) -> None:
        """Rub out what is kept of a memory: its file, and vectors by the hash of their words."""
        with contextlib.suppress(sqlite3.Error), self.using() as db:
            db.execute("DELETE FROM memory_files WHERE id = ?", (memory_id,))
            db.executemany("DELETE FROM memory_vectors WHERE words = ?", [(one,) for one in words])
            db.execute("INSERT INTO memory_words (memory_words) VALUES ('optimize')")


def _open(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        try:
            make_folder(file.parent)
            make_private(file)
            db = sqlite3.connect(file, check_same_thread=False, timeout=1.0)
            try:
                return _prepared(db)
            except sqlite3.Error:
                db.close()
        except (sqlite3.Error, OSError):
            pass
    return _prepared(sqlite3.connect(":memory:", check_same_thread=False))


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    db.executescript(_TABLES)
    found = db.execute("SELECT version FROM memory_index").fetchone()
    if found is not None and found[0] != VERSION:
        db.executescript(_DROPPED + _TABLES)
        found = None
    if found is None:
        with db:
            db.execute("INSERT INTO memory_index VALUES (?)", (VERSION,))
    return db
