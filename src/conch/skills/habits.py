"""Habits: the same request in three chats within 45 days, by meaning, whatever the language.

Pure: requests in, habits out. What a request is about is compared without its names and numbers:
the sales of week 40 and of week 41 are one request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from conch.chats.events import (
    AssistantMessage,
    ChatStarted,
    Event,
    PersonMessage,
    TaintMarked,
)
from conch.chats.heads import quiet_after
from conch.learning.signals import labels_of
from conch.skills.alike import like_one_of, what_of
from conch.words.language import likely_language
from conch.words.likeness import closeness
from conch.words.meaning import Meaning
from conch.words.names import names
from conch.words.opposites import opposed
from conch.words.prose import own_prose
from conch.words.tokens import content_tokens, tokens

_ANSWERS = frozenset(("correction", "rephrasing", "retry", "frustration", "thanks"))
_SAID_BEFORE = 4
WITHIN = timedelta(days=45)
CHATS = 3
MOST_READ = 1_500
LONGEST = 600
_FEWEST_WORDS = 3
_SAME = 0.5
"""Mean likeness to those of a habit that makes a request one more of it."""
_NOT_BELOW = 0.6 * _SAME
"""Likeness to any one of them below which it is something else."""
_SAME_WORDS = 0.45
_SHARED = 0.2


@dataclass(frozen=True)
class Request:
    """What the person asked for in one message. `seq` is that message's, in `chat`."""

    chat: str
    seq: int
    at: datetime
    text: str


@dataclass(frozen=True)
class Habit:
    """One request made in several chats: one of each chat, the newest first."""

    requests: tuple[Request, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.requests)


def request_of(message: str) -> str:
    """What a message asks for, in the person's own words; "" for none worth comparing.

    >>> request_of("/report please"), request_of("thanks!")
    ('', '')
    """
    if message.lstrip().startswith("/"):
        return ""
    said = " ".join(own_prose(message[: 8 * LONGEST]).text.split())
    if len(said) > LONGEST or len(tokens(said)) < _FEWEST_WORDS or not content_tokens(said):
        return ""
    return said


def requests_in(chat: str, events: Sequence[Event]) -> list[Request]:
    """What the person asked for in one chat of their own; [] for one that is not learned from.

    A chat with somebody else's words, a routine's, a chat brought in and one they marked are none.
    """
    started = events[0] if events and isinstance(events[0], ChatStarted) else None
    if started is None or started.origin not in ("own", "channel"):
        return []
    if any(isinstance(one, TaintMarked) and one.kind == "person" for one in events):
        return []
    found: list[Request] = []
    quiet = False
    said: list[tuple[str, str]] = []
    for event in events:
        quiet = quiet_after(event, quiet)
        if isinstance(event, AssistantMessage):
            said.append(("assistant", event.text[:LONGEST]))
        elif isinstance(event, PersonMessage) and event.at and event.learn and not quiet:
            if event.who:
                return []
            said.append(("user", event.text))
            text = request_of(event.text)
            # Thanks, a correction or the same again asks for nothing new.
            if text and not _ANSWERS.intersection(labels_of(said[-_SAID_BEFORE:])):
                found.append(Request(chat, event.seq, event.at, text))
    return [] if quiet else found


def find_habits(
    requests: Sequence[Request],
    now: datetime,
    *,
    known: Sequence[str] = (),
    meaning: Meaning | None = None,
) -> list[Habit]:
    """The habits among `requests`, the newest first. Those like one of `known` (the skills there
    are, what was turned down or waits) are none."""
    left = sorted(
        (one for one in requests if now - one.at <= WITHIN), key=lambda one: one.at, reverse=True
    )[:MOST_READ]
    found: list[Habit] = []
    near = _Near([one.text for one in left], meaning)
    free = list(range(len(left)))
    while free:
        members = [free.pop(0)]
        for place in list(free):
            if left[place].chat in {left[one].chat for one in members}:
                continue
            likeness = [near(place, one) for one in members]
            if min(likeness) >= _NOT_BELOW and sum(likeness) / len(likeness) >= _SAME:
                members.append(place)
        if len(members) < CHATS:
            continue
        free = [place for place in free if place not in members]
        habit = Habit(tuple(left[one] for one in members))
        if like_one_of(habit.texts, known, meaning) is None:
            found.append(habit)
    return found


class _Near:
    """How alike two of the texts are as requests, 0 to 1."""

    def __init__(self, texts: Sequence[str], meaning: Meaning | None) -> None:
        self._texts = texts
        self._meaning = meaning
        self._language = [likely_language(text) for text in texts]
        self._bare = [
            _bare(text, language) for text, language in zip(texts, self._language, strict=True)
        ]
        self._what = [what_of(text) for text in texts]
        self._known: dict[tuple[int, int], float] = {}

    def __call__(self, one: int, other: int) -> float:
        key = (min(one, other), max(one, other))
        if key not in self._known:
            self._known[key] = self._likeness(*key)
        return self._known[key]

    def _likeness(self, one: int, other: int) -> float:
        a, b = self._texts[one], self._texts[other]
        ours, theirs = self._what[one], self._what[other]
        shared = len(ours & theirs) / max(len(ours | theirs), 1)
        one_language = self._language[one] == self._language[other]
        # Without a word in common two requests in one language are about something else, mostly.
        if one_language and shared < _SHARED and closeness(a, b) < _SAME_WORDS:
            return 0.0
        if ours == theirs and len(ours) >= 2:
            near = 1.0
        elif self._meaning is None:
            near = shared if shared > _SAME_WORDS else 0.0
        else:
            near = self._meaning.likeness(self._bare[one], self._bare[other])
            near = near if one_language else max(near, self._meaning.likeness(a, b))
        return 0.0 if near >= _NOT_BELOW and opposed(a, b) else near


def _bare(text: str, language: str | None) -> str:
    """A request as it would stand for anybody: no names, no numbers."""
    # German writes every noun as others write names.
    named = names(text) if language != "de" else ()
    for name in sorted(named, key=len, reverse=True):
        text = text.replace(name, " ")
    return " ".join(_NUMBER.sub(" ", text).split())


_NUMBER = re.compile(r"\d[\d.,:/]*")
