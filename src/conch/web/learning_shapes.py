"""What the learning routes take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from conch.learning.changes import SignalKind
from conch.learning.record import RecordState, Trigger
from conch.learning.resting import Rest
from conch.memory.memory import MemoryAbout, MemoryKind
from conch.web.chat_shapes import Otherwise, Strict

Filter = Literal["all", "applied", "waits", "undone"]


class Learned(BaseModel):
    """One thing that was learned, as it stands now.

    `before_text`: the words it replaced (or would replace), for the diff. `words_now`: the
    memory's words as they are, empty when it is gone. `words_hash` goes back with an answer.
    `chat_there`: false when the chat was deleted. `otherwise`: what became of its memory, if it is
    not simply there.
    """

    record: str
    at: datetime
    chat: str
    chat_title: str
    chat_there: bool
    trigger: Trigger
    memory: str
    kind: MemoryKind
    about: MemoryAbout | None
    text: str
    change: Literal["added", "superseded"]
    before_text: str
    state: RecordState
    waits: list[str]
    words_now: str
    words_hash: str
    otherwise: Otherwise


class DroppedCount(BaseModel):
    """How many changes were dropped for one reason (a row of the gate)."""

    reason: str
    count: int


class Week(BaseModel):
    """ "This week Conch learned 6 things." Counts of the last seven days."""

    learned: int
    waiting: int
    undone: int
    dropped: int
    seen_again: int


class NeverItem(BaseModel):
    """Something the person took back: it isn't learned again."""

    id: str
    text: str
    at: datetime
    came_from: Literal["undo", "forgot", "dismissed"]


class Paused(BaseModel):
    """Why learning rests, in plain words."""

    reason: Rest
    in_plain_words: str


class Counts(BaseModel):
    applied: int
    waits: int
    undone: int


class LearningPage(BaseModel):
    """Recent learnings, newest first, and what the Memory page says around them."""

    on: bool
    items: list[Learned]
    total: int
    next_offset: int | None
    counts: Counts
    dropped: list[DroppedCount]
    week: Week
    never: list[NeverItem]
    paused: Paused | None


class FoundIn(BaseModel):
    """The message the words come from; `start` and `end` mark them in `text` (characters)."""

    chat: str
    seq: int
    at: datetime | None
    text: str
    start: int
    end: int


class SeenStep(BaseModel):
    """A step in one line ("Run `pip install requests`"), and whether it went well."""

    summary: str
    ok: bool


class Why(BaseModel):
    """Everything Why? shows. A fact about this computer rests on `steps`, in place of words.
    `model` is null when code alone learned it ("no model"); `said_at`
    is when the quoted words were said, null where nobody knows."""

    learned: Learned
    because: str
    quotes: list[str]
    steps: list[SeenStep]
    said_at: datetime | None
    signals: list[SignalKind]
    found_in: list[FoundIn]
    engine: str
    model: str | None
    by_assistant: bool
    waits: list[str]
    seen: int


class Answering(Strict):
    """The person's press. `words_hash` is that of the words they saw."""

    record: Annotated[str, Field(min_length=1, max_length=100)]
    answer: Literal["undo", "keep", "forget"]
    words_hash: Annotated[str, Field(max_length=64)]


class Answered(BaseModel):
    """What an answer did; `note` says what else the person should know."""

    learned: Learned
    note: str


class NeverPage(BaseModel):
    items: list[NeverItem]


class LookedAt(BaseModel):
    """What came of one look, in plain words."""

    chat: str
    title: str
    outcome: str
    in_plain_words: str
    learned: int
    cost_usd: float | None


class LooksAsked(Strict):
    chat: Annotated[str, Field(max_length=100)] = ""


class Looks(BaseModel):
    looks: list[LookedAt]
