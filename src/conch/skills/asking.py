"""Asking a model for a draft: the cheapest one, paid by what was set aside (spec 0058 §2)."""

from __future__ import annotations

from dataclasses import dataclass

from conch.chats.chats import Chats
from conch.engines.engine import Ask, Completed, Engine, EngineFailed
from conch.engines.engines import Engines
from conch.engines.paid import NothingAsked, ask_paid
from conch.engines.plan import PlanRoom
from conch.engines.prices import worst_price
from conch.engines.spend import LearningSpend
from conch.engines.usage import UsageLedger
from conch.guard.redactor import Redactor
from conch.home.home import Home
from conch.skills.library import Library
from conch.skills.offers import Offers
from conch.skills.prompting import ANSWER_TOKENS, TIMEOUT_SECONDS, DraftAnswer
from conch.words.language import likely_language
from conch.words.lexicon import lexicons
from conch.words.meaning import Meaning

PURPOSE = "skill"
"""What a draft's answer is filed under in the usage ledger."""


@dataclass(frozen=True)
class ProposingParts:
    """Everything proposing reads, asks and writes."""

    home: Home
    chats: Chats
    engines: Engines
    usage: UsageLedger
    plan: PlanRoom
    spend: LearningSpend
    redactor: Redactor
    library: Library
    offers: Offers
    meaning: Meaning | None = None


def language_of(text: str) -> str:
    """The language a draft is to be written in, by name; "" when none shows."""
    named = {lexicon.code: lexicon.name for lexicon in lexicons()}
    return named.get(likely_language(text) or "", "")


class Asking:
    """Asks for drafts of one home, and counts what each cost."""

    def __init__(self, parts: ProposingParts) -> None:
        self._parts = parts

    def may_pay(self, engine: Engine) -> bool:
        """Whether a draft by this engine fits the month's budget or the plan's room."""
        now = self._parts.home.clock.now()
        if engine.billing == "plan":
            return self._parts.plan.room(engine.id, now)
        budget = self._parts.home.settings().month_budget_usd
        free = engine.billing == "free" or budget is None
        return free or self._parts.usage.month_usd(now) < (budget or 0.0)

    async def ask(
        self, engine: Engine, system: str, user: str, chat: str
    ) -> Completed | str | None:
        """The cheapest model's answer, else the default one's; None when none had begun to
        answer, a reason when one answered in a way that is no draft. `chat`: what it is for."""
        user = self._parts.redactor.redact(user)
        answered = ""
        for model in dict.fromkeys((engine.cheapest_model, engine.default_model)):
            ask = Ask(
                system=system,
                user=user,
                purpose=PURPOSE,
                schema=DraftAnswer,
                model=model,
                timeout_s=TIMEOUT_SECONDS,
                max_tokens=ANSWER_TOKENS,
            )
            worst = worst_price(engine, model, len(system) + len(user), ANSWER_TOKENS)
            parts, now = self._parts, self._parts.home.clock.now()
            try:
                return await ask_paid(engine, ask, worst, chat, now, parts.spend, parts.usage)
            except NothingAsked:
                break
            except EngineFailed as failed:
                if not failed.before_any_answer or failed.kind in ("refused", "unreadable"):
                    answered = failed.kind
        return answered or None
