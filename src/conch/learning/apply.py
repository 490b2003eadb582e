"""Carrying out what a look decided: files first, then *done*, then the line in the chat.

Everything here may be done twice, or be cut off anywhere and done again, with the same end: that is
how a crash loses nothing and says nothing twice (docs/adr/0003-exactly-once.md).
"""

from __future__ import annotations

from conch.chats.events import LearnedItem, LearningNoted
from conch.learning.parts import LearningParts
from conch.learning.record import Decided, Done, Record, SaidLooks
from conch.memory.memory import words_hash


def apply_look(parts: LearningParts, decided: Decided) -> None:
    """Write the memories of a decided look, new before old is moved, then journal *done*.

    A memory to be replaced whose words changed since the look decided stays as it is, and the new
    one is written to wait.
    """
    waits: dict[str, str] = {}
    for record in decided.records:
        reason = _write_one(parts, record, decided.files[record.id])
        if reason:
            waits[record.id] = reason
    parts.record.write("done", Done(id=decided.look, waits=waits))


def _write_one(parts: LearningParts, record: Record, file: str) -> str:
    memories = parts.memories
    data = file.encode("utf-8")
    if record.state != "applied" or not record.before:
        memories.write_planned(record.memory, data)
        return ""
    old = memories.get(record.before)
    changed = old is not None and words_hash(old.text) != record.before_hash
    if changed and memories.get(record.memory) is None:
        reason = "The memory it would replace was changed meanwhile."
        memories.write_planned(record.memory, memories.made_waiting(data, reason, old))
        return reason
    memories.write_planned(record.memory, data)
    if old is not None and not changed:
        memories.retire(record.before, record.invalid_at or record.at, record.memory)
    return ""


def say_what_was_learned(parts: LearningParts, chat: str) -> bool:
    """Append one quiet line for every look of `chat` not yet said; False when there was nothing.

    It waits while a turn runs. The log is searched for each record before it is said, so each is
    said exactly once.
    """
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
