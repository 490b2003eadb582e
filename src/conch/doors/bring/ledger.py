"""What was brought in already, so that bringing the same file again brings only what is new.

The ledger is a journal. For each chat an entry `begun` says which chat takes it in and from which
event on, and `brought` which events those were, by short hashes of what was in the file. A chat
begun and not brought was cut off: what reached its log is then found there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from conch.chats.events import Event
from conch.home.journal import Journal
from conch.home.notes import Notes

_KEY_BYTES = 5
_KEY_LENGTH = _KEY_BYTES * 2


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
    """The ledger at `path`."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._journal = Journal(path, notes)
        self._known: dict[str, Known] = {}
        for entry in self._journal.entries():
            key, chat = str(entry.data.get("key", "")), str(entry.data.get("chat", ""))
            known = self._known.setdefault(key, Known(chat))
            if entry.kind == "begun":
                known.after = int(entry.data.get("after", 0))
            elif entry.kind == "brought":
                known.keys.append(str(entry.data.get("keys", "")))
                known.after = None

    def known(self, key: str) -> Known | None:
        return self._known.get(key)

    def begin(self, key: str, chat: str, after: int) -> None:
        """Events of `key` are about to be appended to `chat`, whose last seq is `after`."""
        self._journal.append("begun", {"key": key, "chat": chat, "after": after})
        self._known.setdefault(key, Known(chat)).after = after

    def done(self, key: str, chat: str, keys: list[str]) -> None:
        """These events are in the chat now."""
        run = "".join(keys)
        self._journal.append("brought", {"key": key, "chat": chat, "keys": run})
        known = self._known.setdefault(key, Known(chat))
        known.keys.append(run)
        known.after = None


def chat_id(source: str, conversation: str) -> str:
    """The id of the chat that a conversation of another assistant's becomes, always the same."""
    whole = f"{source}\0{conversation}".encode("utf-8", "replace")
    return f"b_{hashlib.blake2b(whole, digest_size=12).hexdigest()}"


def event_key(event: Event) -> str:
    """A short hash of all that an event holds but its place in a log."""
    whole = event.model_dump_json(exclude={"seq"}).encode("utf-8", "replace")
    return hashlib.blake2b(whole, digest_size=_KEY_BYTES).hexdigest()
