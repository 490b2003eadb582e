"""Quiet learning for one home: what the rest of Conch calls (spec 0088)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from conch.chats.heads import NEVER_LOOKED_AT
from conch.engines.engine import Engine
from conch.engines.prices import worst_price
from conch.home.errors import ConchError
from conch.learning.answers import AnswerResult, Answers
from conch.learning.asking import count_what_was_cut_off
from conch.learning.look import Look
from conch.learning.outcomes import LookResult
from conch.learning.own_words import add_own, bring_back, edit_own, restore
from conch.learning.parts import LearningParts
from conch.learning.record import Pointer, Record, Trigger
from conch.learning.recovery import (
    carry_through,
    notice_what_is_gone,
    notice_what_is_put_back,
)
from conch.learning.remembering import Remembered, Remembering
from conch.learning.review import ANSWER_TOKENS
from conch.learning.sweep import Sweep
from conch.memory.consents import Consent
from conch.memory.memory import Memory, MemoryKind

REVIEW_READS_AT_MOST = 20_000
"""Characters: instructions, 6,000 of words, memories and steps of one review."""


@dataclass(frozen=True)
class BroughtPlan:
    """The chats brought in that were not read yet, and the most reading them can cost."""

    chats: tuple[str, ...]
    worst_usd: float


class QuietLearning:
    """Looks at chats once they go quiet, and carries out the person's answers.

    Everything that writes goes through the one process that holds the home (design.md, "One
    writer"); reading (`records`) may be done by any.
    """

    def __init__(self, parts: LearningParts) -> None:
        self.parts = parts
        self._look = Look(parts)
        self._answers = Answers(parts)
        self._remembering = Remembering(parts)
        self.sweep = Sweep(parts, self._look)

    def start(self) -> int:
        """Carry through what a crash cut off; gives how many things there were."""
        with contextlib.suppress(OSError):
            # A disk that refuses keeps them for the next start.
            count_what_was_cut_off(self.parts)
        count = carry_through(self.parts)
        notice_what_is_put_back(self.parts)
        notice_what_is_gone(self.parts)
        return count

    def notice_what_is_put_back(self) -> int:
        """Make the person's own what they put back by hand; gives how many memories there were."""
        return notice_what_is_put_back(self.parts)

    async def look(
        self,
        chat: str,
        trigger: Trigger = "asked",
        *,
        before: int | None = None,
        by: Engine | None = None,
        taken: asyncio.Event | None = None,
    ) -> LookResult:
        """Look at one chat now (archived, its start summarised, or asked for).

        `taken` is set once it stands which words are read.
        """
        return await self._look.look(chat, trigger, before=before, by=by, taken=taken)

    async def end_looks(self, patience: float) -> bool:
        """Begin no look any more, and wait for the one that runs; gives whether it ended.

        `patience` in seconds; a question cut off after it counts as paid, and its chat waits.
        """
        return await self._look.end(patience)

    @property
    def looking(self) -> bool:
        """Whether a look is going on."""
        return self._look.going_on

    def remember(self, chat: str, text: str, kind: MemoryKind = "fact") -> Remembered:
        """What the assistant's `remember` asks for: written, or made to wait, or refused."""
        with self.parts.carrying:
            return self._remembering.remember(chat, text, kind)

    def undo(self, record_id: str) -> AnswerResult:
        with self.parts.carrying:
            return self._answers.undo(record_id)

    def keep(self, record_id: str, consent: Consent) -> AnswerResult:
        with self.parts.carrying:
            return self._answers.keep(record_id, consent)

    def forget(self, record_id: str) -> AnswerResult:
        with self.parts.carrying:
            return self._answers.forget(record_id)

    def forget_memory(self, memory_id: str) -> Memory:
        """The person forgets a memory; one Conch wrote goes on the never-list (spec 0088 §6).

        Raises ConchError when there is no such memory.
        """
        memory = self.parts.memories.get(memory_id)
        if memory is None:
            raise ConchError(
                "There is no such memory.",
                kept="Nothing changed.",
                do="conch memory list shows them.",
            )
        record = self.parts.record.state.record_of_memory(memory_id)
        if record is not None:
            self.forget(record.id)
        else:
            self._forget_unrecorded(memory)
        return memory

    def forget_earlier(self, memory_id: str) -> Memory:
        """The person forgets a copy of what used to be true; nothing live is touched.

        Raises ConchError when there is no such copy.
        """
        copies = self.parts.memories.earlier()
        copy = next((one for one in copies if one.id == memory_id), None)
        if copy is None:
            raise ConchError(
                "There is no such earlier memory.",
                kept="Nothing changed.",
                do="conch memory earlier lists them.",
            )
        self._forget_unrecorded(copy)
        return copy

    def _forget_unrecorded(self, memory: Memory) -> None:
        with self.parts.carrying:
            self._answers.forget_unrecorded(memory)

    def restore(self, memory_id: str) -> tuple[Memory, tuple[Memory, ...]]:
        """Have what used to be true back; gives it, and what it takes the place of."""
        with self.parts.carrying:
            return restore(self.parts, memory_id)

    def add_own(self, text: str, kind: MemoryKind | None = "fact") -> Memory:
        """Save a memory in the person's own words; without a `kind` its words tell it."""
        with self.parts.carrying:
            return add_own(self.parts, text, kind)

    def bring_back(self, forgotten: Memory) -> Memory:
        """Bring back a memory the person just forgot, as one they chose to have."""
        with self.parts.carrying:
            return bring_back(self.parts, forgotten)

    def edit_own(self, memory_id: str, text: str, by_person: Consent) -> Memory:
        """Save the person's new words for a memory; `by_person` is for exactly those."""
        with self.parts.carrying:
            return edit_own(self.parts, memory_id, text, by_person)

    def unread(self) -> list[str]:
        """Chats that may be learned from and hold words past where the last look stopped."""
        pointers = self.parts.record.state.pointers
        return [
            head.id
            for head in self.parts.chats.heads()
            if head.origin not in NEVER_LOOKED_AT
            and not head.quiet
            and not head.running
            and not head.waiting
            and head.last_typed_seq > pointers.get(head.id, Pointer()).seq
        ]

    def brought(self, engine: Engine) -> BroughtPlan:
        """What reading the chats that were brought in would take, newest first, and at most cost.

        `worst_usd` is 0.0 for an engine that is free or a plan.
        """
        read_to = self.parts.record.state.brought
        heads = [
            head
            for head in self.parts.chats.heads()
            if head.origin == "imported"
            and not head.quiet
            and head.last_brought_seq > read_to.get(head.id, Pointer()).seq
        ]
        one = worst_price(engine, engine.default_model, REVIEW_READS_AT_MOST, ANSWER_TOKENS)
        worst = 2 * one * len(heads) if engine.billing == "metered" else 0.0
        return BroughtPlan(tuple(head.id for head in heads), worst)

    def why_not_looked_at(self, chat: str) -> str:
        """Why a chat that was never looked at wasn't, as an outcome's name."""
        head = self.parts.chats.find(chat)
        if not self.parts.home.settings().auto_memory:
            return "off"
        if head is None:
            return "gone"
        if head.quiet:
            return "quiet"
        return "not_yours" if head.origin in NEVER_LOOKED_AT else "not_yet"

    def switch(self, on: bool) -> None:
        """Turn learning on or off; nothing said before it is turned on again is ever read."""
        if on and not self.parts.home.settings().auto_memory:
            # First: cut off in between, it is still off, and what was said is not read.
            self.parts.record.write("switched_on")
        self.parts.home.change_settings(
            lambda settings: settings.model_copy(update={"auto_memory": on, "off_by_damage": False})
        )

    def records(self) -> Sequence[Record]:
        """Everything that was learned, newest first, as it stands now."""
        return list(reversed(self.parts.record.state.records.values()))

    def record(self, reference: str) -> Record | None:
        """The record with this id, or of the memory with this id."""
        records = self.parts.record.state.records
        if reference in records:
            return records[reference]
        return next((one for one in self.records() if one.memory == reference), None)
