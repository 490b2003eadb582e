"""A stretch: what was said in a chat since the last look, and all that came before it."""

from __future__ import annotations

from dataclasses import dataclass

from conch.chats.events import ChatStarted, Event, Origin
from conch.chats.left_out import edited_outputs, without_edited
from conch.chats.log import ChatLog


@dataclass(frozen=True)
class Stretch:
    """The events past the pointer `after`, and `earlier` ones for what they were said after.

    `edited_outputs`: what the steps of turns that were edited away since had read.
    """

    chat: str
    origin: Origin
    after: int
    events: tuple[Event, ...]
    earlier: tuple[Event, ...] = ()
    edited_outputs: tuple[str, ...] = ()


def read_stretch(log: ChatLog, chat: str, after: int, before: int | None = None) -> Stretch:
    """Read the stretch with `after` < seq < `before` of a chat's log.

    A log whose first line cannot be read belongs to nobody known: its origin is `guest`, so that
    nothing is learned from it. Turns whose words were edited since are not in it.
    """
    whole = log.events()
    events = [event for event in without_edited(whole) if before is None or event.seq < before]
    first = next((event for event in events if isinstance(event, ChatStarted)), None)
    split = next((place for place, event in enumerate(events) if event.seq > after), len(events))
    return Stretch(
        chat=chat,
        origin=first.origin if first is not None else "guest",
        after=after,
        events=tuple(events[split:]),
        earlier=tuple(events[:split]),
        edited_outputs=edited_outputs(whole),
    )
