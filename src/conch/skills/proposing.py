"""From work that went well to an offer: one cheap completion, by who saw the chat (spec 0058 §2).

Nothing here saves or turns on a skill. A failure before any answer leaves the chat its chance, at
most three times, an hour apart; any answer uses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from conch.chats.events import Event, TurnCompleted
from conch.engines.engine import Engine
from conch.guard.permissions import permissions_of
from conch.guard.taints import what_was_read
from conch.home.errors import ConchError
from conch.skills.asking import Asking, ProposingParts, language_of
from conch.skills.draft import Draft, DraftContext, Refused, check_draft
from conch.skills.offers import Offer
from conch.skills.prompting import draft_prompt
from conch.skills.standing import Standing, may_be_offered, stands_in_the_way
from conch.skills.work import Ending, NotKept, WhyNot, Work, assess

WhyNone = Literal[
    WhyNot, "quiet", "no model", "no room to pay", "no answer", "refused", "later", "failed"
]

_ASKED_KEPT, _LONGEST_ASKED = 3, 300
READ_IT = "Read the steps before you save it."


@dataclass(frozen=True)
class Proposed:
    """What came of looking at a chat: an offer, or why there is none."""

    offer: Offer | None = None
    why: WhyNone | Literal[""] = ""
    detail: str = ""


class Proposing:
    """Looks at chats for work worth a skill, one at a time."""

    def __init__(self, parts: ProposingParts) -> None:
        self._parts = parts
        self._asking = Asking(parts)
        self._one_at_a_time = asyncio.Lock()

    async def consider(
        self, chat: str, ending: Ending | None = None, routine: str = ""
    ) -> Proposed:
        """Offer how the work at a chat's end was done, if it may be. `routine` is the routine's id:
        its runs share one chance. Never raises for what a model or a file does: a chat deleted
        meanwhile, or a disk that refuses, is `failed`, and how in `detail`."""
        async with self._one_at_a_time:
            key = f"routine:{routine}" if routine else chat
            try:
                return await self._considered(chat, key, ending or Ending())
            except (ConchError, OSError) as error:
                return Proposed(why="failed", detail=str(error))

    async def _considered(self, chat: str, key: str, ending: Ending) -> Proposed:
        parts = self._parts
        head = parts.chats.find(chat)
        if head is None:
            return Proposed(why="nothing")
        if head.quiet:
            return Proposed(why="quiet")
        if head.running or head.waiting:
            return Proposed(why="running")
        if parts.offers.had_its_chance(key):
            return Proposed(why="offered before")
        events = await asyncio.to_thread(parts.chats.log(chat).events)
        head = parts.chats.find(chat)
        if head is None or head.quiet:
            # Reading sets aside what a crash cut off, which may have been a mark.
            return Proposed(why="quiet")
        work = await asyncio.to_thread(assess, events, ending, parts.meaning)
        if isinstance(work, NotKept):
            return Proposed(why=work.reason)
        standing = await asyncio.to_thread(self._standing)
        refused = await asyncio.to_thread(may_be_offered, work, standing, parts.meaning)
        if refused is not None:
            return Proposed(why=refused.reason)
        if not parts.offers.may_try(key):
            return Proposed(why="later")
        engine = self._who_saw(events, work)
        if engine is None:
            return Proposed(why="no model")
        if not self._asking.may_pay(engine):
            return Proposed(why="no room to pay")
        parts.offers.trying(key)
        system, user = draft_prompt(work, language_of("\n".join(work.asked)))
        completed = await self._asking.ask(engine, system, user, chat)
        if completed is None:
            return Proposed(why="no answer")
        if isinstance(completed, str):
            parts.offers.answered(key, offer=None)
            return Proposed(why="refused", detail=completed)
        return await asyncio.to_thread(self._read, completed.text, work, key, chat, head.title)

    def _standing(self) -> Standing:
        return Standing(
            waiting=len(self._parts.offers.open()),
            skills=tuple(f"{s.title}. {s.description}" for s in self._parts.library.skills()),
            turned_down=self._parts.offers.turned_down(),
        )

    def _who_saw(self, events: Sequence[Event], work: Work) -> Engine | None:
        """The provider that was sent every turn of the work, else a model on this computer."""
        ends = [event for event in events if isinstance(event, TurnCompleted)]
        spans = [(one.sent_from, one.seq) for one in ends if one.engine == work.engine]
        seen = all(any(low <= seq <= high for low, high in spans) for seq in work.message_seqs)
        engine = self._parts.engines.get(work.engine) if work.engine and seen else None
        return engine or self._parts.engines.local()

    def _read(self, answer: str, work: Work, key: str, chat: str, title: str) -> Proposed:
        """The draft read as strictly as any skill; the offer and its chance are one write."""
        parts = self._parts
        outside = tuple(one for one in work.taints if one.kind != "person")
        context = DraftContext(
            said=work.said,
            steps=work.steps,
            folder=work.folder,
            tainted=bool(outside),
            redact=parts.redactor.redact_known,
        )
        found = check_draft(answer, context)
        if isinstance(found, Refused):
            parts.offers.answered(key, offer=None)
            return Proposed(why="refused", detail=f"{found.why}: {found.detail}".strip(": "))
        # What was saved or turned down while the model wrote counts too.
        again = stands_in_the_way(
            [f"{found.title}. {found.description}", *work.asked], self._standing(), parts.meaning
        )
        if again is not None:
            parts.offers.answered(key, offer=None)
            return Proposed(why=again.reason)
        note = f"Learned in a chat that {what_was_read(outside)}. {READ_IT}" if outside else ""
        offer = self._offer(found, work, key, chat, title, note)
        parts.offers.answered(key, offer=offer)
        return Proposed(offer)

    def _offer(self, draft: Draft, work: Work, key: str, chat: str, title: str, note: str) -> Offer:
        went_well = [(step.tool, step.input) for step in work.steps if step.ok]
        redact = self._parts.redactor.redact
        return self._parts.offers.new(
            key=key,
            chat=chat,
            chat_title=title,
            ended_seq=work.ended_seq,
            signal=work.signal,
            steps=len(work.steps),
            asked=[redact(text)[:_LONGEST_ASKED] for text in work.asked[-_ASKED_KEPT:]],
            title=draft.title,
            description=draft.description,
            instructions=draft.instructions,
            permissions=permissions_of(went_well, work.folder).spelled(),
            note=note,
        )
