"""A question whose price is set aside before it is asked: no crash can lose it (spec 0088 §8)."""

from __future__ import annotations

import contextlib
from datetime import datetime

from conch.chats.events import Usage
from conch.engines.engine import Ask, Completed, Engine, EngineFailed
from conch.engines.spend import LearningSpend
from conch.engines.usage import UsageLedger


class NothingAsked(OSError):
    """The disk refused to set a price aside, so the question was not asked."""


async def ask_paid(
    engine: Engine,
    ask: Ask,
    worst: float,
    chat: str,
    now: datetime,
    spend: LearningSpend,
    usage: UsageLedger,
) -> Completed:
    """Ask, and file what it cost under the question's purpose, whatever becomes of it.

    `worst` (US dollars) is set aside first and counts where nobody knows the cost: when it was cut
    off, or its model has no listed price. `chat`: what it is for. Raises EngineFailed when the
    engine does not answer; NothingAsked when the price can't be set aside; OSError when the cost
    can't be filed, and then the worst stays counted.
    """
    held = ""
    if engine.billing == "metered":
        try:
            held = spend.set_aside(engine.id, ask.model, worst, chat, now, ask.purpose)
        except OSError as error:
            raise NothingAsked(*error.args) from error

    def count(model: str, taken: Usage, cost: float | None) -> None:
        usage.add(engine, model, taken, cost, purpose=ask.purpose, chat=chat, worst=worst)
        if held:
            spend.settle(held, cost)

    try:
        completed = await engine.complete(ask)
    except EngineFailed as failed:
        count(ask.model, failed.usage, failed.cost_usd)
        raise
    except BaseException:
        # Cancelled, or a fault nobody foresaw: what it cost is not known.
        with contextlib.suppress(OSError):
            count(ask.model, Usage(), None if engine.billing == "metered" else 0.0)
        raise
    count(completed.model, completed.usage, completed.cost_usd)
    return completed
