"""The person's answers about what was learned: Undo, Keep, Forget (spec 0088 §5, §6, §8).

Each is an intent in the journal first, with the bytes to put back, then the files, then *done*; it
may be cut off anywhere and is carried through at the next start.
"""

from __future__ import annotations

from dataclasses import dataclass

from conch.chats.events import LearningDecided, MemoryDecided
from conch.home.errors import ConchError
from conch.home.ids import new_id
from conch.learning.never import CameFrom
from conch.learning.parts import LearningParts
from conch.learning.record import Answered, Done, Record
from conch.memory.consents import Consent
from conch.memory.memory import Memory, words_hash


@dataclass(frozen=True)
class AnswerResult:
    """What an answer did. `note` says what else the person should know, "" when nothing."""

    record: Record
    note: str = ""


class Answers:
    """Carries out the person's answers for one home."""

    def __init__(self, parts: LearningParts) -> None:
        self._parts = parts

    def undo(self, record_id: str) -> AnswerResult:
        """Take back something that was learned: its memory goes, what it replaced comes back.

        What was taken back goes on the never-list. Raises ConchError, with nothing changed, when
        there is no such record, it waits or was already answered, its words are the person's by
        now, it was itself replaced, or the copy of what it replaced can't be read.
        """
        record = self._record(record_id)
        if record.state == "waiting":
            raise ConchError(
                "This one waits for you; it was never used.",
                kept="It still waits.",
                do="Keep it or forget it.",
            )
        self._must_be_open(record)
        memory = self._live(record)
        if memory.source == "you" or memory.text != record.text:
            raise ConchError(
                "You changed its words since, so they are yours now.",
                kept="The memory stays as you wrote it.",
                do=f"To remove it: conch memory forget {memory.id}",
            )
        if record.before:
            self._must_have_copy(record)
        intent = Answered(
            id=new_id("answer"),
            record=record.id,
            answer="undone",
            chat=record.chat,
            memory=record.memory,
            text=record.text,
            file=self._parts.memories.raw(record.memory).decode("utf-8"),
            restores=record.before,
            never=True,
        )
        self._write(intent)
        return AnswerResult(self._record(record_id), self._restored_note(record))

    def forget(self, record_id: str) -> AnswerResult:
        """Forget something that was learned or waits; what it replaced does not come back.

        It goes on the never-list. Raises ConchError when there is no such record or it was already
        answered.
        """
        record = self._record(record_id)
        self._must_be_open(record)
        memory = self._live(record)
        intent = Answered(
            id=new_id("answer"),
            record=record.id,
            answer="forgotten",
            chat=record.chat,
            memory=record.memory,
            text=record.text,
            file=self._parts.memories.raw(record.memory).decode("utf-8"),
            never=memory.source != "you",
        )
        self._write(intent)
        return AnswerResult(self._record(record_id))

    def keep(self, record_id: str, consent: Consent) -> AnswerResult:
        """Keep something that waits: the person's press, for exactly the words they saw.

        The memory it would replace is retired only if it still says what the card showed and is
        itself neither held nor waiting. Raises ConchError when the words changed since, the token
        was used, or the record doesn't wait.
        """
        record = self._record(record_id)
        if record.state != "waiting":
            raise ConchError("This one doesn't wait for an answer.", kept="Nothing changed.", do="")
        memory = self._live(record)
        kept, data = self._parts.memories.plan_kept(memory.id, consent)
        retires = ""
        note = ""
        if memory.replaces:
            old = self._parts.memories.get(memory.replaces)
            if old is None or words_hash(old.text) != memory.replaces_hash:
                note = "The memory it would replace has changed since, so that one stays too."
            elif not old.usable:
                note = "The memory it would replace waits itself, so that one stays too."
            else:
                retires = old.id
        intent = Answered(
            id=new_id("answer"),
            record=record.id,
            answer="kept",
            chat=record.chat,
            memory=record.memory,
            text=kept.text,
            file=self._parts.memories.raw(record.memory).decode("utf-8"),
            kept_file=data.decode("utf-8"),
            retires=retires,
            retires_hash=memory.replaces_hash,
        )
        self._write(intent)
        return AnswerResult(self._record(record_id), note)

    def _write(self, intent: Answered) -> None:
        self._parts.record.write("answered", intent)
        carry_out(self._parts, intent)

    def _record(self, record_id: str) -> Record:
        record = self._parts.record.state.records.get(record_id)
        if record is None:
            raise ConchError(
                "There is no such entry in what was learned.",
                kept="Nothing changed.",
                do="conch learned lists them.",
            )
        return record

    def _must_be_open(self, record: Record) -> None:
        if record.state in ("undone", "forgotten"):
            raise ConchError("That was taken back already.", kept="Nothing changed.", do="")

    def _live(self, record: Record) -> Memory:
        memory = self._parts.memories.get(record.memory)
        if memory is None:
            raise ConchError(
                "Its memory is no longer there: it was replaced or forgotten since.",
                kept="Nothing changed.",
                do="conch memory earlier lists what used to be true.",
            )
        return memory

    def _must_have_copy(self, record: Record) -> None:
        earlier = {memory.id for memory in self._parts.memories.earlier()}
        if record.before not in earlier and self._parts.memories.get(record.before) is None:
            raise ConchError(
                "The copy of what used to be true is missing or can't be read.",
                kept="The newer memory stays, so that one of the two is left.",
                do=f"To remove it anyway: conch memory forget {record.memory}",
            )

    def _restored_note(self, record: Record) -> str:
        old = self._parts.memories.get(record.before) if record.before else None
        if old is None:
            return ""
        if not old.usable:
            return f"Back, but waiting for you: {old.text}"
        return f"Back as it was: {old.text}"


def carry_out(parts: LearningParts, intent: Answered) -> None:
    """Bring an answer to the files, the never-list and the chat; doing so twice changes nothing."""
    memories = parts.memories
    if intent.answer == "kept":
        current = memories.get(intent.memory)
        if current is not None and not current.usable and current.text == intent.text:
            memories.rewrite_planned(intent.memory, intent.kept_file.encode("utf-8"))
        if intent.retires:
            old = memories.get(intent.retires)
            if old is not None and words_hash(old.text) == intent.retires_hash:
                memories.retire(intent.retires, parts.home.clock.now(), intent.memory)
    else:
        if intent.restores:
            # Old before new goes: cut off in between, both are there rather than neither.
            memories.unretire(intent.restores)
        memories.remove(intent.memory)
        if intent.never:
            came_from: CameFrom = "undo" if intent.answer == "undone" else _forgot(parts, intent)
            parts.never.add(intent.text, came_from, id=intent.id)
    _tell_the_chat(parts, intent)
    parts.record.write("done", Done(id=intent.id))


def _forgot(parts: LearningParts, intent: Answered) -> CameFrom:
    record = parts.record.state.records.get(intent.record)
    return "dismissed" if record is not None and record.waits else "forgot"


def _tell_the_chat(parts: LearningParts, intent: Answered) -> None:
    """Note the answer in the chat's log once; a chat that was deleted is told nothing."""
    if not intent.chat or parts.chats.find(intent.chat) is None:
        return
    record = parts.record.state.records.get(intent.record)
    log = parts.chats.log(intent.chat)
    if record is not None and record.trigger == "tool":
        decided = MemoryDecided(memory=intent.memory, decision=intent.answer)
        same = [
            event
            for event in log.events()
            if isinstance(event, MemoryDecided)
            and (event.memory, event.decision) == (decided.memory, decided.decision)
        ]
    else:
        decided = LearningDecided(record=intent.record, state=intent.answer)
        same = [
            event
            for event in log.events()
            if isinstance(event, LearningDecided)
            and (event.record, event.state) == (decided.record, decided.state)
        ]
    if not same:
        log.append(decided)
