"""All chats of a home: begin one, find one, list them, which are to be looked at, delete one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from conch.chats.events import ChatStarted, Origin, TurnCompleted
from conch.chats.heads import ChatHead, due
from conch.chats.index import ChatIndex, Found
from conch.chats.lines import Redacts
from conch.chats.log import ChatLog
from conch.home.errors import ConchError
from conch.home.files import make_folder, sync_folder
from conch.home.home import Home
from conch.home.ids import new_id

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_CUT_OFF = "Conch stopped before this turn ended."
_WAITED = "The step that waited for your OK was not taken: ask for it again."


class Chats:
    """The chats in one home. `redactor` takes secrets out of whatever is written to a log.

    `host`: this computer's name, which chats that begin here carry.
    """

    def __init__(self, home: Home, redactor: Redacts, host: str = "") -> None:
        self._home = home
        self._host = host
        self._redactor = redactor
        self._index = ChatIndex(home.index_file, home.chats, home.notes)
        self._logs: dict[str, ChatLog] = {}

    def new(
        self,
        origin: Origin = "own",
        title: str = "",
        engine: str = "",
        chat: str = "",
        **started: Any,
    ) -> str:
        """Begin a chat and give its id (`chat`, or a new one).

        `started`: more fields of `ChatStarted` (`host`, `folder`, `brought_from`, `at`).
        Raises ConchError when there is such a chat already.
        """
        chat = chat or new_id("c")
        path = self._path(chat)
        if path.exists():
            raise ConchError(f"There is a chat {chat} already.", "It is left as it is.")
        make_folder(path.parent)
        if origin != "imported":
            started.setdefault("host", self._host)
        event = ChatStarted(chat=chat, origin=origin, title=title, engine=engine, **started)
        self.log_at(chat).append(event)
        return chat

    def log(self, chat: str) -> ChatLog:
        """A chat's log. Raises ConchError when there is no such chat."""
        if not self._path(chat).exists():
            raise _no_such_chat(chat)
        return self.log_at(chat)

    def log_at(self, chat: str) -> ChatLog:
        """A chat's log, there or not yet."""
        if chat not in self._logs:
            home = self._home
            self._logs[chat] = ChatLog(self._path(chat), self._redactor, home.notes, home.clock)
        return self._logs[chat]

    def head(self, chat: str) -> ChatHead:
        """What is known of a chat without reading it. Raises ConchError when there is none."""
        self._path(chat)
        head = self._index.head(chat)
        if head is None:
            raise _no_such_chat(chat)
        return head

    def find(self, chat: str) -> ChatHead | None:
        """A chat's head, None when there is no such chat."""
        return self._index.head(chat) if _ID.fullmatch(chat) else None

    def heads(self, limit: int | None = None) -> list[ChatHead]:
        """Every chat's head, the newest first, at most `limit`."""
        return self._index.heads()[:limit]

    def due(self, now: datetime, pointers: Mapping[str, int]) -> list[str]:
        """The chats a sweep looks at now (spec 0088 §1), archived ones first, then the newest.

        `pointers`: the seq each chat was read to by the last look; one that is not in it was never
        looked at.
        """
        return due(self._index.heads(), now, pointers)

    def search(self, query: str, limit: int = 20) -> list[Found]:
        """Where words were said, by person or assistant: `(chat, seq, snippet)`, best first."""
        return self._index.search(query, limit)

    def delete(self, chat: str) -> None:
        """Delete a chat, its log and all beside it. One that is not there is no error."""
        path = self._path(chat)
        self._logs.pop(chat, None)
        if path.parent.exists():
            # Out of sight in one step, so that a crash leaves no half of a chat behind.
            gone = self._home.chats / f".{chat}.deleted"
            shutil.rmtree(gone, ignore_errors=True)
            path.parent.rename(gone)
            sync_folder(self._home.chats)
            shutil.rmtree(gone, ignore_errors=True)
        self._index.forget(chat)

    def close_open_turns(self) -> list[str]:
        """End as failed every turn that a crash cut off; gives the chats it was done in. A line
        that was cut off is set aside.

        For the start of a process that holds the writer lock, when nothing can be running.
        """
        for gone in self._home.chats.glob(".*.deleted"):
            shutil.rmtree(gone, ignore_errors=True)
        closed: list[str] = []
        heads = self._index.heads()
        for chat in list(self._index.torn):
            self.log(chat).mend()
        for head in heads:
            if head.running and head.origin != "imported":
                error = f"{_CUT_OFF} {_WAITED}" if head.waiting else _CUT_OFF
                ended = TurnCompleted(outcome="failed", engine=head.engine, error=error)
                self.log(head.id).append(ended)
                closed.append(head.id)
        return closed

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def _path(self, chat: str) -> Path:
        if not _ID.fullmatch(chat):
            raise _no_such_chat(chat)
        return self._home.chats / chat / "log.jsonl"


def _no_such_chat(chat: str) -> ConchError:
    return ConchError(f"There is no chat {chat!r}.", do="`conch chats` lists them.")
