"""Why learning rests now, for money or because the person turned it off (spec 0088 §1, §8)."""

from __future__ import annotations

from typing import Literal

from conch.engines.engine import Engine
from conch.learning.parts import LearningParts

Rest = Literal["off", "budget", "cap", "plan_room"]


def rests(parts: LearningParts, engine: Engine) -> Rest | None:
    """Why nothing would be learned from what `engine` answers now, None when it would be."""
    return no_money(parts, engine) if parts.home.settings().auto_memory else "off"


def no_money(
    parts: LearningParts, engine: Engine, worst_usd: float = 0.0
) -> Literal["budget", "cap", "plan_room"] | None:
    """Why money or a plan's room forbids one more completion of at most `worst_usd` US dollars.

    An engine that costs nothing is never forbidden, whatever the cap says.
    """
    now = parts.home.clock.now()
    if engine.billing == "free":
        return None
    if engine.billing == "plan":
        return None if parts.plan.room(engine.id, now) else "plan_room"
    budget = parts.home.settings().month_budget_usd
    if budget is not None and parts.usage.month_usd(now) >= budget:
        return "budget"
    return None if parts.spend.allows(worst_usd, now) else "cap"


def wait_for_a_reader(parts: LearningParts) -> int:
    """How many chats hold words that no engine that is connected may read (spec 0088 §3)."""
    tried = parts.record.state.tried
    return sum(
        1
        for chat, last in tried.items()
        if last.reason == "no_model" and parts.chats.find(chat) is not None
    )
