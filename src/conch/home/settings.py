"""What a person chose, as it stands in `settings.json`. Keys of other versions survive."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

WINDOW_AT_LEAST, WINDOW_AT_MOST = 1_024, 10_000_000
"""Tokens: what a person may say an engine's window is."""


MODES = ("ask", "accept_edits", "full_trust")
"""What the assistant may do without asking, from least to most."""


class EngineSettings(BaseModel):
    """How one engine is used. `window` is in tokens; `plan` marks a subscription.

    `images`: whether images may be sent to it; None: to the models known to take them.
    """

    model_config = ConfigDict(extra="allow")

    model: str = ""
    cheap_model: str = ""
    plan: bool = False
    url: str = ""
    window: int | None = None
    images: bool | None = None


class Settings(BaseModel):
    """`auto_memory` is Learn from your chats (spec 0088 §1). Empty text means not chosen.

    `mode` is what the assistant may do without asking: nothing that acts (`ask`), change files in
    the chat's folder (`accept_edits`), or also run commands there (`full_trust`).

    `off_by_damage`: learning is off only because the file could not be read.
    """

    model_config = ConfigDict(extra="allow")

    auto_memory: bool = True
    memory_check: Literal["on", "ask_more"] = "on"
    mode: Literal["ask", "accept_edits", "full_trust"] = "ask"
    name: str = ""
    language: str = ""
    engine: str = ""
    model: str = ""
    month_budget_usd: float | None = None
    off_by_damage: bool = False
    engines: dict[str, EngineSettings] = Field(default_factory=dict)


def learning_note(settings: Settings) -> str:
    """What to tell a person whose settings were damaged, "" when there is nothing to tell."""
    if settings.auto_memory or not settings.off_by_damage:
        return ""
    return (
        "Learning is off: settings.json was damaged, and you may have had it off. The damaged file "
        "is kept beside it; what could not be read of your engine, name and budget is as if never "
        "chosen. Turn learning on again: conch settings set learning on"
    )
