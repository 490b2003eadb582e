"""The assistant's `remember`: its memories meet the never-list and the check, and can be undone.

A save after something was read from outside, where nobody watches, or of something the person
took back, waits for the person (spec 0088 §6; issue: `remember` after a taint).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from conch.chats.events import PersonMessage
from conch.chats.left_out import left_out
from conch.chats.taints import taints_in
from conch.guard.check import CheckContext, check_memory
from conch.guard.redactor import MASK
from conch.guard.secrets import has_secret
from conch.guard.taints import Taint, what_was_read
from conch.home.ids import new_id
from conch.learning.apply import apply_look
from conch.learning.conflict import conflicting
from conch.learning.never import match_never
from conch.learning.parts import LearningParts
from conch.learning.record import Decided, Record
from conch.memory.memory import Held, Memory, MemoryKind, Provenance
from conch.words.likeness import same
from conch.words.prose import own_prose

_TEXT_AT_MOST = 2_000


@dataclass(frozen=True)
class Remembered:
    """What became of a `remember`. `why` says why it waits or was refused, in plain words."""

    outcome: Literal["saved", "waits", "known", "refused"]
    text: str
    memory: str = ""
    record: str = ""
    why: str = ""


class Remembering:
    """Saves what the assistant asks to remember, through the same record as quiet learning."""

    def __init__(self, parts: LearningParts) -> None:
        self._parts = parts

    def remember(self, chat: str, text: str, kind: MemoryKind) -> Remembered:
        """Save `text` for the chat's person; the agent's words are untrusted input.

        A secret is refused and never written; a repeat is known already; a conflict with a memory
        replaces it, or waits when that memory is the person's own.
        """
        parts = self._parts
        text = " ".join(text.split())
        if not 3 <= len(text) <= _TEXT_AT_MOST:
            return Remembered("refused", text[:80], why="A memory is 3 to 2,000 characters long.")
        if MASK in text or has_secret(text) or parts.redactor.redact_known(text) != text:
            return Remembered("refused", "", why="It holds a password, key or code.")
        memories = parts.memories.all()
        known = next((memory for memory in memories if same(memory.text, text)), None)
        if known is not None:
            why = " ".join((known.waits, *(known.held.reasons if known.held else ()))).strip()
            outcome = "known" if known.usable else "waits"
            return Remembered(outcome, known.text, known.id, known.learned, why)
        head = parts.chats.find(chat)
        events = parts.chats.log(chat).events()
        read = tuple(taint for _, taint in taints_in(events))
        not_meant = left_out(events)
        said = tuple(
            own_prose(event.text).text
            for event in events
            if isinstance(event, PersonMessage) and not event.who and event.seq not in not_meant
        )
        now = parts.home.clock.now()
        recent = tuple(
            memory.text
            for memory in memories
            if memory.chat == chat and now - memory.created < timedelta(hours=1)
        )
        outputs = tuple(str(getattr(event, "output", "")) for event in events)
        context = CheckContext(
            via="remember", read=read, said=said, read_text=outputs if read else (), recent=recent
        )
        check = check_memory(text, context)
        old = conflicting(text, [one for one in memories if one.usable], parts.meaning)
        waits = self._why_it_waits(text, read, head is not None and head.origin == "own", old)
        held = (
            None
            if check.verdict == "pass"
            else Held(check.verdict, tuple(reason.sentence for reason in check.reasons))
        )
        look = new_id("look")
        memory = Memory(
            id=new_id("m"),
            text=text,
            kind=kind,
            source="assistant",
            created=now,
            updated=now,
            chat=chat,
            learned=f"{look}:0",
            waits=" ".join(waits),
            held=held,
            provenance=Provenance(
                read=tuple(f"{taint.kind}:{taint.label}" for taint in read), yours=check.yours
            ),
        )
        if old is not None and not memory.usable:
            memory = replace(memory, replaces=old.id, replaces_hash=old.words_hash)
        memory, data = parts.memories.plan(memory, context)
        record = Record(
            id=memory.learned,
            at=now,
            chat=chat,
            chat_title=head.title if head else "",
            trigger="tool",
            memory=memory.id,
            kind=memory.kind,
            text=memory.text,
            change="superseded" if old else "added",
            before=old.id if old else "",
            before_text=old.text if old else "",
            before_hash=old.words_hash if old else "",
            invalid_at=now if old else None,
            waits=tuple(dict.fromkeys((*waits, *(memory.held.reasons if memory.held else ())))),
            state="applied" if memory.usable else "waiting",
        )
        decided = Decided(
            look=look,
            chat=chat,
            trigger="tool",
            records=(record,),
            files={record.id: data.decode("utf-8")},
        )
        parts.record.write("decided", decided)
        apply_look(parts, decided)
        record = parts.record.state.records[record.id]
        why = " ".join(record.waits)
        outcome = "waits" if record.state == "waiting" else "saved"
        return Remembered(outcome, memory.text, memory.id, record.id, why)

    def _why_it_waits(
        self, text: str, read: tuple[Taint, ...], watched: bool, old: Memory | None
    ) -> list[str]:
        parts = self._parts
        reasons: list[str] = []
        if read:
            reasons.append(f"Learned in a chat that {what_was_read(read)}.")
        if not watched:
            reasons.append("Nobody was there to see it.")
        taken_back = match_never(text, parts.never.items(), parts.meaning)
        if taken_back is not None:
            reasons.append(f"You took back something like it: {taken_back[1].text[:120]}")
        if old is not None and old.source == "you":
            reasons.append("It would replace a memory you wrote yourself.")
        return reasons
