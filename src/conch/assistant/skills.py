"""Everything about skills that one home's Conch holds: library, use, offers, shelf."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from conch.assistant.skills_in_chat import SkillsInChat
from conch.chats.events import ChatStarted
from conch.chats.turns import turns
from conch.home.errors import ConchError
from conch.learning.parts import LearningParts
from conch.skills.asking import ProposingParts
from conch.skills.compare import Comparison, compare
from conch.skills.habit_offers import SIGNAL, HabitOffers
from conch.skills.library import Library, Skill
from conch.skills.offers import Offer, Offers
from conch.skills.proposing import Proposed, Proposing
from conch.skills.shelf import Shelf
from conch.skills.usage import SkillUsage
from conch.skills.uses import UseOutcome, outcomes_in

SWEEP_SECONDS = 2.0
HABITS_EVERY = timedelta(hours=6)
_QUIET_FOR = timedelta(minutes=5)
_AGAIN_SECONDS = 60.0
_RECENT = timedelta(days=1)
_WAIT_AND_SEE = frozenset(
    (
        "running",
        "five wait",
        "later",
        "no model",
        "no room to pay",
        "no answer",
        "not over yet",
        "failed",
    )
)
"""Reasons that may be gone without the chat having changed."""


class Skills:
    """The skills of one home. `others`: other apps' folders of skills, by the app's name."""

    def __init__(self, parts: LearningParts, others: Sequence[tuple[str, Path]] = ()) -> None:
        self._parts = parts
        home = parts.home
        self.library = Library(home, others)
        self.usage = SkillUsage(home)
        self.offers = Offers(home, self.library, self.usage)
        self.shelf = Shelf(self.library, self.usage)
        self.in_chat = SkillsInChat(self.library, self.usage, parts.chats)
        proposing = ProposingParts(
            home=home,
            chats=parts.chats,
            engines=parts.engines,
            usage=parts.usage,
            plan=parts.plan,
            spend=parts.spend,
            redactor=parts.redactor,
            library=self.library,
            offers=self.offers,
            meaning=parts.meaning,
        )
        self.proposing = Proposing(proposing)
        self.habits = HabitOffers(proposing)
        self._looked: datetime | None = None
        """When habits were looked for last. Begun again after a failure, `run` waits as long."""
        self._considered: dict[str, tuple[int, float]] = {}
        self._came: dict[str, tuple[int, list[UseOutcome]]] = {}

    async def run(self) -> None:
        """Look at chats whose turn has just ended, until cancelled."""
        while True:
            await self.sweep()
            now = self._parts.home.clock.now()
            due = self._looked is None or now - self._looked >= HABITS_EVERY
            if due and not self._is_busy():
                self._looked = now
                await self.habits.consider()
            await asyncio.sleep(SWEEP_SECONDS)

    def _is_busy(self) -> bool:
        """Whether a turn runs or somebody wrote in the last minutes: finding habits takes time."""
        now = self._parts.home.clock.now()
        newest = self._parts.chats.heads(1)
        return any(
            head.running or head.updated is None or now - head.updated < _QUIET_FOR
            for head in newest
        )

    async def sweep(self) -> list[Proposed]:
        """Look at every chat of the last day that changed since it was looked at.

        What may come out otherwise without the chat changing is looked at again in a minute.
        """
        found: list[Proposed] = []
        now = self._parts.home.clock.now()
        for head in await asyncio.to_thread(self._parts.chats.heads):
            if head.updated is None or now - head.updated > _RECENT:
                continue
            if head.running or head.waiting or head.origin not in ("own", "channel"):
                continue
            seq, again = self._considered.get(head.id, (0, 0.0))
            if seq == head.last_seq and now.timestamp() < again:
                continue
            proposed = await self.proposing.consider(head.id)
            wait = _AGAIN_SECONDS if proposed.why in _WAIT_AND_SEE else float("inf")
            self._considered[head.id] = (head.last_seq, now.timestamp() + wait)
            found.append(proposed)
        return found

    def outcomes(self, skill: str) -> list[tuple[str, UseOutcome]]:
        """What came of each use of the skill with this id, newest first, with the chat's id.

        Read from the logs of the chats it was used in; one is read again only when it has grown.
        """
        found: list[tuple[str, UseOutcome]] = []
        use = self.usage.of(skill)
        if use.used is None:
            return found
        for head in self._parts.chats.heads():
            if use.says_where and head.id not in use.chats:
                continue
            seq, came = self._came.get(head.id, (-1, []))
            if seq != head.last_seq:
                events = self._parts.chats.log(head.id).events()
                came = outcomes_in(events, self._parts.meaning)
                self._came[head.id] = (head.last_seq, came)
            found += [(head.id, one) for one in came if one.skill == skill]
        return sorted(found, key=lambda one: str(one[1].at), reverse=True)

    def compared(self, skill: Skill) -> tuple[str, Comparison]:
        """A skill beside the chat that used it last, with that chat's id. Changes nothing.

        Raises ConchError where no chat that is there used it.
        """
        for chat, use in self.outcomes(skill.id):
            events = self._parts.chats.log(chat).events()
            started = events[0] if isinstance(events[0], ChatStarted) else None
            # The work a skill shaped goes on until the person stops it or the chat ends.
            work = [one for one in turns(events) if one.last_seq >= use.seq]
            folder = started.folder if started else ""
            return chat, compare(skill.instructions, skill.permissions, work, folder)
        raise ConchError(
            f"No chat that is there used “{skill.title}”.",
            "Nothing changed.",
            f"Use it in one: /{skill.id} what you want",
        )

    def offer_in(self, chat: str) -> Offer | None:
        """The open offer a chat earned, None when there is none."""
        return next((one for one in self.earned() if one.chat == chat), None)

    def earned(self) -> list[Offer]:
        """The open offers that one chat's work earned; a habit's belong to no one chat."""
        return [one for one in self.offers.open() if one.signal != SIGNAL]
