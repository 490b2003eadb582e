"""The head of a chat: what a list, a sweep and a restart need of it, folded from its log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from conch.chats.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Archived,
    AssistantMessage,
    ChatStarted,
    Event,
    FilesChanged,
    FilesRestored,
    Origin,
    PersonMessage,
    QuietMark,
    Renamed,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
    UnknownEvent,
)
from conch.chats.lines import DAMAGED

UPDATED_WITHIN = timedelta(days=7)
"""A sweep looks at chats updated in the last week (spec 0088 §1)."""
IDLE_FOR = timedelta(minutes=10)
"""… whose last turn ended at least ten minutes ago."""

NEVER_LOOKED_AT: frozenset[Origin] = frozenset({"guest", "routine", "task", "page"})
"""Chats that are not the person's own to learn from (spec 0088 §1)."""

TYPED_HERE = ("terminal", "web")
"""The doors of words typed into Conch itself; what a chat brought in has from elsewhere came by
others."""

_LIFE = (
    ChatStarted,
    PersonMessage,
    AssistantMessage,
    ToolStarted,
    ToolFinished,
    ApprovalAsked,
    ApprovalAnswered,
    TurnCompleted,
    FilesChanged,
    FilesRestored,
)
"""What counts as an update. A new name, a mark or the line a look leaves does not: a chat is no
fresher for having been looked at."""


@dataclass(frozen=True)
class ChatHead:
    """What is known of a chat without reading it. Times are UTC.

    `updated`: the last thing said or done in it. `last_turn_ended`: None before the first turn
    ended. `running`: a turn has begun and not ended. `waiting`: an approval was asked and not
    answered. `last_person_seq`: the last message of the owner's own, 0 for none; `last_typed_seq`:
    the last of them said to Conch itself, `last_brought_seq`: the last brought in. `archived_at`:
    when it was archived, None when it is not.
    """

    id: str
    title: str = ""
    origin: Origin = "own"
    started: datetime | None = None
    updated: datetime | None = None
    last_seq: int = 0
    last_turn_ended: datetime | None = None
    running: bool = False
    waiting: bool = False
    quiet: bool = False
    archived: bool = False
    engine: str = ""
    brought_from: str = ""
    last_person_seq: int = 0
    last_typed_seq: int = 0
    last_brought_seq: int = 0
    archived_at: datetime | None = None
    open_approvals: tuple[str, ...] = field(default=(), repr=False)


heads_as_json: TypeAdapter[ChatHead] = TypeAdapter(ChatHead)

_TITLE_LENGTH = 60
_TITLE_FROM = 400
"""Characters of the first message its title is taken from."""
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1.*?$|\Z)", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+|`+|\*\*", re.MULTILINE)


def fold(head: ChatHead, events: Iterable[Event]) -> ChatHead:
    """The head after more events; a pure function of both."""
    values = dict(vars(head))
    for event in events:
        _take(values, event)
    values["waiting"] = bool(values["open_approvals"])
    return ChatHead(**values)


def _take(values: dict[str, object], event: Event) -> None:
    values["last_seq"] = event.seq
    if isinstance(event, _LIFE) and event.at is not None:
        values["updated"] = event.at
    match event:
        case ChatStarted():
            values |= {
                "title": event.title,
                "origin": event.origin,
                "engine": event.engine,
                "brought_from": event.brought_from,
                "started": event.at,
            }
        case PersonMessage():
            values |= {"running": True, "open_approvals": ()}
            if not event.who:
                values["last_person_seq"] = event.seq
                if is_own_here(event, str(values["origin"])):
                    values["last_typed_seq"] = event.seq
                else:
                    values["last_brought_seq"] = event.seq
            if not values["title"]:
                values["title"] = _title(event.text)
        case ToolStarted():
            values["running"] = True
        case ApprovalAsked():
            values["open_approvals"] = (*_open(values), event.approval)
        case ApprovalAnswered():
            left = tuple(one for one in _open(values) if one != event.approval)
            values["open_approvals"] = left
        case TurnCompleted():
            values |= {"running": False, "last_turn_ended": event.at}
            values["engine"] = event.engine or values["engine"]
            if event.outcome != "success":
                # A turn that was stopped or failed asks for nothing any more.
                values["open_approvals"] = ()
        case QuietMark() | UnknownEvent():
            values["quiet"] = quiet_after(event, bool(values["quiet"]))
        case Archived():
            values |= {"archived": event.on, "archived_at": event.at if event.on else None}
        case Renamed():
            values["title"] = event.title
        case _:
            pass


def quiet_after(event: Event, quiet: bool) -> bool:
    """Whether a chat is marked Don't learn after an event, when it was `quiet` before.

    A mark that can't be read, or what may have been one, counts as set.
    """
    if isinstance(event, QuietMark):
        return event.on
    return quiet or _may_be_a_mark(event)


def is_quiet_mark(event: Event) -> bool:
    """Whether an event is a mark, set or taken away, or may have been one."""
    return isinstance(event, QuietMark) or _may_be_a_mark(event)


def _may_be_a_mark(event: Event) -> bool:
    return isinstance(event, UnknownEvent) and event.type in (DAMAGED, "quiet_mark")


def is_own_here(message: PersonMessage, origin: str) -> bool:
    """Whether a message was said to Conch itself, not brought in from elsewhere."""
    return origin != "imported" or message.door in TYPED_HERE


def _open(values: dict[str, object]) -> tuple[str, ...]:
    opened = values["open_approvals"]
    return tuple(str(one) for one in opened) if isinstance(opened, tuple) else ()


def _title(text: str) -> str:
    """A chat without a title is called by its first words, without the marks of Markdown.

    >>> _title("## Read `area`\\n\\n```python\\ndef area(w, h):\\n```\\nthen test it")
    'Read area then test it'
    >>> _title("```\\nmake test\\n```")
    'make test'
    """
    start = text[:_TITLE_FROM]
    prose = _MARKS.sub("", _FENCED.sub("\n", start)).split()
    line = " ".join(prose or _MARKS.sub("", _FENCE.sub("\n", start)).split() or start.split())
    if len(line) <= _TITLE_LENGTH:
        return line
    cut = line.rfind(" ", _TITLE_LENGTH // 2, _TITLE_LENGTH)
    return line[: cut if cut > 0 else _TITLE_LENGTH].rstrip() + "…"


def is_due(head: ChatHead, now: datetime, read_to: int) -> bool:
    """Whether a sweep looks at this chat now (spec 0088 §1).

    `read_to` is the seq where the last look stopped, 0 when there was none.

    An archived chat is looked at at once, without the ten minutes. What was brought in is never
    looked at by itself, since that could cost money nobody agreed to; what the person typed into
    such a chat since is.
    """
    if head.origin in NEVER_LOOKED_AT or head.quiet:
        return False
    if head.running or head.waiting or head.last_typed_seq <= read_to:
        return False
    touched = [when for when in (head.updated, head.archived_at) if when is not None]
    if not touched or now - max(touched) > UPDATED_WITHIN:
        return False
    if head.archived:
        return True
    return head.last_turn_ended is not None and now - head.last_turn_ended >= IDLE_FOR


def due(heads: Iterable[ChatHead], now: datetime, pointers: Mapping[str, int]) -> list[str]:
    """The ids of the chats to look at now: archived ones first, then those that went quiet first,
    so that what was said earlier is learned earlier."""
    found = [head for head in heads if is_due(head, now, pointers.get(head.id, 0))]
    return [head.id for head in sorted(found, key=_archived_then_oldest)]


def _archived_then_oldest(head: ChatHead) -> tuple[bool, float, str]:
    quiet = head.last_turn_ended or head.updated
    return not head.archived, quiet.timestamp() if quiet else 0.0, head.id
