"""One message of the person's with what came just before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conch.chats.events import AssistantMessage, Event, Outcome, PersonMessage, TurnCompleted
from conch.words.cue_reading import CueReading, read_cues
from conch.words.prose import own_prose
from conch.words.stems import stem
from conch.words.tokens import content_tokens

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch

_REPLY_START, _REPLY_END = 700, 300
LONGEST_READ = 1500
"""Characters of own prose that are read for cues: the start of a message carries its signals."""


@dataclass(frozen=True)
class Exchange:
    """A message in its place.

    `text`: the whole message. `before`: the person's message before it, None when there is none.
    `reply`: what the assistant answered in between, None when nothing came. `ended`: how that turn
    ended, when the log says so.
    """

    text: str
    before: str | None = None
    reply: str | None = None
    ended: Outcome | None = None

    @cached_property
    def prose(self) -> str:
        """The person's own words in the message."""
        return own_prose(self.text).text

    @cached_property
    def before_prose(self) -> str:
        return own_prose(self.before).text if self.before else ""

    @cached_property
    def answered(self) -> bool:
        """Whether something came back that the message can be about."""
        return self.before is not None and self.reply is not None

    @cached_property
    def reading(self) -> CueReading:
        """The cues in the person's own words (a very long message by its start)."""
        return read_cues(self.prose[:LONGEST_READ])

    @cached_property
    def reply_start(self) -> str:
        """As much of the answer as can matter: its start and its end."""
        reply = self.reply or ""
        if len(reply) <= _REPLY_START + _REPLY_END:
            return reply
        return f"{reply[:_REPLY_START]}\n{reply[-_REPLY_END:]}"

    @cached_property
    def reply_reading(self) -> CueReading:
        return read_cues(self.reply_start)

    @cached_property
    def content(self) -> frozenset[str]:
        return _content(self.prose[:LONGEST_READ])

    @cached_property
    def content_before(self) -> frozenset[str]:
        return _content(self.before_prose[:LONGEST_READ])

    @cached_property
    def content_reply(self) -> frozenset[str]:
        return _content(self.reply_start)


def _content(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(stem(word) for word in content_tokens(text))


def exchanges(stretch: Stretch) -> Iterator[tuple[int, Exchange]]:
    """Each message of the owner's in a stretch, with its seq and what came before it.

    Linear in the stretch; of what is earlier only the last turn is read.
    """
    last = _Last()
    for event in _last_turn(stretch.earlier):
        last.take(event)
    for event in stretch.events:
        if isinstance(event, PersonMessage) and not event.who:
            yield event.seq, last.exchange(event.text)
        last.take(event)


def exchange_of(turns: Sequence[tuple[str, str]]) -> Exchange | None:
    """The last message of `turns` ((role, text), role "user" or "assistant") in its place."""
    last, found = _Last(), None
    for role, text in turns:
        event = PersonMessage(text=text) if role == "user" else AssistantMessage(text=text)
        if isinstance(event, PersonMessage):
            found = last.exchange(text)
        last.take(event)
    return found


class _Last:
    """The last turn, as far as it has been read."""

    def __init__(self) -> None:
        self.before: str | None = None
        self.replies: list[str] = []
        self.ended: Outcome | None = None

    def take(self, event: Event) -> None:
        if isinstance(event, PersonMessage):
            if not event.who:
                self.before, self.replies, self.ended = event.text, [], None
        elif isinstance(event, AssistantMessage):
            self.replies.append(event.text)
        elif isinstance(event, TurnCompleted):
            self.ended = event.outcome

    def exchange(self, text: str) -> Exchange:
        came = bool(self.replies) or self.ended is not None
        return Exchange(text, self.before, "\n".join(self.replies) if came else None, self.ended)


def _last_turn(events: Sequence[Event]) -> Sequence[Event]:
    """The events from the owner's last message on."""
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, PersonMessage) and not event.who:
            return events[at:]
    return ()
