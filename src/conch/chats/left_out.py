"""What a later message stands in for: edited words, replies tried again (docs/adr/0005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conch.chats.events import (
    ApprovalAnswered,
    ApprovalAsked,
    AssistantMessage,
    Event,
    FilesChanged,
    FilesRestored,
    LearningDecided,
    LeftOut,
    MemoryDecided,
    MemorySaved,
    PersonMessage,
    SkillUsed,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)


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
    """The events without the turns whose words the person changed since.

    Their steps, replies, ends and presses go with the words: they belong to no other message. What
    marks the chat stays: what it read from outside, somebody else's words, that it is quiet.
    """
    spans = left_out(events)
    if not spans.edited:
        return list(events)
    return [event for event in events if not (_of_a_turn(event) and spans.was_edited(event.seq))]


def edited_outputs(events: Sequence[Event]) -> tuple[str, ...]:
    """What the steps of edited turns gave: the chat read it all the same."""
    spans = left_out(events)
    return tuple(
        event.output
        for event in events
        if isinstance(event, ToolFinished) and event.output and spans.was_edited(event.seq)
    )


def _of_a_turn(event: Event) -> bool:
    return isinstance(event, _TURN) or (isinstance(event, PersonMessage) and not event.who)


_TURN = (
    AssistantMessage,
    ToolStarted,
    ToolFinished,
    ApprovalAsked,
    ApprovalAnswered,
    TurnCompleted,
    FilesChanged,
    FilesRestored,
    MemorySaved,
    MemoryDecided,
    LearningDecided,
    SkillUsed,
)
