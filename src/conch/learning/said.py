"""What the person said in a stretch: each message with its own prose and its signals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conch.chats.events import PersonMessage
from conch.learning.changes import Said, Signal, SignalKind
from conch.words.prose import own_prose

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch

NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of words that were brought in without one."""


def said_of(stretch: Stretch, signals: Sequence[Signal]) -> tuple[Said, ...]:
    """The owner's messages of a stretch, oldest first; what others wrote in it is not theirs.

    `signals` are those of the stretch; each goes to the message it was read from. An event
    without a time (brought in without one) counts as of 1970.
    """
    of_message: dict[int, list[SignalKind]] = {}
    for signal in signals:
        of_message.setdefault(signal.seq, []).append(signal.kind)
    return tuple(
        Said(
            seq=event.seq,
            at=event.at or NO_TIME,
            text=event.text,
            prose=own_prose(event.text).text,
            signals=tuple(dict.fromkeys(of_message.get(event.seq, ()))),
        )
        for event in stretch.events
        if isinstance(event, PersonMessage) and not event.who
    )
