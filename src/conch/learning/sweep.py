"""The sweep: every five minutes, at most two quiet chats, one at a time (spec 0088 §1)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from conch.chats.heads import IDLE_FOR, ChatHead
from conch.home.off_loop import off_loop
from conch.learning.apply import say_what_was_learned
from conch.learning.look import Look, within_the_hour
from conch.learning.outcomes import LookResult
from conch.learning.parts import LearningParts
from conch.learning.recovery import (
    carry_through,
    notice_what_is_gone,
    notice_what_is_put_back,
)

SWEEP_EVERY = timedelta(minutes=5)
LOOKS_A_SWEEP = 2


class Sweep:
    """Looks at the chats that are due."""

    def __init__(self, parts: LearningParts, look: Look) -> None:
        self._parts = parts
        self._look = look

    async def once(self) -> list[LookResult]:
        """One sweep: look at no more than two chats, and say what is still unsaid.

        A chat whose last look had to give up is left alone for an hour, so it can neither be paid
        for twice in one nor keep others from their turn.
        """
        await off_loop(self._catch_up)
        results: list[LookResult] = []
        if self._parts.home.settings().auto_memory:
            for chat in self.due():
                result = await self._look.look(chat, "idle")
                results.append(result)
                looked_at = [one for one in results if one.outcome not in _COSTS_NO_LOOK]
                if len(looked_at) == LOOKS_A_SWEEP:
                    break
        await off_loop(self._say_what_is_unsaid)
        return results

    def _catch_up(self) -> None:
        carry_through(self._parts)
        notice_what_is_put_back(self._parts)
        notice_what_is_gone(self._parts)

    def due(self) -> list[str]:
        """Chats that may be looked at now, the longest quiet first; those a look gave up on after
        the rest, so that what nobody can read now keeps no other from its turn."""
        state = self._parts.record.state
        now = self._parts.home.clock.now()
        pointers = {chat: pointer.seq for chat, pointer in state.pointers.items()}
        resting = {chat for chat, last in state.tried.items() if within_the_hour(last.at, now)}
        due = [chat for chat in self._parts.chats.due(now, pointers) if chat not in resting]
        return sorted(due, key=lambda chat: chat in state.tried)

    def _say_what_is_unsaid(self) -> None:
        chats = self._parts.chats
        now = self._parts.home.clock.now()
        for chat in [chat for chat, looks in self._parts.record.state.unsaid.items() if looks]:
            head = chats.find(chat)
            if head is None or head.archived or _went_quiet(head, now):
                say_what_was_learned(self._parts, chat)

    async def run(
        self,
        after: Callable[[list[LookResult]], None] | None = None,
        every: timedelta = SWEEP_EVERY,
    ) -> None:
        """Sweep every five minutes until cancelled; `after` is told the results of each sweep.

        `every` counts in the time that really passes, whatever the home's clock says.
        """
        while True:
            try:
                results = await self.once()
            except Exception as error:
                self._parts.home.notes.say(
                    f"A sweep failed ({type(error).__name__}). Nothing was lost; "
                    "it is tried again in five minutes."
                )
                results = []
            if after is not None:
                after(results)
            await asyncio.sleep(every.total_seconds())


def _went_quiet(head: ChatHead, now: datetime) -> bool:
    return head.last_turn_ended is not None and now - head.last_turn_ended >= IDLE_FOR


_COSTS_NO_LOOK = frozenset(("off", "quiet", "gone", "not_yours", "cut_off"))
