"""What a person chose, as it stands in `settings.json`. Keys of other versions survive."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class EngineSettings(BaseModel):
    """How one engine is used. `window` is in tokens; `plan` marks a subscription."""

    model_config = ConfigDict(extra="allow")

    model: str = ""
    cheap_model: str = ""
    plan: bool = False
    url: str = ""
    window: int | None = None


class Settings(BaseModel):
    """`auto_memory` is Learn from your chats (spec 0088 §1). Empty text means not chosen."""

    model_config = ConfigDict(extra="allow")

    auto_memory: bool = True
    memory_check: Literal["on", "ask_more"] = "on"
    name: str = ""
    language: str = ""
    engine: str = ""
    model: str = ""
    month_budget_usd: float | None = None
    engines: dict[str, EngineSettings] = Field(default_factory=dict)
