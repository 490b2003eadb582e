"""The record: everything that was learned, dropped, taken back, and how far each chat was read.

It is an append-only journal, `learning/record.jsonl`, and the truth about learning;
`learning/state.py` folds it. Each of its entries is written before the files it speaks of are
touched and is carried through again after a crash (docs/adr/0003-exactly-once.md):

- `decided`: a look (or the assistant's `remember`) decided changes: records, the files to write.
- `answered`: the person's answer about one record, with what it takes to carry it out.
- `forgot`: the person forgets a memory that has no record, or a copy of what used to be true.
- `added`: words of the person's own take the place of what was learned, or of what they took back.
- `done`: an entry of the four kinds above has reached the files, or was given up.
- `said`: what some looks learned was said in the chat's line.
- `moved`: a chat was read up to here, and nothing came of it.
- `tried`: a look had to give up for now; the chat is tried again in an hour.
- `asking`: a model is about to be asked; cut off there, the chat is tried again in an hour.
- `switched_on`: learning was turned on again; nothing said before is read.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from conch.learning.changes import SignalKind
from conch.memory.memory import MemoryAbout, MemoryKind

Trigger = Literal["idle", "archived", "summarised", "asked", "tool"]
"""Why a look happened: the chat went quiet, was archived, its start was summarised, the person
asked for it; or (`tool`) the assistant's `remember` saved it."""

RecordState = Literal["applied", "waiting", "kept", "undone", "forgotten"]
Answer = Literal["undone", "kept", "forgotten"]
Part = Literal["all", "brought", "typed"]
"""What of a chat was read: all of it; of one brought in, what was brought, or typed here since."""
STANDING: frozenset[RecordState] = frozenset(("applied", "waiting", "kept"))
"""The states of a record whose memory is there."""


class Pointer(NamedTuple):
    """How far a chat was read: every event up to `seq`, and `offset` characters of the own prose
    of the message after it."""

    seq: int = 0
    offset: int = 0


class JournalEntry(BaseModel):
    """What an entry of the journal holds; fields a later version writes are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RecordStep(JournalEntry):
    """A step something rests on: the one line code makes of it, and whether it went well."""

    summary: str
    ok: bool


class Record(JournalEntry):
    """One thing that was learned: the memory it became, and everything Why? shows about it.

    `id` is the memory's `learned`. `before…` is the memory it replaces, when it does.
    `steps` are what a fact about this computer rests on, in place of quotes.
    `said_at` is when the quoted words were said, None where nobody knows; `at` is the look's time.
    `waits` are the reasons it waits for the person, in the gate's words.
    """

    id: str
    at: datetime
    chat: str
    chat_title: str = ""
    trigger: Trigger
    memory: str
    kind: MemoryKind
    about: MemoryAbout | None = None
    text: str
    change: Literal["added", "superseded"] = "added"
    before: str = ""
    before_text: str = ""
    before_hash: str = ""
    invalid_at: datetime | None = None
    why: str = ""
    quotes: tuple[str, ...] = ()
    steps: tuple[RecordStep, ...] = ()
    said_at: datetime | None = None
    signals: tuple[SignalKind, ...] = ()
    engine: str = ""
    model: str = ""
    waits: tuple[str, ...] = ()
    state: RecordState = "applied"
    seen: int = 1
    gone: bool = False
    """It counts as forgotten because its file was gone: nobody pressed anything."""


class Dropped(JournalEntry):
    """A change that was not made, and the row of the gate that says why.

    `text` is empty when its words must not be kept (a secret, health, money); `secret` says what
    kind of secret they hold ("a password"), never the words.
    """

    row: str
    reason: str
    text: str = ""
    secret: str = ""


class Decided(JournalEntry):
    """What one look decided, with the bytes (as text) of each memory file it is to write.

    `said_when` is when the words of each memory it wrote or saw again were said, where that is
    known.
    """

    look: str
    chat: str
    trigger: Trigger
    reached: Pointer | None = None
    part: Part = "all"
    records: tuple[Record, ...] = ()
    files: dict[str, str] = {}
    dropped: tuple[Dropped, ...] = ()
    seen_again: tuple[str, ...] = ()
    said_when: dict[str, datetime] = {}
    say: bool = False
    engine: str = ""
    model: str = ""
    cost_usd: float | None = None


class Answered(JournalEntry):
    """The person's answer about one record. `file` holds the memory's file as it was, as text."""

    id: str
    record: str
    answer: Answer
    chat: str = ""
    memory: str
    text: str
    file: str = ""
    kept_file: str = ""
    restores: str = ""
    retires: str = ""
    retires_hash: str = ""
    never: bool = False


class Forgot(JournalEntry):
    """The person forgets `memory`: live, or (`earlier`) the copy of what used to be true.

    `copy_hash`: of several copies, the one of these bytes; "" for all of them. `text` goes on the
    never-list; it is empty for words that don't.
    """

    id: str
    memory: str
    earlier: bool = False
    copy_hash: str = ""
    text: str = ""


class Added(JournalEntry):
    """Words of the person's own: what they cannot be true beside is retired, and they leave the
    never-list.

    `file` holds the memory's file as text, "" when a memory says so already. `retires` names the
    memories that go, each with the hash of its words. `at` is when they said it: what they take
    back later counts for more. `restores`: the memory is a copy of what used to be true, and comes
    back as it was.
    """

    id: str
    at: datetime
    memory: str
    text: str
    file: str = ""
    retires: dict[str, str] = {}
    restores: bool = False


class Done(JournalEntry):
    """An intent reached the files. `waits` says of which records it had to make waiting ones.

    `given_up`: the person changed the files after their answer, or the disk refused it, so it was
    not carried out; with `restored`, what the memory replaced is live again all the same. `stay`
    names what `added` did not retire after all.
    """

    id: str
    waits: dict[str, str] = {}
    given_up: bool = False
    restored: bool = False
    stay: tuple[str, ...] = ()


class Tried(JournalEntry):
    chat: str
    reason: str
    unreadable: bool = False


class Asking(JournalEntry):
    """A model is about to be asked, and may have to be paid whatever becomes of it."""

    chat: str
    engine: str = ""
    model: str = ""


class Moved(JournalEntry):
    chat: str
    reached: Pointer
    part: Part = "all"
    why: str


class SaidLooks(JournalEntry):
    chat: str
    looks: tuple[str, ...]


Intent = Decided | Answered | Forgot | Added
"""What is written before the files are touched, and carried through until it is *done*."""

KINDS: dict[str, type[JournalEntry]] = {
    "decided": Decided,
    "answered": Answered,
    "forgot": Forgot,
    "added": Added,
    "done": Done,
    "tried": Tried,
    "asking": Asking,
    "moved": Moved,
    "said": SaidLooks,
}
