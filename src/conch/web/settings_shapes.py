"""What the settings, engine, health and sign-in routes take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from conch.engines.engine import Billing
from conch.home.settings import WINDOW_AT_LEAST, WINDOW_AT_MOST
from conch.web.chat_shapes import Strict

Usd = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
Mode = Literal["ask", "accept_edits", "full_trust"]
"""What the assistant may do without asking; see `Settings.mode`."""
EngineId = Annotated[str, Field(min_length=1, max_length=40)]
ModelName = Annotated[str, Field(max_length=200)]


class Spending(BaseModel):
    """What learning may spend. US dollars; months are UTC months.

    `cap_usd` is null when the person lifted the cap. `paused`: the engine that answers costs, and
    the cap is reached. `free`: the engine that answers is a plan or
    on this computer, so learning costs nothing here.
    """

    cap_usd: float | None
    spent_usd: float
    paused: bool
    free: bool
    starts_again: str
    """The day the next month begins, as a date."""


class MonthUse(BaseModel):
    """Everything that was answered this month. `unknown` answers have no known price."""

    usd: float
    answers: int
    input_tokens: int
    output_tokens: int
    unknown: int
    budget_usd: float | None


class AppSettings(BaseModel):
    home: str
    version: str
    learning: bool
    name: str
    language: str
    memory_check: Literal["on", "ask_more"]
    mode: Mode
    engine: str
    model: str
    practice: bool
    """True when only the scripted practice engine answers."""
    first_run: bool
    """True until a name was given or an engine chosen."""
    spending: Spending
    month: MonthUse


class SettingsChange(Strict):
    """What to change; what is left out stays. A null cap or budget lifts it."""

    learning: bool | None = None
    name: Annotated[str | None, Field(max_length=80)] = None
    language: Annotated[str | None, Field(max_length=20)] = None
    memory_check: Literal["on", "ask_more"] | None = None
    mode: Mode | None = None
    learning_cap_usd: Usd | None = None
    month_budget_usd: Usd | None = None


class Price(BaseModel):
    """US dollars a million tokens: of what is sent, of what is answered."""

    sent: float
    answered: float


class EngineItem(BaseModel):
    """Somebody who can answer. A price is null when it is not known.

    `cheapest_chosen`: the model the person chose for learning, "" for the cheapest known one.
    """

    id: str
    name: str
    billing: Billing
    local: bool
    default: bool
    model: str
    cheapest_model: str
    window: int
    usd_per_million: Price | None
    cheapest_usd_per_million: Price | None
    plan_used_percent: float | None
    sees_images: bool
    cheapest_chosen: str
    models: list[str]


class KnownProvider(BaseModel):
    """A provider that can be connected. `needs_key`: it asks for one."""

    id: str
    name: str
    needs_key: bool
    connected: bool


class EnginePage(BaseModel):
    engines: list[EngineItem]
    known: list[KnownProvider]


class Connecting(Strict):
    id: EngineId
    key: Annotated[str, Field(max_length=500)] = ""
    url: Annotated[str, Field(max_length=500)] = ""
    model: ModelName = ""
    check: bool = True


class Choosing(Strict):
    id: EngineId
    model: ModelName = ""


class EngineChange(Strict):
    """What to set of an engine; what is left out stays."""

    model: ModelName | None = None
    cheap_model: ModelName | None = None
    plan: bool | None = None
    window: Annotated[int | None, Field(ge=WINDOW_AT_LEAST, le=WINDOW_AT_MOST)] = None
    images: bool | None = None


class EngineChecked(BaseModel):
    """What one short question to an engine came to."""

    ok: bool
    model: str
    sentence: str
    cost_usd: float | None


class Check(BaseModel):
    """One line of the health page. `code` with `id` names its sentence; `count`: how many."""

    id: str
    ok: bool
    code: str
    count: int = 0
    sentence: str


class HealthNote(BaseModel):
    at: str
    text: str
    where: str


class Health(BaseModel):
    checks: list[Check]
    notes: list[HealthNote]


class SafetySwitch(BaseModel):
    """A switch, and what turning it off means."""

    id: str
    on: bool
    name: str
    off_means: str


class SafetyPage(BaseModel):
    switches: list[SafetySwitch]


class Session(BaseModel):
    """Whether this browser is signed in, and how it can be."""

    signed_in: bool
    by: Literal["link", "password"]


class SignInAsked(Strict):
    password: Annotated[str, Field(max_length=1_000)]
