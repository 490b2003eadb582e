"""Asking a model to review: what it is shown, who may pay, one retry (spec 0088 §3, §8)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from conch.chats.turns import Step
from conch.engines.engine import Ask, Engine, EngineFailed
from conch.engines.paid import ask_paid
from conch.engines.prices import worst_price
from conch.learning.changes import Change, NeverItem, Said
from conch.learning.conflict import which_it_replaces
from conch.learning.outcomes import PauseReason
from conch.learning.parts import LearningParts
from conch.learning.record import Asking
from conch.learning.resting import no_money
from conch.learning.review import (
    ANSWER_TOKENS,
    MEMORIES_SHOWN,
    NOT_AGAIN_SHOWN,
    TIMEOUT_SECONDS,
    ReviewAnswer,
    UnreadableAnswer,
    frame,
    parse_review,
    system_text,
)
from conch.memory.memory import Memory
from conch.words.language import likely_language
from conch.words.lexicon import lexicons
from conch.words.likeness import closeness
from conch.words.tokens import shares_a_word

_MESSAGES_SEARCHED = 12


class LookPaused(Exception):
    """The look keeps its place and is tried again in an hour.

    `engine` and `model` are who was asked before it paused, "" when nobody was; `cost_usd` is what
    that came to, None when it is not known.
    """

    def __init__(
        self, reason: PauseReason, engine: str = "", model: str = "", cost_usd: float | None = 0.0
    ) -> None:
        super().__init__(reason)
        self.reason: PauseReason = reason
        self.engine = engine
        self.model = model
        self.cost_usd = cost_usd


@dataclass(frozen=True)
class Asked:
    """A model's changes and what they rest on.

    `shown` holds, for each memory the model was shown, the hash of the words it was shown.
    `cost_usd` is None when the price is not known, 0.0 when nothing was asked.
    """

    changes: tuple[Change, ...] = ()
    shown: dict[str, str] = field(default_factory=dict)
    engine: str = ""
    model: str = ""
    cost_usd: float | None = 0.0
    passed_over: bool = False


async def ask_for_changes(
    parts: LearningParts,
    engine: Engine | None,
    chat: str,
    said: Sequence[Said],
    steps: Sequence[tuple[int, Step]],
    unreadable_before: bool,
) -> Asked:
    """Ask `engine`'s cheapest model, then once its default model, for changes.

    `unreadable_before` says the last look at this chat got no readable answer: a second one passes
    over these words, so that a chat no model can answer about isn't paid for every hour.
    Raises LookPaused for money, a missing model or no readable answer.
    """
    if engine is None:
        raise LookPaused("no_model")
    memories = await asyncio.to_thread(memories_close_to, parts, said)
    words = "\n".join(message.prose for message in said)
    language = likely_language(words) or ""
    clock = parts.home.clock
    user = frame(
        said,
        steps,
        memories,
        told_not_to_learn(words, parts.never.items()),
        clock.local(clock.now()).date(),
        language,
        clock.local,
    )
    names = {lexicon.code: lexicon.name for lexicon in lexicons()}
    system = system_text(names.get(language, ""))
    shown = {memory.id: memory.words_hash for memory in memories}
    cost: float | None = 0.0
    reason: PauseReason = "no_answer"
    asked = ""
    for model in (engine.cheapest_model, engine.default_model):
        worst = worst_price(engine, model, len(system) + len(user), ANSWER_TOKENS)
        money = no_money(parts, engine, worst)
        if money is not None:
            raise LookPaused(money, engine.id if asked else "", asked, cost)
        ask = Ask(
            system=system,
            user=user,
            purpose="learning",
            schema=ReviewAnswer,
            model=model,
            timeout_s=TIMEOUT_SECONDS,
            max_tokens=ANSWER_TOKENS,
        )
        asked = model
        # Written down first: cut off from here on, it counts as paid, and the chat waits its hour.
        parts.record.write("asking", Asking(chat=chat, engine=engine.id, model=model))
        now = clock.now()
        try:
            completed = await ask_paid(engine, ask, worst, chat, now, parts.spend, parts.usage)
        except EngineFailed as failed:
            cost = _sum(cost, failed.cost_usd)
            reason = "unreadable" if failed.kind == "unreadable" else "no_answer"
            continue
        cost = _sum(cost, completed.cost_usd)
        try:
            parsed = parse_review(completed.text)
        except UnreadableAnswer:
            reason = "unreadable"
            continue
        return Asked(parsed.changes, shown, engine.id, completed.model, cost)
    if reason == "unreadable" and unreadable_before:
        return Asked((), shown, engine.id, asked, cost, passed_over=True)
    raise LookPaused(reason, engine.id, asked, cost)


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def count_what_was_cut_off(parts: LearningParts) -> int:
    """Count the questions a crash cut off, each as the worst it can have cost; gives how many.

    Their price was set aside before they were asked, whatever for; here it goes into the month's
    ledger too. Raises OSError.
    """
    cut_off = parts.spend.set_asides()
    for held, one in cut_off.items():
        parts.usage.add_cut_off(
            one.engine, one.model, one.worst, one.at, purpose=one.purpose, chat=one.chat
        )
        parts.spend.settle(held, None)
    return len(cut_off)


def memories_close_to(parts: LearningParts, said: Sequence[Said]) -> list[Memory]:
    """At most fifteen memories close to what was said, each message searched for on its own.

    Messages with a signal are searched first, then the latest: one long chat must not hide the
    memory its last sentence replaces. That one comes first, also where it shares no word with it.
    """
    order = sorted(said, key=lambda message: (not message.signals, -message.seq))
    usable = tuple(one for one in parts.memories.usable() if one.about_computer(parts.host))
    ids = {memory.id for memory in usable}
    first: dict[str, Memory] = {}
    best: dict[str, tuple[float, Memory]] = {}
    for message in order[:_MESSAGES_SEARCHED]:
        words = message.prose[:1_000]
        found = [
            hit
            for hit in parts.memories.search(words, limit=MEMORIES_SHOWN)
            if hit.memory.id in ids
        ]
        for hit in found:
            known = best.get(hit.memory.id)
            if known is None or hit.score > known[0]:
                best[hit.memory.id] = (hit.score, hit.memory)
        hits = [hit.memory for hit in found]
        replaced = which_it_replaces(words, usable, parts.meaning, parts.already, hits)
        if replaced is not None:
            first.setdefault(replaced.id, replaced)
    ranked = sorted(best.values(), key=lambda pair: -pair[0])
    close = [*first.values(), *(memory for _, memory in ranked if memory.id not in first)]
    return close[:MEMORIES_SHOWN]


def told_not_to_learn(words: str, items: Sequence[NeverItem]) -> list[NeverItem]:
    """The few never-list items close to what was said: those that share a word with it."""
    close = [item for item in items if shares_a_word(item.text, words)]
    close.sort(key=lambda item: -closeness(item.text, words))
    return close[:NOT_AGAIN_SHOWN]
