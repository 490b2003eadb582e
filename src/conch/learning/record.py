"""The record: everything that was learned, dropped, taken back, and how far each chat was read.

It is an append-only journal, `learning/record.jsonl`, and the truth about learning; what this
module hands out is a fold over it. Each of its entries is written before the files it speaks of
are touched and is carried through again after a crash (docs/adr/0003-exactly-once.md):

- `decided`: a look (or the assistant's `remember`) decided changes: records, the files to write.
- `answered`: the person's answer about one record, with what it takes to carry it out.
- `forgot`: the person forgets a memory that has no record, or a copy of what used to be true.
- `done`: an entry of the three kinds above has reached the files, or was given up.
- `said`: what some looks learned was said in the chat's line.
- `moved`: a chat was read up to here, and nothing came of it.
- `tried`: a look had to give up for now; the chat is tried again in an hour.
- `asking`: a model is about to be asked; cut off there, the chat is tried again in an hour.
- `switched_on`: learning was turned on again; nothing said before is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from conch.home.journal import Entry, Journal
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


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RecordStep(_Frozen):
    """A step something rests on: the one line code makes of it, and whether it went well."""

    summary: str
    ok: bool


class Record(_Frozen):
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


class Dropped(_Frozen):
    """A change that was not made, and the row of the gate that says why.

    `text` is empty when its words must not be kept (a secret, health, money); `secret` says what
    kind of secret they hold ("a password"), never the words.
    """

    row: str
    reason: str
    text: str = ""
    secret: str = ""


class Decided(_Frozen):
    """What one look decided, with the bytes (as text) of each memory file it is to write."""

    look: str
    chat: str
    trigger: Trigger
    reached: Pointer | None = None
    part: Part = "all"
    records: tuple[Record, ...] = ()
    files: dict[str, str] = {}
    dropped: tuple[Dropped, ...] = ()
    seen_again: tuple[str, ...] = ()
    say: bool = False
    engine: str = ""
    model: str = ""
    cost_usd: float | None = None


class Answered(_Frozen):
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


class Forgot(_Frozen):
    """The person forgets `memory`: live, or (`earlier`) the copy of what used to be true.

    `text` goes on the never-list; it is empty for words that don't.
    """

    id: str
    memory: str
    earlier: bool = False
    text: str = ""


class Done(_Frozen):
    """An intent reached the files. `waits` says of which records it had to make waiting ones.

    `given_up`: the person changed the files after their answer, or the disk refused it, so it was
    not carried out; with `restored`, what the memory replaced is live again all the same.
    """

    id: str
    waits: dict[str, str] = {}
    given_up: bool = False
    restored: bool = False


class Tried(_Frozen):
    chat: str
    reason: str
    unreadable: bool = False


class Asking(_Frozen):
    """A model is about to be asked, and may have to be paid whatever becomes of it."""

    chat: str
    engine: str = ""
    model: str = ""


class Moved(_Frozen):
    chat: str
    reached: Pointer
    part: Part = "all"
    why: str


class SaidLooks(_Frozen):
    chat: str
    looks: tuple[str, ...]


_KINDS: dict[str, type[_Frozen]] = {
    "decided": Decided,
    "answered": Answered,
    "forgot": Forgot,
    "done": Done,
    "tried": Tried,
    "asking": Asking,
    "moved": Moved,
    "said": SaidLooks,
}


@dataclass(frozen=True)
class LastTry:
    """When a look at a chat last had to give up, why, and how many unreadable answers in a row."""

    at: datetime
    reason: str
    unreadable: int = 0


@dataclass
class LearningState:
    """The journal, folded: plain values, never written to disk."""

    pointers: dict[str, Pointer] = field(default_factory=dict)
    brought: dict[str, Pointer] = field(default_factory=dict)
    """How far what was brought in was read; `pointers` is about everything else."""
    tried: dict[str, LastTry] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    looks: dict[str, list[Decided]] = field(default_factory=dict)
    looked_at: dict[str, datetime] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    unfinished: dict[str, Decided | Answered | Forgot] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    unsaid: dict[str, list[str]] = field(default_factory=dict)
    switched_on: datetime | None = None
    _before_answer: dict[str, Record] = field(default_factory=dict)
    _newly_forgotten: dict[str, str] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """Fold one more entry in; an entry of an unknown kind or shape changes nothing."""
        if entry.kind == "switched_on":
            self.switched_on = entry.at
            return
        model = _KINDS.get(entry.kind)
        if model is None:
            return
        value = model.model_validate(entry.data)
        match value:
            case Decided():
                self.looked_at[value.look] = entry.at
                self._decided(value)
            case Answered():
                self._answered(value)
            case Forgot():
                self._forgot(value)
            case Done():
                self._done(value)
            case Tried():
                self.gave_up(value, entry.at)
            case Asking():
                before = self.tried.get(value.chat)
                unreadable = before.unreadable if before else 0
                self.tried[value.chat] = LastTry(entry.at, "cut_off", unreadable)
            case Moved():
                self._reach(value.chat, value.reached, value.part)
                self.moved[value.chat] = value.why
                self.tried.pop(value.chat, None)
            case SaidLooks():
                left = [one for one in self.unsaid.get(value.chat, []) if one not in value.looks]
                self.unsaid[value.chat] = left
            case _:
                pass

    def gave_up(self, tried: Tried, at: datetime) -> None:
        """Count one more look that had to give up."""
        before = self.tried.get(tried.chat)
        run = (before.unreadable if before else 0) + 1 if tried.unreadable else 0
        self.tried[tried.chat] = LastTry(at, tried.reason, run)

    def _reach(self, chat: str, reached: Pointer, part: Part) -> None:
        """A place only ever moves on: what was read once is not read again."""
        if part != "brought":
            self.pointers[chat] = max(self.pointers.get(chat, Pointer()), reached)
        if part != "typed":
            self.brought[chat] = max(self.brought.get(chat, Pointer()), reached)

    def _decided(self, decided: Decided) -> None:
        self.unfinished[decided.look] = decided
        self.looks.setdefault(decided.chat, []).append(decided.model_copy(update={"files": {}}))
        for record in decided.records:
            self.records[record.id] = record
        for known in decided.seen_again:
            for record in list(self.records.values()):
                if record.memory == known:
                    self.records[record.id] = record.model_copy(update={"seen": record.seen + 1})
        if decided.reached is not None:
            self._reach(decided.chat, decided.reached, decided.part)
            self.moved.pop(decided.chat, None)
            self.tried.pop(decided.chat, None)
        if decided.say and decided.records:
            self.unsaid.setdefault(decided.chat, []).append(decided.look)

    def _answered(self, answered: Answered) -> None:
        self.unfinished[answered.id] = answered
        record = self.records.get(answered.record)
        if record is None:
            return
        self._before_answer[answered.id] = record
        gone = answered.answer == "forgotten" and not answered.file
        update: dict[str, Any] = {"state": answered.answer, "gone": gone}
        if answered.answer == "kept" and answered.retires != record.before:
            # It stands beside what it would have replaced, so there is nothing to bring back.
            update |= {"before": answered.retires, "before_text": "", "change": "added"}
        self.records[record.id] = record.model_copy(update=update)

    def _forgot(self, forgot: Forgot) -> None:
        self.unfinished[forgot.id] = forgot
        if forgot.memory not in self.forgotten:
            self._newly_forgotten[forgot.id] = forgot.memory
        self.forgotten.add(forgot.memory)
        record = self.record_of_memory(forgot.memory)
        if record is not None:
            self._before_answer[forgot.id] = record
            self.records[record.id] = record.model_copy(update={"state": "forgotten"})

    def record_of_memory(self, memory: str) -> Record | None:
        """The record of a memory, while it is neither undone nor forgotten."""
        for record in reversed(self.records.values()):
            if record.memory == memory and record.state in STANDING:
                return record
        return None

    def _done(self, done: Done) -> None:
        self.unfinished.pop(done.id, None)
        before = self._before_answer.pop(done.id, None)
        forgotten = self._newly_forgotten.pop(done.id, None)
        if done.given_up and forgotten is not None:
            self.forgotten.discard(forgotten)
        if done.given_up and before is not None:
            update = {"before": "", "before_text": "", "change": "added"} if done.restored else {}
            self.records[before.id] = before.model_copy(update=update)
        for record_id, reason in done.waits.items():
            record = self.records.get(record_id)
            if record is not None and record.state == "applied":
                update = {"state": "waiting", "waits": (*record.waits, reason)}
                self.records[record_id] = record.model_copy(update=update)

    def records_of(self, looks: Sequence[str], chat: str) -> list[Record]:
        """What these looks learned and still holds or waits, as it stands now."""
        ids = [
            record.id
            for decided in self.looks.get(chat, [])
            if decided.look in looks
            for record in decided.records
        ]
        live = [self.records[one] for one in ids]
        return [record for record in live if record.state in STANDING]


class LearningRecord:
    """The journal and its fold, kept in step: what is written is folded in at once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._state = LearningState()
        self._read_to = 0

    @property
    def state(self) -> LearningState:
        """The fold over every entry there is, those of another process included."""
        for entry in self._journal.entries(after=self._read_to):
            self._read_to = entry.seq
            try:
                self._state.take(entry)
            except ValueError:
                # A later version's entry, or a damaged one: never guessed at (promise 7).
                continue
        return self._state

    def write(self, kind: str, value: _Frozen | None = None) -> None:
        """Append one entry; it is on disk when this returns.

        Raises OSError when the disk refuses: nothing was decided then, and nothing is applied.
        """
        data: dict[str, Any] = value.model_dump(mode="json", exclude_defaults=True) if value else {}
        self._journal.append(kind, data)
