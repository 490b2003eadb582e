"""Routes about what the person chose: settings, spending, safety switches, health."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import version

from fastapi import APIRouter

from conch.engines.practice import PRACTICE
from conch.home.settings import Settings
from conch.learning.outcomes import IN_PLAIN_WORDS
from conch.learning.resting import wait_for_a_reader
from conch.web.gateway import Gateway, Here
from conch.web.settings_shapes import (
    AppSettings,
    Check,
    Health,
    HealthNote,
    MonthUse,
    SafetyPage,
    SafetySwitch,
    SettingsChange,
    Spending,
)
from conch.web.telling import month_after, paused

router = APIRouter(prefix="/api", tags=["settings"])


@router.get("/settings")
async def get_settings(here: Here) -> AppSettings:
    """Everything the person chose, and what this month came to."""
    return _settings(here)


@router.patch("/settings")
async def change_settings(here: Here, given: SettingsChange) -> AppSettings:
    """Change what is given; the rest stays."""
    conch = here.conch
    chosen = given.model_fields_set
    update: dict[str, object] = {}
    for key in ("name", "language", "memory_check", "mode"):
        value = getattr(given, key)
        if value is not None:
            update[key] = value.strip()
    if "month_budget_usd" in chosen:
        update["month_budget_usd"] = given.month_budget_usd

    def changed(settings: Settings) -> Settings:
        return settings.model_copy(update=update)

    if update:
        conch.home.change_settings(changed)
    if "learning_cap_usd" in chosen:
        conch.parts.spend.set_cap(given.learning_cap_usd)
    if given.learning is not None:
        conch.learning.switch(given.learning)
    return _settings(here)


def _settings(here: Gateway) -> AppSettings:
    conch = here.conch
    settings = conch.home.settings()
    now = conch.home.clock.now()
    spend = conch.parts.spend
    engine, model = conch.assistant.engine()
    month = conch.parts.usage.month(now)
    resting = paused(conch)
    return AppSettings(
        home=str(conch.home.root),
        version=version("conch"),
        learning=settings.auto_memory,
        name=settings.name,
        language=settings.language,
        memory_check=settings.memory_check,
        mode=settings.mode,
        engine=engine.id,
        model=model,
        practice=engine.id == PRACTICE,
        first_run=not settings.name and not settings.engine and not conch.chats.heads(1),
        spending=Spending(
            cap_usd=spend.cap,
            spent_usd=spend.spent(now),
            paused=resting is not None and resting.reason == "cap",
            free=engine.billing != "metered",
            starts_again=month_after(conch),
        ),
        month=MonthUse(
            usd=month["usd"],
            answers=month["answers"],
            input_tokens=month["input_tokens"],
            output_tokens=month["output_tokens"],
            unknown=month["unknown"],
            budget_usd=settings.month_budget_usd,
        ),
    )


@router.get("/safety", tags=["health"])
async def get_safety(here: Here) -> SafetyPage:
    """The safety switches there are, and what turning each off means."""
    settings = here.conch.home.settings()
    return SafetyPage(
        switches=[
            SafetySwitch(
                id="memory_check",
                on=settings.memory_check == "ask_more",
                name="Ask more about memories",
                off_means="Words that look safe are remembered without asking; what looks like "
                "an order, a power or a secret is still held.",
            ),
            SafetySwitch(
                id="learning",
                on=settings.auto_memory,
                name="Learn from your chats",
                off_means="Nothing is learned. What was said meanwhile is never read later.",
            ),
        ]
    )


@router.get("/health", tags=["health"])
async def get_health(here: Here) -> Health:
    """The checks there are, and what was fixed or set aside, newest first."""
    notes = [
        HealthNote(at=note.at.isoformat(), text=note.text, where=note.where)
        for note in here.conch.home.notes.recent(50)
    ]
    return Health(checks=list(_checks(here)), notes=notes)


def _checks(here: Gateway) -> Iterator[Check]:
    conch = here.conch
    writable = os.access(conch.home.root, os.W_OK)
    yield Check(
        id="home",
        ok=writable,
        code="fine" if writable else "refused",
        sentence="Your home can be written." if writable else "The disk refuses to be written.",
    )
    engine, model = conch.assistant.engine()
    practice = engine.id == PRACTICE
    yield Check(
        id="engine",
        ok=not practice,
        code="practice" if practice else "answers",
        sentence="Only the practice engine answers. Connect a real one under Settings, Engines."
        if practice
        else f"{engine.name} answers, with {model}.",
    )
    rests = paused(conch)
    if rests is None and (waits := wait_for_a_reader(conch.parts)):
        yield Check(
            id="learning",
            ok=False,
            code="no_model",
            count=waits,
            sentence=f"{waits} {'chat waits' if waits == 1 else 'chats wait'}: "
            f"{IN_PLAIN_WORDS['no_model']}",
        )
    else:
        yield Check(
            id="learning",
            ok=rests is None,
            code=rests.reason if rests else "fine",
            sentence=rests.in_plain_words
            if rests
            else "Learning looks at chats once they go quiet.",
        )
    unfinished = len(conch.parts.record.state.unfinished)
    yield Check(
        id="record",
        ok=not unfinished,
        code="unfinished" if unfinished else "fine",
        count=unfinished,
        sentence="Everything that was decided reached its files."
        if not unfinished
        else f"{unfinished} things are being carried through.",
    )
    held = sum(1 for memory in conch.memories.all() if memory.held)
    yield Check(
        id="memory_check",
        ok=True,
        code="holds" if held else "fine",
        count=held,
        sentence=f"The memory check holds {held} {'memory' if held == 1 else 'memories'} for you."
        if held
        else "The memory check holds nothing.",
    )
