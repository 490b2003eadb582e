"""The assistant's `remember`: what it may save, through the never-list and the check, with Undo.

What is never learned, and anything in a quiet chat or while learning is off, is saved only when
the person asked for it (`remember_rows.py`). A save after something was read from outside, where
nobody watches, of words brought in from elsewhere, or of something the person took back, waits
for the person (spec 0088 §6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from conch.chats.events import Event, PersonMessage
from conch.chats.heads import ChatHead, is_own_here
from conch.chats.left_out import left_out
from conch.chats.taints import taints_in
from conch.guard.characters import canonical
from conch.guard.check import CheckContext, check_memory
from conch.guard.key_secrets import key_shaped
from conch.guard.own import mostly_said
from conch.guard.redactor import MASK
from conch.guard.secrets import has_secret
from conch.guard.taints import Taint, what_was_read
from conch.home.ids import new_id
from conch.learning.apply import apply_look
from conch.learning.asked_for import asked_for, asks_something
from conch.learning.conflict import conflicting
from conch.learning.gate import NOBODY_SEES
from conch.learning.never import match_never
from conch.learning.parts import LearningParts
from conch.learning.reading import first_readable
from conch.learning.record import Decided, Record
from conch.learning.remember_rows import Saving, refused
from conch.learning.stating import statements
from conch.memory.memory import Held, Memory, MemoryKind, Provenance
from conch.words.likeness import same
from conch.words.prose import own_prose
from conch.words.tokens import shares_a_word

_TEXT_AT_MOST = 2_000


@dataclass(frozen=True)
class Remembered:
    """What became of a `remember`. `why` says why it waits or was refused, in plain words."""

    outcome: Literal["saved", "waits", "known", "refused"]
    text: str
    memory: str = ""
    record: str = ""
    why: str = ""


@dataclass(frozen=True)
class _Words:
    """The person's own prose in a chat, as far as it still stands.

    `typed`: said to Conch, and may be read. `brought`: brought in from elsewhere, and may be read.
    `now`, `before`: the turn's own message and the one before it, whole; "" in a turn of somebody
    else's.
    """

    typed: tuple[str, ...]
    brought: tuple[str, ...]
    now: str
    before: str


class Remembering:
    """Saves what the assistant asks to remember, through the same record as quiet learning."""

    def __init__(self, parts: LearningParts) -> None:
        self._parts = parts

    def remember(self, chat: str, text: str, kind: MemoryKind) -> Remembered:
        """Save `text` for the chat's person; the agent's words are untrusted input.

        A secret is refused and never written, and so is what is never learned unless the person
        asked for it; a repeat is known already; a conflict with a memory replaces it, or waits
        when that memory is the person's own.
        """
        parts = self._parts
        text = " ".join(text.split())
        if not 3 <= len(text) <= _TEXT_AT_MOST:
            return Remembered("refused", text[:80], why="A memory is 3 to 2,000 characters long.")
        if self._holds_a_secret(text):
            return Remembered("refused", "", why="It holds a password, key or code.")
        memories = parts.memories.all()
        head = parts.chats.find(chat)
        events = parts.chats.log(chat).events()
        read = tuple(taint for _, taint in taints_in(events))
        words = self._words(events, head)
        asked = asked_for(text, words.now, words.before)
        said = words.typed
        if asked:
            said = (*said, *(own_prose(one).text for one in (words.before, words.now)))
        known = next((memory for memory in memories if same(memory.text, text)), None)
        if known is not None:
            if not read and not _nobody_saw(head, brought=False):
                self._said_themself(known, said)
            why = " ".join((known.waits, *(known.held.reasons if known.held else ()))).strip()
            outcome = "known" if known.usable else "waits"
            return Remembered(outcome, known.text, known.id, known.learned, why)
        if not asked:
            saving = Saving(
                text,
                (*words.typed, *words.brought),
                quiet=head is not None and head.quiet,
                off=not parts.home.settings().auto_memory,
                read=read,
                asks=asks_something(words.now),
            )
            no = refused(saving, parts.meaning)
            if no is not None:
                return Remembered("refused", "", why=no[1])
        brought = bool(words.brought) and not asked and not mostly_said(text, said)
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
        waits = self._why_it_waits(text, read, _nobody_saw(head, brought), old)
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
            source="import" if brought else "assistant",
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
            said_when={memory.id: now},
        )
        parts.record.write("decided", decided)
        apply_look(parts, decided)
        record = parts.record.state.records[record.id]
        why = " ".join(record.waits)
        outcome = "waits" if record.state == "waiting" else "saved"
        return Remembered(outcome, memory.text, memory.id, record.id, why)

    def _holds_a_secret(self, text: str) -> bool:
        plain = canonical(text)
        return (
            MASK in text
            or any(has_secret(one) or key_shaped(one) for one in (text, plain))
            or self._parts.redactor.redact_known(text) != text
        )

    def _said_themself(self, known: Memory, said: tuple[str, ...]) -> None:
        """What was known from outside is the person's own once they state it in its words."""
        stated = tuple(statements(one) for one in said if shares_a_word(one, known.text))
        check = check_memory(known.text, CheckContext(via="remember", said=stated))
        if known.from_outside and check.verdict == "pass" and check.yours:
            self._parts.memories.make_own(known.id, known.words_hash, "assistant")

    def _words(self, events: Sequence[Event], head: ChatHead | None) -> _Words:
        not_meant = left_out(events)
        standing = [
            event
            for event in events
            if isinstance(event, PersonMessage) and event.seq not in not_meant
        ]
        own = [event for event in standing if not event.who]
        readable = first_readable(events, self._parts.record.state.switched_on)
        origin = head.origin if head is not None else "guest"
        typed: list[str] = []
        brought: list[str] = []
        for event in own:
            if event.seq > readable:
                here = typed if is_own_here(event, origin) else brought
                here.append(own_prose(event.text).text)
        now, before = "", ""
        # In a turn of somebody else's, or of words brought in, nobody asks for anything.
        if own and own[-1] is standing[-1] and is_own_here(own[-1], origin):
            now = own[-1].text
            if len(own) > 1 and is_own_here(own[-2], origin):
                before = own[-2].text
        return _Words(tuple(typed), tuple(brought), now, before)

    def _why_it_waits(
        self, text: str, read: tuple[Taint, ...], unseen: str, old: Memory | None
    ) -> list[str]:
        parts = self._parts
        reasons: list[str] = []
        if read:
            reasons.append(f"Learned in a chat that {what_was_read(read)}.")
        if unseen:
            reasons.append(unseen)
        taken_back = match_never(text, parts.never.items(), parts.meaning)
        if taken_back is not None:
            reasons.append(f"You took back something like it: {taken_back[1].text[:120]}")
        if old is not None and old.source == "you":
            reasons.append("It would replace a memory you wrote yourself.")
        return reasons


def _nobody_saw(head: ChatHead | None, brought: bool) -> str:
    """Why nobody saw it said here, "" where the person did.

    A chat that was brought in and carried on here is watched, but not what was brought.
    """
    if brought:
        return NOBODY_SEES["imported"]
    watched = head is not None and head.origin in ("own", "imported")
    return "" if watched else "Nobody was there to see it."
