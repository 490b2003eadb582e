"""One message of the person's with what came just before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from conch.chats.events import AssistantMessage, Event, Outcome, PersonMessage, TurnCompleted
from conch.words.cue_reading import CueReading, read_answer, read_cues
from conch.words.cues import cue_words, is_boundary
from conch.words.prose import own_prose
from conch.words.stems import stem
from conch.words.tokens import content_tokens, tokens

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch

_REPLY_START, _REPLY_END = 350, 100
_OUTCOME_START, _OUTCOME_END = 160, 100
LONGEST_READ = 1500
"""Characters of own prose that are read for cues as one: the start of a message carries most of its
signals. What comes after is read sentence by sentence (`Exchange.later_sentences`)."""
_FIRST_WORDS = 300
_LATER_AT_MOST = 40_000
_SENTENCE = re.compile(r"[^.!?…。！？؟।\n]+[.!?…。！？؟।]*")
_SENTENCE_AT_MOST = 300


class OwnWords:
    """A message's own prose and the words in it that say something, each found once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def prose(self) -> str:
        return own_prose(self.text).text

    @cached_property
    def content(self) -> frozenset[str]:
        return _content(self.prose[:LONGEST_READ])

    @cached_property
    def first_words(self) -> Sequence[str]:
        """The words its prose begins with, in order."""
        return tokens(self.prose[:_FIRST_WORDS])

    @cached_property
    def said(self) -> Sequence[str]:
        """All its words without marks, as the same message sent again would have them."""
        return [word for word in cue_words(self.text) if not is_boundary(word)]


class _Sentence(OwnWords):
    """A sentence of own prose: told apart already."""

    @cached_property
    def prose(self) -> str:
        return self.text


@dataclass(frozen=True)
class Exchange:
    """A message in its place.

    `own`: the message. `own_before`: the person's message before it, None when there is none.
    `reply`: what the assistant answered in between, None when nothing came. `ended`: how that turn
    ended, when the log says so.
    """

    own: OwnWords
    own_before: OwnWords | None = None
    reply: str | None = None
    ended: Outcome | None = None

    @property
    def text(self) -> str:
        """The whole message."""
        return self.own.text

    @property
    def before(self) -> str | None:
        """The whole message before it."""
        return self.own_before.text if self.own_before else None

    @property
    def prose(self) -> str:
        """The person's own words in the message."""
        return self.own.prose

    @property
    def before_prose(self) -> str:
        return self.own_before.prose if self.own_before else ""

    @property
    def answered(self) -> bool:
        """Whether something came back that the message can be about."""
        return self.own_before is not None and self.reply is not None

    @cached_property
    def reading(self) -> CueReading:
        """The cues in the person's own words (a very long message by its start)."""
        return read_cues(self.prose[:LONGEST_READ])

    def later_sentences(self) -> Iterator[Exchange]:
        """Each sentence past the start of a very long message, in the message's place."""
        later = self.prose[LONGEST_READ:_LATER_AT_MOST]
        if not later:
            return
        # The start may end within a sentence: that one is read again, whole.
        cut = self.prose[:LONGEST_READ]
        begun = max(cut.rfind(mark) for mark in ".!?…。！？؟।\n") + 1
        for found in _SENTENCE.finditer(cut[begun:] + later):
            words = found.group().strip()
            if words:
                yield replace(self, own=_Sentence(words[:_SENTENCE_AT_MOST]))

    @cached_property
    def reply_start(self) -> str:
        """As much of the answer as can matter: its start and its end."""
        return _ends(self.reply or "", _REPLY_START, _REPLY_END)

    @cached_property
    def reply_reading(self) -> CueReading:
        """What the answer says came of it."""
        return read_answer(_ends(self.reply or "", _OUTCOME_START, _OUTCOME_END))

    @property
    def content(self) -> frozenset[str]:
        return self.own.content

    @property
    def content_before(self) -> frozenset[str]:
        return self.own_before.content if self.own_before else frozenset()

    @cached_property
    def content_reply(self) -> frozenset[str]:
        return _content(self.reply_start)


def _ends(text: str, start: int, end: int) -> str:
    return text if len(text) <= start + end else f"{text[:start]}\n{text[-end:]}"


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
        self.before: OwnWords | None = None
        self.replies: list[str] = []
        self.ended: Outcome | None = None
        self._made: OwnWords | None = None

    def take(self, event: Event) -> None:
        if isinstance(event, PersonMessage):
            if not event.who:
                made = self._made
                own = made if made and made.text == event.text else OwnWords(event.text)
                self.before, self.replies, self.ended = own, [], None
        elif isinstance(event, AssistantMessage):
            self.replies.append(event.text)
        elif isinstance(event, TurnCompleted):
            self.ended = event.outcome

    def exchange(self, text: str) -> Exchange:
        came = bool(self.replies) or self.ended is not None
        self._made = OwnWords(text)
        return Exchange(
            self._made, self.before, "\n".join(self.replies) if came else None, self.ended
        )


def _last_turn(events: Sequence[Event]) -> Sequence[Event]:
    """The events from the owner's last message on."""
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, PersonMessage) and not event.who:
            return events[at:]
    return ()
