"""The journal of learning, folded: what it comes to, as plain values.

Whoever asks gets the state as it stands at that moment. What is folded in later makes another one:
a state that was handed out may be read at leisure, from any thread.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from conch.home.journal import Entry, Journal
from conch.learning.record import (
    KINDS,
    STANDING,
    Added,
    Answered,
    Asking,
    Decided,
    Done,
    Forgot,
    Intent,
    JournalEntry,
    Moved,
    Part,
    Pointer,
    Record,
    SaidLooks,
    Tried,
)


@dataclass(frozen=True)
class LastTry:
    """When a look at a chat last had to give up, why, and how many unreadable answers in a row."""

    at: datetime
    reason: str
    unreadable: int = 0


@dataclass
class LearningState:
    """The journal, folded: plain values, never written to disk.

    `overtaken`: own words the person saved, by the open intents that came before.
    `replaced_by_own`: the memory of the person's own that took another's place, by the latter.
    """

    pointers: dict[str, Pointer] = field(default_factory=dict)
    brought: dict[str, Pointer] = field(default_factory=dict)
    """How far what was brought in was read; `pointers` is about everything else."""
    tried: dict[str, LastTry] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    looks: dict[str, list[Decided]] = field(default_factory=dict)
    looked_at: dict[str, datetime] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    unfinished: dict[str, Intent] = field(default_factory=dict)
    overtaken: dict[str, tuple[str, ...]] = field(default_factory=dict)
    replaced_by_own: dict[str, str] = field(default_factory=dict)
    said_when: dict[str, datetime] = field(default_factory=dict)
    """When the words of a memory were last said, by memory, where that is known."""
    forgotten: set[str] = field(default_factory=set)
    unsaid: dict[str, list[str]] = field(default_factory=dict)
    switched_on: datetime | None = None
    _before_answer: dict[str, Record] = field(default_factory=dict)
    _newly_forgotten: dict[str, str] = field(default_factory=dict)

    def copy(self) -> LearningState:
        """Another one with the same in it; what is folded into it does not change this one."""
        other = copy(self)
        for one in fields(self):
            held = getattr(self, one.name)
            if isinstance(held, dict | set):
                setattr(other, one.name, held.copy())
        return other

    def take(self, entry: Entry) -> None:
        """Fold one more entry in; an entry of an unknown kind or shape changes nothing."""
        if entry.kind == "switched_on":
            self.switched_on = entry.at
            return
        model = KINDS.get(entry.kind)
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
            case Added():
                self._added(value)
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
        without_files = decided.model_copy(update={"files": {}})
        self.looks[decided.chat] = [*self.looks.get(decided.chat, ()), without_files]
        for record in decided.records:
            self.records[record.id] = record
            if record.said_at is not None:
                self._said(record.memory, record.said_at)
        for memory, at in decided.said_when.items():
            self._said(memory, at)
        for known in decided.seen_again:
            for record in list(self.records.values()):
                if record.memory == known:
                    self.records[record.id] = record.model_copy(update={"seen": record.seen + 1})
        if decided.reached is not None:
            self._reach(decided.chat, decided.reached, decided.part)
            self.moved.pop(decided.chat, None)
            self.tried.pop(decided.chat, None)
        if decided.say and decided.records:
            self.unsaid[decided.chat] = [*self.unsaid.get(decided.chat, ()), decided.look]

    def _said(self, memory: str, at: datetime) -> None:
        self.said_when[memory] = max(self.said_when.get(memory, at), at)

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

    def _added(self, added: Added) -> None:
        for open_one in self.unfinished:
            self.overtaken[open_one] = (*self.overtaken.get(open_one, ()), added.text)
        self.unfinished[added.id] = added
        self._said(added.memory, added.at)
        self.replaced_by_own.pop(added.memory, None)
        self.replaced_by_own |= dict.fromkeys(added.retires, added.memory)

    def record_of_memory(self, memory: str) -> Record | None:
        """The record of a memory, while it is neither undone nor forgotten."""
        for record in reversed(self.records.values()):
            if record.memory == memory and record.state in STANDING:
                return record
        return None

    def _done(self, done: Done) -> None:
        intent = self.unfinished.pop(done.id, None)
        self.overtaken.pop(done.id, None)
        if isinstance(intent, Added):
            for memory in intent.retires if done.given_up else done.stay:
                self.replaced_by_own.pop(memory, None)
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
    """The journal and its fold, kept in step: what is written is folded in at once.

    Safe to use from any thread.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._state = LearningState()
        self._read_to = 0
        self._folding = threading.Lock()

    @property
    def state(self) -> LearningState:
        """The fold over every entry there is, those of another process included."""
        with self._folding:
            entries = self._journal.entries(after=self._read_to)
            if entries:
                state = self._state.copy()
                for entry in entries:
                    # A later version's entry, or a damaged one: never guessed at (promise 7).
                    with contextlib.suppress(ValueError):
                        state.take(entry)
                self._state, self._read_to = state, entries[-1].seq
            return self._state

    def write(self, kind: str, value: JournalEntry | None = None) -> None:
        """Append one entry; it is on disk when this returns.

        Raises OSError when the disk refuses: nothing was decided then, and nothing is applied.
        """
        data: dict[str, Any] = value.model_dump(mode="json", exclude_defaults=True) if value else {}
        self._journal.append(kind, data)

    def gave_up(self, tried: Tried, at: datetime) -> None:
        """Write down that a look had to give up; a disk that refuses does not make it forgotten.

        Otherwise the same words would be paid for at every sweep. `at` counts then.
        """
        try:
            self.write("tried", tried)
        except OSError:
            with self._folding:
                state = self._state.copy()
                state.gave_up(tried, at)
                self._state = state
