"""Everything about skills that one home's Conch holds: library, use, offers, shelf."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from conch.assistant.skills_in_chat import SkillsInChat
from conch.learning.parts import LearningParts
from conch.skills.library import Library
from conch.skills.offers import Offer, Offers
from conch.skills.proposing import Proposed, Proposing, ProposingParts
from conch.skills.shelf import Shelf
from conch.skills.usage import SkillUsage

SWEEP_SECONDS = 2.0
_RECENT = timedelta(days=7)
_WAIT_AND_SEE = frozenset(
    ("running", "five wait", "later", "no model", "no room to pay", "no answer", "not over yet")
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
        self.proposing = Proposing(
            ProposingParts(
                home=home,
                chats=parts.chats,
                engines=parts.engines,
                usage=parts.usage,
                plan=parts.plan,
                redactor=parts.redactor,
                library=self.library,
                offers=self.offers,
                meaning=parts.meaning,
            )
        )
        self._considered: dict[str, int] = {}
        self._offered_here: dict[str, str] = {}

    async def run(self) -> None:
        """Look at chats whose turn has just ended, until cancelled."""
        while True:
            await self.sweep()
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> list[Proposed]:
        """Look once at every recent chat that changed since it was looked at."""
        found: list[Proposed] = []
        now = self._parts.home.clock.now()
        settled = len(self.offers.open()) < 5
        for head in await asyncio.to_thread(self._parts.chats.heads):
            if head.updated is None or now - head.updated > _RECENT:
                break
            if head.running or head.waiting or head.origin not in ("own", "channel"):
                continue
            if self._considered.get(head.id) == head.last_seq:
                continue
            proposed = await self.proposing.consider(head.id)
            if proposed.why not in _WAIT_AND_SEE or (proposed.why == "five wait" and not settled):
                self._considered[head.id] = head.last_seq
            if proposed.offer is not None:
                self._offered_here[head.id] = proposed.offer.id
            found.append(proposed)
        return found

    def offer_in(self, chat: str) -> Offer | None:
        """The open offer a chat earned, None when there is none."""
        return next((one for one in self.offers.open() if one.chat == chat), None)
