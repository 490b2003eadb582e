"""At the start and with every sweep: carry through what was cut off, notice what is gone."""

from __future__ import annotations

from conch.home.ids import new_id
from conch.learning.apply import apply_look
from conch.learning.carrying import carry_out, carry_out_forget, was_taken_back
from conch.learning.conflict import conflicting
from conch.learning.own_words import carry_out_added
from conch.learning.parts import LearningParts
from conch.learning.record import (
    STANDING,
    Added,
    Answered,
    Decided,
    Done,
    Forgot,
    Intent,
    Record,
    RecordState,
)
from conch.learning.whereabouts import where_memories_are
from conch.memory.memory import Memory
from conch.memory.shown import shown
from conch.words.likeness import same

_REPLACES: frozenset[RecordState] = frozenset(("applied", "kept"))
_AT_ONCE = 10
_GONE_ON_PURPOSE = 5
"""Files missing at once that still look like a person deleting what they did not want."""


def carry_through(parts: LearningParts) -> int:
    """Finish every intent without *done*, in the journal's order; gives how many there were.

    Doing so twice changes nothing. One that cannot be carried out stays open, is said in the notes
    and is tried again with the next sweep.
    """
    with parts.carrying:
        unfinished = list(parts.record.state.unfinished.values())
        for intent in unfinished:
            try:
                _carry_out(parts, intent)
            except Exception as error:
                parts.home.notes.say(
                    f"Something learned could not be finished ({type(error).__name__}). "
                    "It is kept in the record and tried again.",
                    where=parts.home.learning.name,
                )
    return len(unfinished)


def _carry_out(parts: LearningParts, intent: Intent) -> None:
    match intent:
        case Decided():
            apply_look(parts, intent)
        case Answered():
            _say_if_refused(parts, carry_out(parts, intent).refused)
        case Forgot():
            _say_if_refused(parts, carry_out_forget(parts, intent).refused)
        case Added():
            carry_out_added(parts, intent)


def _say_if_refused(parts: LearningParts, refused: str) -> None:
    if refused:
        parts.home.notes.say(
            f"Your disk refused to carry out an answer of yours ({refused}), so it does not count: "
            "the memory is as it was before. Answer once more when the folder can be written to.",
            where=parts.home.memory.name,
        )


def notice_what_is_gone(parts: LearningParts) -> int:
    """Take a learned memory whose file the person deleted by hand as forgotten; gives how many.

    It goes on the never-list like any that is forgotten, unless so many are gone at once that the
    folder itself must have been moved or lost. A file that was set aside as damaged is not gone.
    """
    with parts.carrying:
        return _notice_what_is_gone(parts)


def _notice_what_is_gone(parts: LearningParts) -> int:
    state = parts.record.state
    if state.unfinished or not parts.home.memory.is_dir():
        return 0
    there = where_memories_are(parts).keys()
    records = list(state.records.values())
    gone = [one for one in records if one.state in STANDING and one.memory not in there]
    for record in gone:
        never = len(gone) <= _GONE_ON_PURPOSE and not _stands_otherwise(parts, record)
        intent = Answered(
            id=new_id("answer"),
            record=record.id,
            answer="forgotten",
            chat=record.chat,
            memory=record.memory,
            text=record.text,
            never=never,
        )
        parts.record.write("answered", intent)
        carry_out(parts, intent)
    for before in sorted({one.before for one in records} - there - state.forgotten - {""}):
        if not was_taken_back(parts, before):
            _note_forgotten(parts, before)
    if gone:
        back = [one for one in gone if where_memories_are(parts).get(one.before) == "earlier"]
        parts.home.notes.say(
            f"{len(gone)} learned {'memory is' if len(gone) == 1 else 'memories are'} no longer in "
            "the memory folder, and count as forgotten."
            + "".join(f" To have back “{one.before_text}”: conch undo {one.id}" for one in back),
            where=parts.home.memory.name,
        )
    return len(gone)


def notice_what_is_put_back(parts: LearningParts) -> int:
    """Make the person's own what they put back by hand; gives how many memories there were.

    It was undone, forgotten or replaced, and no answer is on its way: nobody but them brings it
    back. Cut off anywhere and done again, the end is the same.
    """
    count, done = 0, set[str]()
    while True:
        # A few at a time: an answer of the person's meanwhile does not wait for all of them.
        with parts.carrying:
            some = _put_back(parts, done)[:_AT_ONCE]
            done |= set(some)
            changed = parts.memories.make_the_persons(some)
            for memory in changed:
                _say_put_back(parts, memory)
        if not some:
            return count
        count += len(changed)


def _put_back(parts: LearningParts, done: set[str]) -> list[str]:
    """The memories that are there though they were taken back or replaced, without `done`."""
    state = parts.record.state
    if state.unfinished:
        return []
    records = state.records.values()
    standing = {one.memory for one in records if one.state in STANDING}
    taken_back = {one.memory for one in records} - standing | state.forgotten
    in_use = {one.memory for one in records if one.state in _REPLACES}
    replaced = {one.before for one in records if one.state in _REPLACES}
    doubles = parts.memories.doubles()
    back = taken_back | replaced | state.replaced_by_own.keys()
    return [
        one.id
        for one in parts.memories.all()
        if one.id not in done
        and (
            one.id in doubles
            # The file of before its Keep waits as it did then.
            or ((one.source != "you" or one.learned) and (one.id in back or _waits(one, in_use)))
        )
    ]


def _waits(memory: Memory, in_use: set[str]) -> bool:
    return bool(memory.waits) and memory.id in in_use


def _say_put_back(parts: LearningParts, memory: Memory) -> None:
    state = parts.record.state
    records = list(state.records.values())
    own = parts.memories.get(state.replaced_by_own.get(memory.id, ""))
    by = [shown(own).text] if own is not None else []
    by += [one.text for one in records if one.before == memory.id and one.state in _REPLACES]
    states = {one.state for one in records if one.memory == memory.id}
    if memory.id in state.forgotten or (states and not states & STANDING):
        what = "taken back"
    else:
        what = "replaced" if by or memory.stands else "kept"
    what += f" by “{by[-1]}”" if by else ""
    parts.home.notes.say(
        f"“{shown(memory).text}” was {what}, and its file was put back by hand, so it is "
        f"yours now. To remove it: conch memory forget {memory.id}",
        where=parts.home.memory.name,
    )


def _stands_otherwise(parts: LearningParts, record: Record) -> bool:
    """Whether a memory that is gone was replaced, or says what a live one says."""
    records = parts.record.state.records.values()
    if any(one.before == record.memory and one.state in _REPLACES for one in records):
        return True
    if record.memory in parts.record.state.replaced_by_own:
        return True
    if any(same(memory.text, record.text) for memory in parts.memories.all()):
        return True
    return conflicting(record.text, parts.memories.usable(), parts.meaning) is not None


def _note_forgotten(parts: LearningParts, memory: str) -> None:
    """Write down that the person deleted what used to be true, so that nobody looks for it."""
    intent = Forgot(id=new_id("forgot"), memory=memory, earlier=True)
    parts.record.write("forgot", intent)
    parts.record.write("done", Done(id=intent.id))
