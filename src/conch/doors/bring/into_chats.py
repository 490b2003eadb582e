"""Writing chats that were read into Conch's own, once each, with their own times."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath, PureWindowsPath

from conch.chats.chats import Chats
from conch.chats.events import (
    AssistantMessage,
    Event,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.log import ChatLog
from conch.doors.bring.brought import BroughtChat
from conch.doors.bring.ledger import Ledger, chat_id, event_key

ELSEWHERE = "elsewhere"
"""The host of a chat whose commands ran on a computer that is not known to be this one."""

_LOOKED_AHEAD = 500
_AT_ONCE = 500
"""Events that are written together, so that the disk is waited for once."""
_TOLD = (PersonMessage, AssistantMessage, ToolStarted, ToolFinished, TaintMarked, TurnCompleted)


@dataclass
class Written:
    """What was added so far."""

    chats_new: int = 0
    chats_grown: int = 0
    messages: int = 0
    steps: int = 0
    taints: int = 0
    undated: int = 0
    """Chats added to that carry no date at all."""


class IntoChats:
    """Takes chats in, one after the other. `here` is this computer's name, "" when not given."""

    def __init__(self, chats: Chats, ledger: Ledger, here: str = "") -> None:
        self._chats = chats
        self._ledger = ledger
        self._here = here
        self.written = Written()

    def take(self, brought: BroughtChat, otherwise_at: datetime | None) -> None:
        """Add what of a chat is not in it yet.

        A chat with no message of the person's is passed over; so is one that was brought in before
        and deleted since. `otherwise_at`: when events without a time are said to have been, if the
        chat says no time at all.
        """
        key = f"{brought.source}:{brought.id}"
        known = self._ledger.known(key)
        chat = known.chat if known else chat_id(brought.source, brought.id)
        there = self._chats.find(chat) is not None
        if known is not None and known.keys and not there:
            return
        events, said, first_at = _looking_ahead(brought.events)
        if not said:
            return
        told = [at for at in (brought.started, first_at) if at is not None]
        guessed = min(told, default=otherwise_at)
        started = brought.started or guessed
        if not there:
            self._begin(chat, key, brought, started)
        log = self._chats.log(chat)
        # A chat that is there and not in the ledger was begun and cut off, or the ledger was lost.
        after = known.after if known and known.after is not None else None if known else 1
        cut_off = _left_in(log, after) if there and after is not None else deque()
        before = self.written.messages, self.written.steps
        self._append(key, chat, log, events, cut_off, guessed)
        grew = there and (self.written.messages, self.written.steps) != before
        self.written.chats_new += not there
        self.written.chats_grown += grew
        if (grew or not there) and not told:
            self.written.undated += 1

    def _begin(self, chat: str, key: str, brought: BroughtChat, started: datetime | None) -> None:
        self._chats.new(
            origin="imported",
            title=brought.title,
            engine=brought.engine,
            chat=chat,
            host=self._host(brought),
            folder=brought.folder,
            brought_from=brought.source,
            at=started,
        )

    def _host(self, brought: BroughtChat) -> str:
        """Where a chat's commands ran: its own word, else here if its folder is one of here.

        What is not known to be here is elsewhere: no fact about this computer is made of it.
        """
        if brought.host:
            return brought.host
        folder = brought.folder
        deep = len((PureWindowsPath if "\\" in folder else PurePosixPath)(folder).parts) > 2
        try:
            is_here = deep and Path(folder).is_absolute() and Path(folder).is_dir()
        except (OSError, ValueError):
            is_here = False
        return self._here if is_here and self._here else ELSEWHERE

    def _append(
        self,
        key: str,
        chat: str,
        log: ChatLog,
        events: Iterator[Event],
        cut_off: deque[Event],
        at: datetime | None,
    ) -> None:
        known = self._ledger.known(key)
        there = known.counted() if known else {}
        begun = known is not None and known.after is not None
        added: list[str] = []
        waiting: list[Event] = []
        grew = False
        for event in events:
            name = event_key(event)
            if event.at is None:
                event = event.model_copy(update={"at": at})
            at = event.at
            ends = isinstance(event, TurnCompleted)
            if ends:
                # A turn's end is new when something of the turn is: an unfinished turn that was
                # brought in once had an end made for it, and has another when it went on.
                if not grew:
                    continue
                grew = False
            elif there.get(name, 0) > 0:
                there[name] -= 1
                continue
            else:
                grew = True
            if not begun and known is not None:
                self._ledger.begin(key, chat, log.last_seq)
                begun = True
            if not ends:
                added.append(name)
            while cut_off and isinstance(cut_off[0], TurnCompleted) and not ends:
                cut_off.popleft()
            if cut_off and (ends or _is_same(cut_off[0], event)):
                if _is_same(cut_off[0], event):
                    cut_off.popleft()
                continue
            waiting.append(event)
            if len(waiting) >= _AT_ONCE:
                self._write(log, waiting)
        self._write(log, waiting)
        if added:
            self._ledger.done(key, chat, added)

    def _write(self, log: ChatLog, waiting: list[Event]) -> None:
        if waiting:
            log.extend(waiting)
            for event in waiting:
                self._count(event)
            waiting.clear()

    def _count(self, event: Event) -> None:
        self.written.messages += isinstance(event, PersonMessage)
        self.written.steps += isinstance(event, ToolStarted)
        self.written.taints += isinstance(event, TaintMarked)


def _left_in(log: ChatLog, after: int) -> deque[Event]:
    """What a bringing that was cut off got into the log."""
    return deque(event for event in log.events(after=after) if isinstance(event, _TOLD))


def _is_same(logged: Event, event: Event) -> bool:
    """Whether a logged event is this one; its texts may have been redacted since."""
    if logged.type != event.type or logged.at != event.at:
        return False
    return getattr(logged, "call", "") == getattr(event, "call", "")


def _looking_ahead(
    events: Iterable[Event],
) -> tuple[Iterator[Event], bool, datetime | None]:
    """The events, whether the person said something in them, and the first time one of them has
    (both as far as can be seen)."""
    rest = iter(events)
    held: deque[Event] = deque()
    said, first_at = False, None
    for event in rest:
        held.append(event)
        said = said or isinstance(event, PersonMessage)
        first_at = first_at or event.at
        if (said and first_at is not None) or len(held) >= _LOOKED_AHEAD:
            break

    def all_of_them() -> Iterator[Event]:
        while held:
            yield held.popleft()
        yield from rest

    return all_of_them(), said or len(held) >= _LOOKED_AHEAD, first_at
