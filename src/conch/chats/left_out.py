"""What a later message stands in for: edited words, replies tried again (docs/adr/0005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conch.chats.events import Event, LeftOut, PersonMessage


@dataclass(frozen=True)
class LeftOutSpans:
    """The spans of a log that are left out; `edited` those whose words were changed."""

    spans: tuple[tuple[int, int], ...] = ()
    edited: tuple[tuple[int, int], ...] = ()

    def __contains__(self, seq: int) -> bool:
        return any(start <= seq < end for start, end in self.spans)

    def was_edited(self, seq: int) -> bool:
        return any(start <= seq < end for start, end in self.edited)


def left_out(events: Sequence[Event]) -> LeftOutSpans:
    """The spans that are left out, in the order they were."""
    marks = [event for event in events if isinstance(event, LeftOut)]
    return LeftOutSpans(
        tuple((mark.from_seq, mark.seq) for mark in marks),
        tuple((mark.from_seq, mark.seq) for mark in marks if mark.why == "edited"),
    )


def without_edited(events: Sequence[Event]) -> list[Event]:
    """The events without the person's messages that they changed since; all else stays.

    What a step read from outside stays too: the chat took it in all the same.
    """
    spans = left_out(events)
    if not spans.edited:
        return list(events)
    return [
        event
        for event in events
        if not (isinstance(event, PersonMessage) and spans.was_edited(event.seq))
    ]
