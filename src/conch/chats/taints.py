"""What a chat took in from outside, in the order it did."""

from __future__ import annotations

from collections.abc import Iterable

from conch.chats.events import Event, PersonMessage, TaintMarked, UnknownEvent
from conch.chats.lines import DAMAGED
from conch.guard.taints import Taint


def taints_in(events: Iterable[Event]) -> tuple[tuple[int, Taint], ...]:
    """`(seq, taint)` of everything from outside, in order; a message by somebody else is one too.

    A taint of a kind this version does not know, and a line that cannot be read, count as taints:
    what may have been read from outside is taken as read.
    """
    found: list[tuple[int, Taint]] = []
    for event in events:
        if isinstance(event, TaintMarked):
            found.append((event.seq, Taint(event.kind, event.label)))
        elif isinstance(event, PersonMessage) and event.who:
            found.append((event.seq, Taint("person", event.who)))
        elif isinstance(event, UnknownEvent) and event.type == "taint":
            found.append((event.seq, Taint("app", "something unknown")))
        elif isinstance(event, UnknownEvent) and event.type in (DAMAGED, "person_message"):
            found.append((event.seq, Taint("app", "a damaged part of this chat")))
    return tuple(found)
