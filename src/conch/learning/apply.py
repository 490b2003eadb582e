"""Carrying out what a look decided: files first, then *done*, then the line in the chat.

Everything here may be done twice, or be cut off anywhere and done again, with the same end: that is
how a crash loses nothing and says nothing twice (docs/adr/0003-exactly-once.md).
"""

from __future__ import annotations

from conch.chats.events import LearnedItem, LearningNoted, MemorySaved
from conch.learning.parts import LearningParts
from conch.learning.record import STANDING, Decided, Done, Record, SaidLooks
from conch.memory.memory import words_hash

_CHANGED_MEANWHILE = "The memory it would replace was changed meanwhile."


def apply_look(parts: LearningParts, decided: Decided) -> None:
    """Write the memories of a decided look, new before old is moved, then journal *done*.

    A memory to be replaced whose words changed since the look decided stays as it is, and the new
    one is written to wait.
    """
    with parts.carrying:
        waits: dict[str, str] = {}
        for record in decided.records:
            reason = _write_one(parts, record, decided.files[record.id])
            if reason:
                waits[record.id] = reason
            if decided.trigger == "tool":
                _note_saved(parts, record, reason)
        parts.record.write("done", Done(id=decided.look, waits=waits))


def _write_one(parts: LearningParts, record: Record, file: str) -> str:
    """Write one memory and move what it replaces; gives why it has to wait, "" when it doesn't."""
    memories = parts.memories
    data = file.encode("utf-8")
    now = parts.record.state.records.get(record.id, record)
    if now.state not in STANDING:
        return ""  # It was taken back before all of this was done.
    if record.state != "applied" or not record.before:
        memories.write_planned(record.memory, data)
        return ""
    old = memories.get(record.before)
    if old is None or (words_hash(old.text) == record.before_hash and old.usable):
        memories.write_planned(record.memory, data)
        if old is not None:
            memories.retire(record.before, record.invalid_at or record.at, record.memory)
        return ""
    new = memories.get(record.memory)
    if new is None or memories.raw(record.memory) == data:
        waiting = memories.made_waiting(data, _CHANGED_MEANWHILE, old)
        memories.write_planned(record.memory, waiting)
        memories.rewrite_planned(record.memory, waiting)
    elif new.stands:
        return ""  # The person changed both since: the two are theirs now.
    return _CHANGED_MEANWHILE


def _note_saved(parts: LearningParts, record: Record, reason: str) -> None:
    """Say in the chat's log, once, what the assistant's `remember` saved."""
    if parts.chats.find(record.chat) is None:
        return
    log = parts.chats.log(record.chat)
    for event in log.events():
        if isinstance(event, MemorySaved) and event.memory == record.memory:
            return
    waits = " ".join((*record.waits, reason)).strip()
    log.append(MemorySaved(memory=record.memory, text=record.text, waits=waits))


def say_what_was_learned(parts: LearningParts, chat: str) -> bool:
    """Append one quiet line for every look of `chat` not yet said; False when there was nothing.

    It waits while a turn runs. The log is searched for each record before it is said, so each is
    said exactly once.
    """
    with parts.carrying:
        return _say(parts, chat)


def _say(parts: LearningParts, chat: str) -> bool:
    state = parts.record.state
    looks = tuple(state.unsaid.get(chat, ()))
    if not looks:
        return False
    head = parts.chats.find(chat)
    if head is not None and head.running:
        return False
    records: list[Record] = []
    if head is not None:
        log = parts.chats.log(chat)
        notes = [event for event in log.events() if isinstance(event, LearningNoted)]
        said = {item.record for note in notes for item in note.items}
        records = [one for one in state.records_of(looks, chat) if one.id not in said]
        if records:
            log.append(LearningNoted(look=looks[-1], items=[_item(one) for one in records]))
    parts.record.write("said", SaidLooks(chat=chat, looks=looks))
    return bool(records)


def _item(record: Record) -> LearnedItem:
    return LearnedItem(
        record=record.id,
        text=record.text,
        state="waits" if record.state == "waiting" else "applied",
        waits=" ".join(record.waits),
        was=record.before_text,
    )
