"""What was brought in already, so that bringing the same file again brings only what is new.

The ledger is a journal. An entry `brought` says of some chats which events went into them, by short
hashes of what was in the file; `said`, by its hash, which sentence was left in the notes. A chat
that is there and not in the ledger, or was `begun` to grow and not brought, was cut off: what
reached its log is then found there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.shapes import listed, mapping
from conch.home.journal import Journal
from conch.home.notes import Notes

_KEY_BYTES = 5
_KEY_LENGTH = _KEY_BYTES * 2
_CHATS_AT_ONCE = 50
_KEYS_AT_ONCE = 5_000


@dataclass
class Known:
    """What the ledger says of one chat. `after`: set when a bringing of it was cut off."""

    chat: str
    keys: list[str] = field(default_factory=list)
    after: int | None = None

    def counted(self) -> Counter[str]:
        """How often each event was brought."""
        return Counter(
            run[at : at + _KEY_LENGTH]
            for run in self.keys
            for at in range(0, len(run), _KEY_LENGTH)
        )


class Ledger:
    """The ledger at `path`. What is done is written some chats at a time, and at `flush`."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._journal = Journal(path, notes)
        self._known: dict[str, Known] = {}
        self._waiting: list[dict[str, str]] = []
        self._said: set[str] = set()
        for entry in self._journal.entries():
            if entry.kind == "begun":
                key, chat = str(entry.data.get("key", "")), str(entry.data.get("chat", ""))
                after = entry.data.get("after", 0)
                self._of(key, chat).after = after if isinstance(after, int) else 0
            elif entry.kind == "brought":
                for one in listed(entry.data.get("chats")):
                    self._take(mapping(one))
            elif entry.kind == "said":
                self._said.add(str(entry.data.get("text", "")))

    def known(self, key: str) -> Known | None:
        """What was brought of the chat `key` names, None for nothing."""
        return self._known.get(key)

    def begin(self, key: str, chat: str, after: int) -> None:
        """A chat that was brought in before is about to grow; its last seq is `after`.

        A chat that is new needs no such word: it is there and nothing is known of it.
        """
        self._journal.append("begun", {"key": key, "chat": chat, "after": after})
        self._of(key, chat).after = after

    def is_first(self, text: str) -> bool:
        """Whether a sentence about what was brought was never said before; it counts as said now.

        A file that is brought in again, unread parts and all, has nothing new to say.
        """
        name = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
        if name in self._said:
            return False
        self._said.add(name)
        self._journal.append("said", {"text": name})
        return True

    def done(self, key: str, chat: str, keys: list[str]) -> None:
        """These events are in the chat now."""
        one = {"key": key, "chat": chat, "keys": "".join(keys)}
        self._take(one)
        self._waiting.append(one)
        if len(self._waiting) >= _CHATS_AT_ONCE or len(keys) > _KEYS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what waits to be written."""
        if self._waiting:
            self._journal.append("brought", {"chats": self._waiting})
            self._waiting = []

    def _take(self, one: dict[str, Any]) -> None:
        known = self._of(str(one.get("key", "")), str(one.get("chat", "")))
        known.keys.append(str(one.get("keys", "")))
        known.after = None

    def _of(self, key: str, chat: str) -> Known:
        return self._known.setdefault(key, Known(chat))


def chat_id(source: str, conversation: str) -> str:
    """The id of the chat that a conversation of another assistant's becomes, always the same."""
    whole = f"{source}\0{conversation}".encode("utf-8", "replace")
    return f"b_{hashlib.blake2b(whole, digest_size=12).hexdigest()}"


def event_key(event: Event) -> str:
    """A short hash of all that an event holds but its place in a log."""
    whole = event.model_dump_json(exclude={"seq"}).encode("utf-8", "replace")
    return hashlib.blake2b(whole, digest_size=_KEY_BYTES).hexdigest()
