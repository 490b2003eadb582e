"""Bringing the person's answers to the files: what is in the journal is carried out, or given up.

An answer is given up when the person changed the files since, or when the disk refuses it: the
record then stands as it stood before, so that what is said of a memory is what is done with it.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime

from conch.chats.events import LearningDecided, MemoryDecided
from conch.home.errors import ConchError
from conch.home.files import ChangedMeanwhile
from conch.learning.never import CameFrom
from conch.learning.parts import LearningParts
from conch.learning.record import STANDING, Answered, Done, Forgot
from conch.memory.memory import words_hash
from conch.memory.sealed import from_bytes
from conch.words.likeness import same

TRIED_AGAIN = "Conch tries again by itself, within five minutes or when it starts."


@dataclass(frozen=True)
class CarriedOut:
    """What became of an answer. `refused`: what the disk said, "" when it refused nothing.

    `restored`: it was given up, and what the memory replaced is live all the same.
    """

    given_up: bool = False
    restored: bool = False
    refused: str = ""


def carry_out(parts: LearningParts, intent: Answered) -> CarriedOut:
    """Bring an answer to the files, the never-list and the chat; doing so twice changes nothing.

    What the person did to the files by hand since they answered counts for more: their answer was
    for the words as they were then, and is given up. So is one that the disk refuses, as long as
    the memory is as it was. Raises OSError when the disk refuses what comes after that (the
    never-list, the chat, *done*): the answer then stays open, and is carried out again.
    """
    try:
        done = _kept(parts, intent) if intent.answer == "kept" else _taken_back(parts, intent)
    except OSError as error:
        done = _as_it_was(parts, intent, error)
        if isinstance(error, ChangedMeanwhile):
            done = replace(done, refused="")
    if not done.given_up:
        _tell_the_chat(parts, intent)
    parts.record.write("done", Done(id=intent.id, given_up=done.given_up, restored=done.restored))
    return done


def _kept(parts: LearningParts, intent: Answered) -> CarriedOut:
    """Lift the wait, then retire what it replaces; given up when its words aren't those kept."""
    memories = parts.memories
    memory = memories.get(intent.memory)
    if memory is not None and not memory.stands and memory.text == intent.text:
        memories.rewrite_planned(intent.memory, intent.kept_file.encode("utf-8"))
        memory = memories.get(intent.memory)
    if memory is None or not memory.stands:
        return CarriedOut(given_up=True)
    old = memories.get(intent.retires) if intent.retires else None
    as_shown = old is not None and words_hash(old.text) == intent.retires_hash
    if old is not None and as_shown and memory.text == intent.text:
        memories.retire(old.id, _ended(parts, intent), intent.memory)
    return CarriedOut()


def _taken_back(parts: LearningParts, intent: Answered) -> CarriedOut:
    """Remove a memory and bring back what it replaced, then the never-list."""
    memories = parts.memories
    memory = memories.get(intent.memory)
    if memory is not None and memory.text != from_bytes(intent.file.encode("utf-8")).text:
        # The person's own words by now, not those they took back.
        return CarriedOut(given_up=True, restored=_is_back(parts, intent))
    if intent.restores and not _is_to_stay_away(parts, intent.restores):
        # Old before new goes: cut off in between, both are there rather than neither.
        try:
            record = parts.record.state.records.get(intent.record)
            words = record.before_hash if record is not None else ""
            memories.unretire(intent.restores, intent.memory, words)
        except ConchError:
            if memory is not None:
                return CarriedOut(given_up=True)
    memories.remove(intent.memory)
    if intent.never and not _said_since(parts, intent):
        came_from: CameFrom = "undo" if intent.answer == "undone" else _forgot(parts, intent)
        parts.never.add(intent.text, came_from, id=intent.id)
    return CarriedOut()


def _as_it_was(parts: LearningParts, intent: Answered, error: OSError) -> CarriedOut:
    """Give up an answer the disk refused, with the files as they were before it.

    Raises `error` again when the files hold the answer by now.
    """
    memories = parts.memories
    memory = memories.get(intent.memory)
    if intent.answer == "kept":
        old_stays = bool(intent.retires) and memories.get(intent.retires) is not None
        kept_file = intent.kept_file.encode("utf-8")
        if old_stays and memories.raw(intent.memory) == kept_file:
            # It would stand beside what it replaces: it waits again.
            with contextlib.suppress(OSError):
                memories.rewrite_planned(intent.memory, intent.file.encode("utf-8"))
            memory = memories.get(intent.memory)
        if memory is None or memory.stands:
            raise error
        return CarriedOut(given_up=True, refused=said_by_the_disk(error))
    if memory is None:
        raise error
    if _is_back(parts, intent):
        with contextlib.suppress(OSError):
            memories.retire(intent.restores, _ended(parts, intent), intent.memory)
    return CarriedOut(True, _is_back(parts, intent), said_by_the_disk(error))


def stands(parts: LearningParts, intent: Answered) -> bool:
    """Whether the files hold what the person answered."""
    memory = parts.memories.get(intent.memory)
    return (memory is not None and memory.stands) if intent.answer == "kept" else memory is None


def said_by_the_disk(error: OSError) -> str:
    """What an error of the disk says, for a person: no full stop, no path."""
    return error.strerror or str(error) or type(error).__name__


def disk_refused(error: OSError | str, kept: str, do: str = "") -> ConchError:
    """What to tell a person whose disk refused something; `kept`: what is so all the same."""
    said = said_by_the_disk(error) if isinstance(error, OSError) else error
    do = do or "See that the memory folder can be written to and has room, and try again."
    return ConchError(f"Your disk refused it: {said}.", kept, do)


def _is_back(parts: LearningParts, intent: Answered) -> bool:
    return bool(intent.restores) and parts.memories.get(intent.restores) is not None


def _ended(parts: LearningParts, intent: Answered) -> datetime:
    record = parts.record.state.records.get(intent.record)
    return (record.invalid_at if record else None) or parts.home.clock.now()


def carry_out_forget(parts: LearningParts, intent: Forgot) -> CarriedOut:
    """Remove a memory that has no record, or a copy; doing so twice changes nothing.

    Given up when the disk refuses and it is still there. Raises OSError as `carry_out` does.
    """
    done = CarriedOut()
    try:
        remove_forgotten(parts, intent)
    except OSError as error:
        if not is_there(parts, intent):
            raise
        changed = isinstance(error, ChangedMeanwhile)
        done = CarriedOut(given_up=True, refused="" if changed else said_by_the_disk(error))
    parts.record.write("done", Done(id=intent.id, given_up=done.given_up))
    return done


def remove_forgotten(parts: LearningParts, intent: Forgot) -> None:
    """Remove a memory or a copy, then put its words on the never-list when they belong there.

    The file first: words whose memory the disk would not remove are not on the list.
    """
    if intent.earlier:
        parts.memories.old_copies.forget(intent.memory, intent.copy_hash)
    else:
        parts.memories.remove(intent.memory)
    if intent.text and not _said_since(parts, intent):
        parts.never.add(intent.text, "forgot", id=intent.id)


def _said_since(parts: LearningParts, intent: Answered | Forgot) -> bool:
    """Whether the person said themselves, after their answer, what it was about."""
    words = parts.record.state.overtaken.get(intent.id, ())
    return any(same(one, intent.text) for one in words)


def is_there(parts: LearningParts, intent: Forgot) -> bool:
    """Whether what is to be forgotten is there still."""
    if not intent.earlier:
        return parts.memories.get(intent.memory) is not None
    return parts.memories.old_copies.has(intent.memory, intent.copy_hash)


def was_taken_back(parts: LearningParts, memory: str) -> bool:
    """Whether a memory was learned and then undone or forgotten: nothing of it is to come back."""
    records = parts.record.state.records.values()
    return any(one.memory == memory and one.state not in STANDING for one in records)


def _is_to_stay_away(parts: LearningParts, memory: str) -> bool:
    """Whether what is to be restored was forgotten meanwhile; a copy put back by hand may come."""
    unfinished = parts.record.state.unfinished.values()
    if any(isinstance(one, Forgot) and one.memory == memory for one in unfinished):
        return True
    there = any(copy.id == memory for copy in parts.memories.earlier())
    return was_taken_back(parts, memory) and not there


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
