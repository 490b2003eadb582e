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
from conch.learning.record import STANDING, Answered, Done, Forgot, Record
from conch.learning.whereabouts import where_memories_are
from conch.memory.consents import Consent
from conch.memory.memory import Memory, words_hash
from conch.memory.sealed import from_bytes
from conch.words.likeness import same


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
        restores = self._restores(record)
        intent = Answered(
            id=new_id("answer"),
            record=record.id,
            answer="undone",
            chat=record.chat,
            memory=record.memory,
            text=record.text,
            file=self._parts.memories.raw(record.memory).decode("utf-8"),
            restores=restores,
            never=True,
        )
        self._write(intent)
        return AnswerResult(self._record(record_id), self._restored_note(restores))

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
        retires, note = self._retires(memory)
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

    def forget_unrecorded(self, memory: Memory) -> None:
        """Forget a memory that has no record, or the copy of what used to be true.

        Only live words of Conch's own go on the never-list: a copy was true once, and may be again.
        What was taken back before keeps that answer; only the file that is there again goes.
        """
        earlier = memory.invalid_at is not None
        never = not earlier and memory.source != "you"
        intent = Forgot(
            id=new_id("forgot"),
            memory=memory.id,
            earlier=earlier,
            text=memory.text if never else "",
        )
        if was_taken_back(self._parts, memory.id):
            remove_forgotten(self._parts, intent)
            return
        self._parts.record.write("forgot", intent)
        carry_out_forget(self._parts, intent)

    def _retires(self, memory: Memory) -> tuple[str, str]:
        """The memory that keeping this one retires, "" for none, and why there is none."""
        if not memory.replaces:
            return "", ""
        old = self._parts.memories.get(memory.replaces)
        if old is None:
            return "", "What it would replace is no longer there, so it stands by itself."
        if words_hash(old.text) != memory.replaces_hash:
            return "", "The memory it would replace has changed since, so that one stays too."
        if not old.usable:
            return "", "The memory it would replace waits itself, so that one stays too."
        for other in self._parts.memories.usable():
            if other.id not in (memory.id, old.id) and same(other.text, memory.text):
                return "", "Conch knew that already, so nothing was replaced."
        return old.id, ""

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
        if memory is not None:
            return memory
        by = self._what_stands_in_its_place(record.memory)
        where = where_memories_are(self._parts).get(record.memory)
        if by is not None:
            what = f"It was replaced since, by “{by.text}”."
            do = "To have it back, take that one back first."
        elif where == "unreadable":
            what = "Its file can't be read and was set aside, so it is not used."
            do = "Mend the file in the memory folder, or delete it: then it counts as forgotten."
        elif where is None:
            what = "Its memory is no longer there: its file is gone."
            do = "It counts as forgotten from the next look on."
        else:
            what = "Its memory is no longer there: it was replaced since."
            do = "conch memory earlier lists what used to be true."
        raise ConchError(what, kept="Nothing changed.", do=do)

    def _what_stands_in_its_place(self, memory: str) -> Memory | None:
        copies = {one.id: one for one in self._parts.memories.earlier()}
        while memory in copies:
            memory = copies.pop(memory).superseded_by
        return self._parts.memories.get(memory)

    def _restores(self, record: Record) -> str:
        """The memory that undoing this one brings back, "" for none.

        Raises ConchError when its copy is missing or can't be read.
        """
        if not record.before or self._parts.memories.get(record.before) is not None:
            return ""
        for copy in self._parts.memories.earlier():
            if copy.id == record.before:
                # Another memory may have taken its place since; then it is that one's to give back.
                return copy.id if copy.superseded_by in ("", record.memory) else ""
        if record.before in self._parts.record.state.forgotten or was_taken_back(
            self._parts, record.before
        ):
            return ""
        raise ConchError(
            "The copy of what used to be true is missing or can't be read.",
            kept="The newer memory stays, so that one of the two is left.",
            do=f"To remove it anyway: conch memory forget {record.memory}",
        )

    def _restored_note(self, restored: str) -> str:
        old = self._parts.memories.get(restored) if restored else None
        if old is None:
            return ""
        if not old.usable:
            return f"Back, but waiting for you: {old.text}"
        return f"Back as it was: {old.text}"


def carry_out(parts: LearningParts, intent: Answered) -> None:
    """Bring an answer to the files, the never-list and the chat; doing so twice changes nothing.

    What the person did to the files by hand since they answered counts for more: their answer was
    for the words as they were then, and is given up.
    """
    if intent.answer == "kept":
        given_up, restored = not _kept(parts, intent), False
    else:
        given_up, restored = _taken_back(parts, intent)
    if not given_up:
        _tell_the_chat(parts, intent)
    parts.record.write("done", Done(id=intent.id, given_up=given_up, restored=restored))


def _kept(parts: LearningParts, intent: Answered) -> bool:
    """Lift the wait, then retire what it replaces; False when its words aren't those kept."""
    memories = parts.memories
    memory = memories.get(intent.memory)
    if memory is not None and not memory.usable and memory.text == intent.text:
        memories.rewrite_planned(intent.memory, intent.kept_file.encode("utf-8"))
        memory = memories.get(intent.memory)
    if memory is None or not memory.usable:
        return False
    old = memories.get(intent.retires) if intent.retires else None
    if old is not None and memory.text == intent.text:
        record = parts.record.state.records.get(intent.record)
        ended = record.invalid_at if record is not None else None
        if words_hash(old.text) == intent.retires_hash:
            memories.retire(old.id, ended or parts.home.clock.now(), intent.memory)
    return True


def _taken_back(parts: LearningParts, intent: Answered) -> tuple[bool, bool]:
    """Remove a memory and bring back what it replaced: whether that was given up, and whether what
    it replaced is live all the same."""
    memories = parts.memories
    memory = memories.get(intent.memory)
    if memory is not None and memory.text != from_bytes(intent.file.encode("utf-8")).text:
        # The person's own words by now, not those they took back.
        return True, bool(intent.restores) and memories.get(intent.restores) is not None
    if intent.restores and not was_taken_back(parts, intent.restores):
        # Old before new goes: cut off in between, both are there rather than neither.
        try:
            memories.unretire(intent.restores)
        except ConchError:
            if memory is not None:
                return True, False
    memories.remove(intent.memory)
    if intent.never:
        came_from: CameFrom = "undo" if intent.answer == "undone" else _forgot(parts, intent)
        parts.never.add(intent.text, came_from, id=intent.id)
    return False, False


def carry_out_forget(parts: LearningParts, intent: Forgot) -> None:
    """Remove a memory that has no record, or a copy; doing so twice changes nothing."""
    remove_forgotten(parts, intent)
    parts.record.write("done", Done(id=intent.id))


def remove_forgotten(parts: LearningParts, intent: Forgot) -> None:
    """Never-list first: cut off in between, the person sees it is still there and forgets again."""
    if intent.text:
        parts.never.add(intent.text, "forgot", id=intent.id)
    if intent.earlier:
        parts.memories.forget_earlier(intent.memory)
    else:
        parts.memories.remove(intent.memory)


def was_taken_back(parts: LearningParts, memory: str) -> bool:
    """Whether a memory was learned and then undone or forgotten: nothing of it is to come back."""
    records = parts.record.state.records.values()
    return any(one.memory == memory and one.state not in STANDING for one in records)


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
