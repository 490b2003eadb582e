"""Whether a step of a turn may be taken: decided by the guard, and by the person where it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from conch.assistant.asking import in_full
from conch.assistant.happenings import Asks, Happening
from conch.chats.events import ApprovalAnswered, ApprovalAsked, Event, PersonMessage
from conch.chats.steps import step_summary
from conch.chats.taints import taints_in
from conch.guard.permissions import Permissions
from conch.guard.steps import AskedStep, Circumstances, decide
from conch.home.ids import new_id
from conch.learning.parts import LearningParts

if TYPE_CHECKING:
    from conch.assistant.hands.hands import TurnHands

HeldTo = Callable[[str], Sequence[Permissions]]
"""The lists of the skills a chat is held to at this moment (spec 0058 §4)."""


class Allowing:
    """Decides about the steps of one turn.

    `can_ask`: somebody is there to answer. `append` writes an event of the turn, `tell` says what
    happens in it.
    """

    def __init__(
        self,
        parts: LearningParts,
        chat: str,
        hands: TurnHands | None,
        held_to: HeldTo | None,
        *,
        can_ask: bool,
        append: Callable[[Event], None],
        tell: Callable[[Happening], None],
    ) -> None:
        self._home = parts.home
        self._log = parts.chats.log(chat)
        self._chat = chat
        self._hands = hands
        self._held_to = held_to
        self._can_ask = can_ask
        self._append = append
        self._tell = tell
        self._answers: dict[str, asyncio.Future[bool]] = {}
        self._stopped = False

    def stop(self) -> None:
        """The turn is stopped: what waits for an answer is denied, no more is taken."""
        self._stopped = True
        for future in self._answers.values():
            if not future.done():
                future.set_result(False)

    def answer(self, approval: str, allowed: bool) -> None:
        """The person's answer to an `Asks`; unknown or answered ones are ignored."""
        future = self._answers.get(approval)
        if future is not None and not future.done():
            future.set_result(allowed)

    async def may(self, step: AskedStep, call: str, summary: str) -> str:
        """Whether a step may be taken: "" when it may, else why not, for the model."""
        if self._stopped:
            return "The person stopped this."
        decision = decide(step, self._circumstances())
        if decision.outcome == "run":
            return ""
        if decision.outcome == "refuse":
            return f"Not done. {decision.why}"
        summary = summary or step_summary(step.tool, step.given)
        if await self._ask_person(step, call, summary, decision.why):
            return ""
        return "The person didn't allow it. Nothing was done."

    def _circumstances(self) -> Circumstances:
        """What the decision looks at, as it stands at this moment."""
        events = self._log.events()
        return Circumstances(
            folder=str(self._hands.folder) if self._hands else "",
            home=str(self._home.root.resolve()),
            taints=tuple(taint for _, taint in taints_in(events)),
            mode=self._home.settings().mode,
            watched=self._can_ask,
            held_to=tuple(self._held_to(self._chat)) if self._held_to else (),
            sealed=self._hands is not None and self._hands.sealed,
            app_modes=self._hands.app_modes if self._hands else {},
            person_typed=frozenset(
                word.strip("<>()[]\"'“”,;")
                for event in events
                if isinstance(event, PersonMessage) and not event.who
                for word in event.text.split()
                if "://" in word
            ),
        )

    async def _ask_person(self, step: AskedStep, call: str, summary: str, why: str) -> bool:
        """Ask for one step; denied when the turn is stopped meanwhile."""
        if not self._can_ask or self._stopped:
            return False
        approval = new_id("ask")
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._answers[approval] = future
        detail = in_full(step, summary)
        self._append(
            ApprovalAsked(
                approval=approval,
                call=call,
                tool=step.tool,
                summary=summary,
                why=why,
                detail=detail,
                input=dict(step.given),
            )
        )
        self._tell(Asks(approval=approval, summary=summary, why=why, detail=detail))
        allowed = await future
        self._append(ApprovalAnswered(approval=approval, allowed=allowed))
        return allowed
