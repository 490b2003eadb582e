"""How much of a plan is left, from the rate-limit headers a provider sends with every answer.

A plan's windows are the person's own: learning uses one only while less than 80% of it is used
(spec 0088 §1). What nobody told is not room.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel, Field

from conch.home.store import Store

PLAN_ROOM_PERCENT = 80

_BELIEVED_FOR = timedelta(hours=24)
_FAR = timedelta(days=8)
_REJECTED = "rejected"
_ANTHROPIC = re.compile(r"anthropic-ratelimit-unified-(?P<window>[\w-]+)-utilization")
_CODEX = re.compile(r"x-codex-(?P<window>primary|secondary)-used-percent")
_COUNTED = re.compile(
    r"(?:anthropic-ratelimit-(?P<anthropic>[\w-]+)-limit|x-ratelimit-limit-(?P<openai>[\w-]+))"
)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class PlanWindow(BaseModel):
    """One window of a plan: what was used when it was told, and when it starts anew."""

    used_percent: float
    told: datetime
    resets: datetime | None = None


class PlanReadings(BaseModel):
    """`{engine: {window: reading}}`, as it is kept between runs."""

    engines: dict[str, dict[str, PlanWindow]] = Field(default_factory=dict)


class PlanRoom:
    """What the engines' last answers told about their plans; kept in `store` when one is given."""

    def __init__(self, store: Store[PlanReadings] | None = None) -> None:
        self._store = store
        self._readings = store.load() if store else PlanReadings()

    def note(self, engine_id: str, headers: Mapping[str, str], now: datetime) -> None:
        """Read the headers of one answer; those that tell nothing change nothing."""
        told = windows_in(headers, now)
        if not told:
            return
        windows = {**self._readings.engines.get(engine_id, {}), **told}
        if _REJECTED not in told:
            windows.pop(_REJECTED, None)
        engines = {**self._readings.engines, engine_id: windows}
        self._readings = PlanReadings(engines=engines)
        if self._store is not None:
            self._store.save(self._readings)

    def used_percent(self, engine_id: str, now: datetime) -> float | None:
        """How much of the fullest window is used, 0 to 100; None when nobody told lately.

        A window that has started anew since counts as unused; a reading older than a day, or
        from the future, tells nothing.
        """
        windows = self._readings.engines.get(engine_id, {}).values()
        used = [
            0.0 if window.resets and window.resets <= now else window.used_percent
            for window in windows
            if timedelta(0) <= now - window.told <= _BELIEVED_FOR
        ]
        return max(used, default=None)

    def room(self, engine_id: str, now: datetime) -> bool:
        """Whether less than 80% of every window is used; not knowing is no room."""
        used = self.used_percent(engine_id, now)
        return used is not None and used < PLAN_ROOM_PERCENT


def windows_in(headers: Mapping[str, str], now: datetime) -> dict[str, PlanWindow]:
    """The windows a provider's headers tell of, by their names there.

    Anthropic: `anthropic-ratelimit-unified-5h-utilization` (0 to 1) and `-reset` (epoch seconds),
    `anthropic-ratelimit-requests-limit`, `-remaining`, `-reset` (RFC 3339). OpenAI and those like
    it: `x-ratelimit-limit-requests`, `x-ratelimit-remaining-requests`, `x-ratelimit-reset-requests`
    ("6m0s"); of a ChatGPT plan `x-codex-primary-used-percent`.
    """
    low = {name.lower(): value for name, value in headers.items()}
    found: dict[str, PlanWindow] = {}

    def tell(window: str, used: float | None, resets: datetime | None) -> None:
        if used is not None:
            found[window] = PlanWindow(used_percent=min(100.0, used), told=now, resets=resets)

    for name in low:
        if unified := _ANTHROPIC.fullmatch(name):
            share = _number(low[name])
            start = f"anthropic-ratelimit-unified-{unified['window']}"
            used = 100.0 * share if share is not None else None
            tell(unified["window"], used, _moment(low.get(f"{start}-reset"), now))
        elif codex := _CODEX.fullmatch(name):
            start = f"x-codex-{codex['window']}"
            resets = _moment(low.get(f"{start}-reset-at"), now) or _after(
                _number(low.get(f"{start}-reset-after-seconds")), now
            )
            tell(codex["window"], _number(low[name]), resets)
        elif counted := _COUNTED.fullmatch(name):
            start, what = (
                ("anthropic-ratelimit-{}-{}", counted["anthropic"])
                if counted["anthropic"]
                else ("x-ratelimit-{1}-{0}", counted["openai"])
            )
            limit = _number(low[name])
            left = _number(low.get(start.format(what, "remaining")))
            if limit and left is not None:
                used = 100.0 * (limit - left) / limit
                tell(what, used, _moment(low.get(start.format(what, "reset")), now))
    if low.get("anthropic-ratelimit-unified-status") == "rejected":
        tell(_REJECTED, 100.0, _moment(low.get("anthropic-ratelimit-unified-reset"), now))
    return found


def _number(text: str | None) -> float | None:
    """A finite number that is not below zero; None for anything else."""
    try:
        number = float((text or "").strip())
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _moment(text: str | None, now: datetime) -> datetime | None:
    """A moment from epoch seconds, RFC 3339 or a span ("6m0s"); None when it says none."""
    text = (text or "").strip()
    number = _number(text)
    if number is not None and number > 1_000_000_000:
        number -= now.timestamp()
    if number is None and "T" in text:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        number = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        number -= now.timestamp()
    if number is None:
        spans = _SPAN.findall(text)
        if not spans or _SPAN.sub("", text):
            return None
        number = sum(float(amount) * _SECONDS[unit] for amount, unit in spans)
    return _after(number, now)


def _after(seconds: float | None, now: datetime) -> datetime | None:
    if seconds is None or abs(seconds) > _FAR.total_seconds():
        return None
    return now + timedelta(seconds=seconds)
