"""What a backup would allow once it is restored: every power is named before (spec 0088 §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conch.engines.spend import DEFAULT_CAP_USD, LearningSpend
from conch.home.home import Home
from conch.home.settings import EngineSettings, Settings
from conch.skills.library import Library

_MODES = {
    "accept_edits": "Files are changed without asking.",
    "full_trust": "Files are changed and commands run without asking.",
}


@dataclass(frozen=True)
class Standing:
    """What a home allows: its settings, what learning may spend (None: no cap), the skills in use
    with what each may do, and whose skills are trusted (key → name)."""

    settings: Settings = field(default_factory=Settings)
    cap: float | None = DEFAULT_CAP_USD
    skills: Mapping[str, str] = field(default_factory=dict)
    signers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Power:
    """One power in a person's words. `as_now`: this home gives it already."""

    said: str
    as_now: bool = False


def standing_of(home: Home) -> Standing:
    """What the home allows as it is on disk. Raises OSError."""
    library = Library(home)
    return Standing(
        settings=home.settings(),
        cap=LearningSpend(home).cap,
        skills={
            skill.title: "; ".join(skill.permissions.in_words())
            for skill in library.skills()
            if skill.mode != "off"
        },
        signers={signer.key: signer.name for signer in library.signers.trusted()},
    )


def powers(then: Standing, now: Standing) -> list[Power]:
    """Every power of `then` beyond what a new home gives, or this one does."""
    have, usual = set(_powers(now)), set(_powers(Standing()))
    return [
        Power(said, said in have) for said in _powers(then) if said not in usual or said not in have
    ]


def _powers(standing: Standing) -> list[str]:
    settings = standing.settings
    said = [_MODES[settings.mode]] if settings.mode in _MODES else []
    if standing.cap is None:
        said.append("Learning may spend without a cap.")
    elif standing.cap > DEFAULT_CAP_USD:
        said.append(f"Learning may spend ${standing.cap:.2f} a month.")
    if settings.auto_memory:
        said.append("Learn from your chats is on.")
    if settings.month_budget_usd is None:
        said.append("There is no month budget.")
    else:
        said.append(f"Chats may spend ${settings.month_budget_usd:.2f} a month.")
    for name, engine in sorted(settings.engines.items()):
        said += _engine_powers(name, engine)
    said += [f"The skill {title} is on. It may: {may}" for title, may in standing.skills.items()]
    for key, name in sorted(standing.signers.items(), key=lambda one: one[1]):
        said.append(f"Skills signed by {name} ({key[:12]}…) are trusted.")
    return said


def _engine_powers(name: str, engine: EngineSettings) -> list[str]:
    said = []
    if engine.url:
        said.append(f"The engine {name} is reached at {engine.url}.")
    if engine.plan:
        said.append(f"What {name} answers counts as paid by a plan.")
    if engine.images:
        said.append(f"Images are sent to {name}.")
    return said
