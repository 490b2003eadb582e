"""The person's answers about what was learned: Undo, Keep, Forget (spec 0088 §5, §6, §8).

Each is an intent in the journal first, with the bytes to put back, then the files, then *done*; it
may be cut off anywhere and is carried through at the next start.
"""

from __future__ import annotations

from dataclasses import dataclass

from conch.home.errors import ConchError
from conch.home.ids import new_id
from conch.learning.carrying import (
    TRIED_AGAIN,
    carry_out,
    carry_out_forget,
    disk_refused,
    is_there,
    remove_forgotten,
    said_by_the_disk,
    stands,
    was_taken_back,
)
from conch.learning.conflict import conflicting
from conch.learning.parts import LearningParts
from conch.learning.record import STANDING, Answered, Forgot, Record
from conch.learning.scope import scope_of
from conch.learning.when_said import when_said
from conch.learning.whereabouts import where_memories_are
from conch.memory.consents import Consent
from conch.memory.memory import Memory, words_hash
from conch.memory.shown import shown
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

        What was taken back goes on the never-list. Where the person deleted its file, what it
        replaced comes back all the same. Raises ConchError, with nothing changed, when there is no
        such record, it waits or was already answered, its words are the person's by now, it was
        itself replaced, or the copy of what it replaced can't be read.
        """
        record = self._record(record_id)
        if record.state == "waiting":
            raise ConchError(
                "This one waits for you; it was never used.",
                kept="It still waits.",
                do="Keep it or forget it.",
            )
        restores = self._restores_of_gone(record)
        if not restores:
            self._must_be_open(record)
            self._must_be_as_learned(record, self._live(record))
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
        stays = "it is still used." if intent.file else "what it replaced is kept."
        note = self._write(intent, stays) or self._restored_note(restores)
        return self._answered(record, note)

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
        stays = "it still waits." if memory.waits else "it is still used."
        note = self._write(intent, stays)
        return self._answered(record, note)

    def keep(self, record_id: str, consent: Consent) -> AnswerResult:
        """Keep something that waits: the person's press, for exactly the words they saw.

        The memory it would replace is retired only if it still says what the card showed and is
        itself neither held nor waiting. Raises ConchError when the words changed since, the token
        was used, the record doesn't wait, or the person said otherwise after these words.
        """
        record = self._record(record_id)
        if record.state != "waiting":
            raise ConchError("This one doesn't wait for an answer.", kept="Nothing changed.", do="")
        memory = self._live(record)
        beside = self._conflicting(record, memory)
        if beside is not None and not _changed_since(memory, beside):
            self._must_be_said_last(memory, beside)
        kept, data = self._parts.memories.plan_kept(memory.id, consent)
        retires, note = self._retires(memory, beside)
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
        unfinished = self._write(intent, "it still waits.")
        return AnswerResult(self._record(record_id), unfinished or note)

    def forget_unrecorded(self, memory: Memory) -> None:
        """Forget a memory that has no record, or the copy of what used to be true.

        Only live words of Conch's own go on the never-list: a copy was true once, and may be again.
        What was taken back before keeps that answer; only the file that is there again goes. Raises
        ConchError when the disk refuses; it is still there then.
        """
        earlier = memory.invalid_at is not None
        never = not earlier and memory.source != "you"
        intent = Forgot(
            id=new_id("forgot"),
            memory=memory.id,
            earlier=earlier,
            copy_hash=self._parts.memories.old_copies.hash_of_shown(memory.id) if earlier else "",
            text=memory.text if never else "",
        )
        stays = "it is kept among what used to be true." if earlier else "it is still there."
        try:
            if was_taken_back(self._parts, memory.id):
                remove_forgotten(self._parts, intent)
                return
            self._parts.record.write("forgot", intent)
            done = carry_out_forget(self._parts, intent)
        except OSError as error:
            if not is_there(self._parts, intent):
                return  # What is left to write down is tried again with every sweep.
            raise disk_refused(error, f"For now {stays}") from error
        if done.refused:
            raise disk_refused(done.refused, f"Nothing changed: {stays}")
        if done.given_up:
            raise _changed_at_this_moment(stays)

    def _conflicting(self, record: Record, memory: Memory) -> Memory | None:
        """The memory in use that keeping this one would replace or stand beside untrue, if any."""
        others = [one for one in self._parts.memories.usable() if one.id != memory.id]
        named = next((one for one in others if one.id == memory.replaces), None)
        if named is not None or any(scope_of(quote).as_well for quote in record.quotes):
            return named
        return conflicting(memory.text, others, self._parts.meaning)

    def _must_be_said_last(self, memory: Memory, other: Memory) -> None:
        parts = self._parts
        told = when_said((memory, other), parts.record.state.said_when, parts.home.clock.now())
        if memory.id in told and other.id in told and told[memory.id] < told[other.id]:
            raise ConchError(
                f"You said otherwise since: “{other.text}”.",
                kept="It still waits, and the newer one is still used.",
                do=f"To use this one, forget that one: conch memory forget {other.id}",
            )

    def _retires(self, memory: Memory, beside: Memory | None) -> tuple[str, str]:
        """The memory that keeping this one retires, "" for none, and why there is none.

        `beside` is what cannot be true beside it.
        """
        if not memory.replaces:
            return "", _stays_too(beside) if beside else ""
        old = self._parts.memories.get(memory.replaces)
        if old is None:
            gone = "What it would replace is no longer there"
            if beside is None:
                return "", f"{gone}, so it stands by itself."
            return "", f"{gone}. {_stays_too(beside)}"
        if words_hash(old.text) != memory.replaces_hash:
            return "", "The memory it would replace has changed since, so that one stays too."
        if not old.stands:
            return "", "The memory it would replace waits itself, so that one stays too."
        for other in self._parts.memories.usable():
            if other.id not in (memory.id, old.id) and same(other.text, memory.text):
                return "", "Conch knew that already, so nothing was replaced."
        return old.id, ""

    def _write(self, intent: Answered, stays: str) -> str:
        """Carry out an answer; gives what else the person should know.

        `stays`: what is still so when the disk refuses. Raises ConchError then.
        """
        try:
            self._parts.record.write("answered", intent)
        except OSError as error:
            raise disk_refused(error, f"Nothing changed: {stays}") from error
        try:
            done = carry_out(self._parts, intent)
        except OSError as error:
            if stands(self._parts, intent):
                return (
                    f"Your disk refused to write all of it down ({said_by_the_disk(error)}); "
                    "Conch does the rest by itself."
                )
            raise disk_refused(error, f"For now {stays}", TRIED_AGAIN) from error
        if done.refused and done.restored:
            kept = "It is still used, and what it replaced is back beside it."
            raise disk_refused(done.refused, kept)
        if done.refused:
            raise disk_refused(done.refused, f"Nothing changed: {stays}")
        if done.given_up:
            raise _changed_at_this_moment(stays)
        return ""

    def _record(self, record_id: str) -> Record:
        record = self._parts.record.state.records.get(record_id)
        if record is None:
            raise ConchError(
                "There is no such entry in what was learned.",
                kept="Nothing changed.",
                do="conch learned lists them.",
            )
        return record

    def _answered(self, record: Record, note: str) -> AnswerResult:
        """What taking `record` back did; it says so when its words are used all the same."""
        words = record.text.split()
        for other in self._parts.memories.usable():
            if other.id != record.memory and other.text.split() == words:
                note += (
                    " Another memory says the same and is still used. To remove it: "
                    f"conch memory forget {other.id}"
                )
        return AnswerResult(self._record(record.id), note.strip())

    def _must_be_open(self, record: Record) -> None:
        if record.state in STANDING:
            return
        memory = self._parts.memories.get(record.memory)
        if memory is None:
            raise ConchError("That was taken back already.", kept="Nothing changed.", do="")
        raise ConchError(
            "That was taken back, and its file was put back by hand since, so it is yours now.",
            kept="The memory stays as you put it back.",
            do=f"To remove it: conch memory forget {memory.id}",
        )

    def _must_be_as_learned(self, record: Record, memory: Memory) -> None:
        if memory.text != record.text:
            what = "You changed its words since, so they are yours now."
        elif memory.source == "you":
            what = "Its file was changed or put back by hand since, so it is yours now."
        else:
            return
        raise ConchError(
            what,
            kept="The memory stays as you wrote it.",
            do=f"To remove it: conch memory forget {memory.id}",
        )

    def _live(self, record: Record) -> Memory:
        memory = self._parts.memories.get(record.memory)
        if memory is not None:
            return memory
        by = self._what_stands_in_its_place(record.memory)
        where = where_memories_are(self._parts).get(record.memory)
        if by is not None:
            what = f"It was replaced since, by “{by.text}”."
            do = "To have it back, take that one back first."
            if by.source == "you" and self._parts.record.state.record_of_memory(by.id) is None:
                do = f"You wrote that one. To give it other words: conch memory edit {by.id}"
        elif where == "unreadable":
            what = "Its file can't be read and was set aside, so it is not used."
            do = "Mend the file in the memory folder, or delete it: then it counts as forgotten."
        elif where is None:
            what = "Its memory is no longer there: its file is gone."
            do = "It counts as forgotten from the next sweep on, within five minutes or at a start."
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
        before = record.before
        if not before or self._parts.memories.get(before) is not None:
            return ""
        copies = self._parts.memories.old_copies.of(before)
        readable = [copy for copy in copies if copy is not None]
        if readable and self._took_its_place(record, readable[0].superseded_by):
            return ""  # Then it is that one's to give back.
        if any(copy.superseded_by in ("", record.memory) for copy in readable):
            return before
        forgotten = before in self._parts.record.state.forgotten
        if not forgotten and any(copy.words_hash == record.before_hash for copy in readable):
            return before
        if forgotten or (not copies and was_taken_back(self._parts, before)):
            return ""
        raise ConchError(
            "The copy of what used to be true is missing or can't be read.",
            kept="The newer memory stays, so that one of the two is left.",
            do=f"To remove it anyway: conch memory forget {record.memory}",
        )

    def _took_its_place(self, record: Record, other: str) -> bool:
        """Whether `other`, not what `record` learned, stands where its old memory stood."""
        if other in ("", record.memory):
            return False
        state = self._parts.record.state
        by_own = state.replaced_by_own.get(record.before) == other
        return by_own or any(
            one.memory == other and one.before == record.before and one.state in STANDING
            for one in state.records.values()
        )

    def _restores_of_gone(self, record: Record) -> str:
        """What undoing brings back of a record whose file the person deleted, "" for nothing."""
        gone = record.gone or record.state in ("applied", "kept")
        if not gone or record.memory in where_memories_are(self._parts):
            return ""
        others = self._parts.record.state.records.values()
        if any(one.before == record.memory and one.state in STANDING for one in others):
            return ""
        if conflicting(record.before_text, self._parts.memories.usable(), self._parts.meaning):
            return ""
        try:
            return self._restores(record)
        except ConchError:
            return ""

    def _restored_note(self, restored: str) -> str:
        old = self._parts.memories.get(restored) if restored else None
        if old is None:
            return ""
        if not old.usable:
            return f"Back, but waiting for you: {shown(old).text}"
        return f"Back as it was: {old.text}"


def _changed_since(memory: Memory, other: Memory) -> bool:
    """Whether `other` is what `memory` would replace, in other words than its card showed."""
    return other.id == memory.replaces and other.words_hash != memory.replaces_hash


def _stays_too(other: Memory) -> str:
    return (
        f"“{other.text}” says otherwise and stays too. To remove it: conch memory forget {other.id}"
    )


def _changed_at_this_moment(stays: str) -> ConchError:
    return ConchError(
        "Its file changed at this moment, so your answer was not carried out.",
        kept=f"Nothing changed: {stays}",
        do="Look at it again and answer once more.",
    )
