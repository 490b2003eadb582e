"""What code makes of a stretch before anybody is asked: its words, their signals, and whether a
model is to be asked at all (spec 0088 §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conch.chats.events import ChatStarted, Event, PersonMessage
from conch.chats.stretch import Stretch
from conch.chats.turns import Step, turns
from conch.learning.changes import Said, Signal, SignalKind
from conch.learning.durable import durable
from conch.learning.reading import Reading
from conch.learning.signals import read_signals
from conch.words.meaning import Meaning

_WORTH_ASKING: frozenset[SignalKind] = frozenset(
    ("correction", "rephrasing", "retry", "stop", "undo_of_files", "frustration")
)


@dataclass(frozen=True)
class Understood:
    """A stretch as code reads it.

    `learnable` is the stretch without what may never be read; `said` its words with their signals;
    `worth_asking` whether there is a signal or something durable in them.
    """

    reading: Reading
    stretch: Stretch
    learnable: Stretch
    said: tuple[Said, ...]
    worth_asking: bool


def understand(
    reading: Reading, stretch: Stretch, never_read: int, meaning: Meaning | None
) -> Understood:
    """What a stretch says to code; nothing up to event `never_read` counts."""
    learnable = without_what_is_never_read(stretch, never_read)
    signals = read_signals(learnable, meaning)
    said = with_signals(reading.said, signals, stretch.events)
    worth_asking = any(signal.kind in _WORTH_ASKING for signal in signals) or any(
        durable(message.prose) for message in said
    )
    return Understood(reading, stretch, learnable, said, worth_asking)


def without_what_is_never_read(stretch: Stretch, never_read: int) -> Stretch:
    """The stretch, its earlier part without the events up to `never_read`.

    Words of a time when nothing was to be learned don't even count for what came after them.
    """
    earlier = tuple(
        event
        for event in stretch.earlier
        if event.seq > never_read or isinstance(event, ChatStarted)
    )
    return replace(stretch, earlier=earlier)


def with_signals(
    said: Sequence[Said], signals: Sequence[Signal], events: Sequence[Event]
) -> tuple[Said, ...]:
    """What was said, each message with the signals it gave and those of its turn.

    A Stop, an Undo or a step is no message: it belongs to the last one before it.
    """
    messages = [event.seq for event in events if isinstance(event, PersonMessage) and not event.who]
    kinds: dict[int, list[SignalKind]] = {}
    for signal in signals:
        of = max((seq for seq in messages if seq <= signal.seq), default=0)
        kinds.setdefault(of, []).append(signal.kind)
    return tuple(replace(one, signals=tuple(dict.fromkeys(kinds.get(one.seq, ())))) for one in said)


def steps_by_message(events: Sequence[Event]) -> list[tuple[int, Step]]:
    """Each step with the seq of the person's message it came after, in order."""
    return [(turn.person.seq, step) for turn in turns(events) for step in turn.steps]
