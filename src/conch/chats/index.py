"""The index over all logs: heads and the words to search, in SQLite. Deleting it loses nothing.

Each log is folded in from where it was last read to, by the size of its file. Letters of scripts
without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are indexed one by one and searched
as a phrase, so a word of two letters is found where trigrams would need three.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from conch.chats.events import AssistantMessage, Event, PersonMessage
from conch.chats.heads import ChatHead, fold, heads_as_json
from conch.chats.lines import read_events
from conch.home.files import make_folder, make_private
from conch.home.lines import read_lines
from conch.home.notes import Notes

Answer = TypeVar("Answer")

_VERSION = 3
_TABLES = """
CREATE TABLE chat_logs (
    chat TEXT PRIMARY KEY, size INTEGER NOT NULL, file INTEGER NOT NULL, ending BLOB NOT NULL,
    head TEXT NOT NULL, updated TEXT NOT NULL
);
CREATE TABLE chat_words (
    id INTEGER PRIMARY KEY, chat TEXT NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE INDEX chat_words_chat ON chat_words (chat);
CREATE VIRTUAL TABLE chat_search USING fts5 (
    text, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
);
CREATE TABLE chat_index (version INTEGER NOT NULL);
INSERT INTO chat_index VALUES (3);
"""
_UNUSABLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_BAD_LOG = (OSError, ValueError, OverflowError, RecursionError)
"""What a log raises that can't be read, or holds a number no index can hold."""
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_AROUND = 60
_ENDING = 64


class Found(NamedTuple):
    """Where words were found: the chat, the event, and the words around them."""

    chat: str
    seq: int
    snippet: str


class ChatIndex:
    """The index in `file`, over the logs in `chats`/<id>/log.jsonl."""

    def __init__(self, file: Path, chats: Path, notes: Notes) -> None:
        self._file = file
        self._chats = chats
        self._notes = notes
        self._using = threading.RLock()
        self._open: sqlite3.Connection | None = None
        self.torn: set[str] = set()
        """Chats whose log ended in half a line when it was last read."""

    def heads(self) -> list[ChatHead]:
        """Every chat's head, the newest first. One whose log can't be read is left out and said."""

        def ask(db: sqlite3.Connection) -> list[ChatHead]:
            self._refresh(db)
            rows = db.execute("SELECT head, chat FROM chat_logs ORDER BY updated DESC, chat DESC")
            found = [(_as_head(head), chat) for head, chat in rows]
            damaged = [chat for head, chat in found if head is None]
            for chat in damaged:
                _forget(db, chat)
            return ask(db) if damaged else [head for head, _ in found if head is not None]

        return self._with_index(ask)

    def head(self, chat: str) -> ChatHead | None:
        """One chat's head, None when there is no such chat."""

        def ask(db: sqlite3.Connection) -> ChatHead | None:
            self._take_in(db, chat)
            row = db.execute("SELECT head FROM chat_logs WHERE chat = ?", (chat,)).fetchone()
            head = _as_head(row[0]) if row else None
            if row and head is None:
                _forget(db, chat)
                return ask(db)
            return head

        return self._with_index(ask)

    def search(self, query: str, limit: int) -> list[Found]:
        """Where the words of `query` were said, best first: all of them, or else any of them."""
        terms = _terms(query)
        if not terms:
            return []

        def ask(db: sqlite3.Connection) -> list[Found]:
            self._refresh(db)
            for joined in dict.fromkeys((" AND ".join(terms), " OR ".join(terms))):
                rows = db.execute(
                    "SELECT chat, seq, chat_words.text FROM chat_search "
                    "JOIN chat_words ON chat_words.id = chat_search.rowid "
                    "WHERE chat_search MATCH ? ORDER BY rank, chat_words.id DESC LIMIT ?",
                    (joined, limit),
                ).fetchall()
                if rows:
                    return [Found(chat, seq, _around(text, query)) for chat, seq, text in rows]
            return []

        return self._with_index(ask)

    def forget(self, chat: str) -> None:
        """Forget a chat that was deleted, and rub its words out of the index's file."""

        def ask(db: sqlite3.Connection) -> None:
            self._take_in(db, chat)
            db.execute("INSERT INTO chat_search (chat_search) VALUES ('optimize')")

        self._with_index(ask)
        with self._using, contextlib.suppress(sqlite3.DatabaseError):
            if self._open is not None:
                self._open.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._using:
            if self._open is not None:
                self._open.close()
                self._open = None

    def _with_index(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        with self._using:
            try:
                return self._asked(ask)
            except sqlite3.DatabaseError as error:
                self.close()
                if getattr(error, "sqlite_errorcode", None) in _UNUSABLE:
                    self._take_away()
                    self._notes.say(
                        f"{self._file.name} was damaged. It was made again from the chats' logs; "
                        "nothing is lost.",
                        where=str(self._file),
                    )
            try:
                return self._asked(ask)
            except sqlite3.DatabaseError:
                # Locked for long, read-only or a full disk: this once, an index in memory will do.
                self._open = _connected(None)
                try:
                    return self._asked(ask)
                finally:
                    self.close()

    def _asked(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        if self._open is None:
            make_folder(self._file.parent)
            self._open = _connected(self._file)
        if not _is_current(self._open):
            self.close()
            self._take_away()
            self._open = _connected(self._file)
        with self._open as db:
            return ask(db)

    def _take_away(self) -> None:
        """A damaged or outdated index goes away: it is made again from the logs."""
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._file.with_name(self._file.name + ending).unlink()

    def _refresh(self, db: sqlite3.Connection) -> None:
        known = {row[0] for row in db.execute("SELECT chat FROM chat_logs")}
        try:
            here = {entry.name for entry in self._chats.iterdir() if not entry.name.startswith(".")}
        except FileNotFoundError:
            here = set()
        for chat in sorted(known | here):
            try:
                self._take_in(db, chat)
            except _BAD_LOG as error:
                # One bad log must not hide all the others.
                _forget(db, chat)
                why = getattr(error, "strerror", None) or "it holds what no log can hold"
                self._notes.say(
                    f"The log of chat {chat} could not be read ({why}). The chat is left out of "
                    "lists and of what is searched; its file is as it was, and so are all others.",
                    where=str(self._chats / chat / "log.jsonl"),
                )

    def _take_in(self, db: sqlite3.Connection, chat: str) -> None:
        """Fold in what was appended to a chat's log since; or forget a chat that is gone."""
        path = self._chats / chat / "log.jsonl"
        row = db.execute(
            "SELECT size, file, ending, head FROM chat_logs WHERE chat = ?", (chat,)
        ).fetchone()
        try:
            stat = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            if row:
                _forget(db, chat)
            return
        # A first line that cannot be read leaves a chat nobody's: it is never learned from.
        size, head = 0, ChatHead(id=chat, origin="guest")
        if row and row[:2] == (stat.st_size, stat.st_ino):
            return
        known = _as_head(row[3]) if row else None
        if known and row[1] == stat.st_ino and row[2] == _ending(path, row[0]):
            size, head = row[0], known
        elif row:
            _forget(db, chat)
        lines, end, torn = read_lines(path, size)
        (self.torn.add if torn else self.torn.discard)(chat)
        events = read_events(lines, last_seq=head.last_seq)
        head = fold(head, events)
        updated = head.updated.isoformat() if head.updated else ""
        db.execute(
            "INSERT OR REPLACE INTO chat_logs VALUES (?, ?, ?, ?, ?, ?)",
            (
                chat,
                end,
                stat.st_ino,
                _ending(path, end),
                heads_as_json.dump_json(head).decode(),
                updated,
            ),
        )
        _add_words(db, chat, events)


def _connected(file: Path | None) -> sqlite3.Connection:
    """The index in `file`, or one in memory."""
    if file is not None:
        # What the disk refuses here, it refuses the index too, which says so.
        with contextlib.suppress(OSError):
            make_private(file)
    db = sqlite3.connect(file or ":memory:", timeout=5, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA secure_delete = ON")
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'chat_index'").fetchone():
        try:
            db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        except sqlite3.OperationalError:
            # Another process is making it at this moment.
            db.rollback()
    return db


def _is_current(db: sqlite3.Connection) -> bool:
    try:
        return db.execute("SELECT version FROM chat_index").fetchone() == (_VERSION,)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # no such table
            return False
        raise


def _as_head(stored: str) -> ChatHead | None:
    """A head as the index holds it, None when it is damaged: it is folded from its log again."""
    try:
        return heads_as_json.validate_json(stored)
    except ValueError:
        return None


def _ending(path: Path, size: int) -> bytes:
    """The bytes before `size`: how a log that was written anew is told from one that grew."""
    with path.open("rb") as file:
        file.seek(max(0, size - _ENDING))
        return file.read(min(size, _ENDING))


def _forget(db: sqlite3.Connection, chat: str) -> None:
    db.execute(
        "DELETE FROM chat_search WHERE rowid IN (SELECT id FROM chat_words WHERE chat = ?)", (chat,)
    )
    db.execute("DELETE FROM chat_words WHERE chat = ?", (chat,))
    db.execute("DELETE FROM chat_logs WHERE chat = ?", (chat,))


def _add_words(db: sqlite3.Connection, chat: str, events: Iterable[Event]) -> None:
    for event in events:
        if isinstance(event, PersonMessage | AssistantMessage) and event.text.strip():
            row = db.execute(
                "INSERT INTO chat_words (chat, seq, text) VALUES (?, ?, ?)",
                (chat, event.seq, event.text),
            )
            db.execute(
                "INSERT INTO chat_search (rowid, text) VALUES (?, ?)",
                (row.lastrowid, _spaced(event.text)),
            )


def _spaced(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACELESS.sub(r" \g<0> ", folded)


def _words_of(text: str) -> list[str]:
    """Runs of letters, digits and the marks that belong to them."""
    letters = (char if unicodedata.category(char)[0] in "LNM" else " " for char in text)
    return "".join(letters).split()


def _terms(query: str) -> list[str]:
    """FTS5 terms of a query: each word a phrase, longer ones also as the start of a word."""
    terms: list[str] = []
    for word in _words_of(unicodedata.normalize("NFKC", query).casefold()):
        ending = "*" if len(word) >= (3 if word.isascii() else 2) else ""
        ending = "" if _SPACELESS.search(word) else ending
        terms.append(f'"{" ".join(_spaced(word).split())}"{ending}')
    return list(dict.fromkeys(terms))[:24]


def _around(text: str, query: str) -> str:
    """The words around the first place a word of the query is in the text, in one line."""
    plain = " ".join(text.split())
    letters = _letters(plain)
    places = [letters.find(_letters(word)) for word in _words_of(query)]
    place = min((found for found in places if found >= 0), default=0)
    start, end = max(0, place - _AROUND), min(len(plain), place + 2 * _AROUND)
    while start > 0 and not plain[start - 1].isspace() and place - start < _AROUND + 15:
        start -= 1
    cut = plain[start:end].strip()
    return f"{'…' if start > 0 else ''}{cut}{'…' if end < len(plain) else ''}"


def _letters(text: str) -> str:
    """`text` without case and accents, letter by letter, so that places stay the same."""
    return "".join(unicodedata.normalize("NFKD", letter)[0].casefold()[0] for letter in text)
