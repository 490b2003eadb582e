"""The clock a home is handed: the real one, or one that tests step by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Protocol


class Clock(Protocol):
    """What time it is, always an aware time in UTC, and what a moment is called where the person
    is."""

    def now(self) -> datetime: ...

    def local(self, when: datetime) -> datetime:
        """`when` in the person's time zone: dates that are shown or counted by are of that one."""
        ...


class SystemClock:
    """The computer's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def local(self, when: datetime) -> datetime:
        return when.astimezone()


class SteppedClock:
    """A clock that stands still until it is stepped. `zone`: the person's; None is the computer's.

    >>> clock = SteppedClock(datetime(2026, 12, 1, tzinfo=UTC))
    >>> clock.advance(minutes=10)
    >>> clock.now().isoformat()
    '2026-12-01T00:10:00+00:00'
    """

    def __init__(self, start: datetime, zone: tzinfo | None = None) -> None:
        self._now = in_utc(start)
        self._zone = zone

    def now(self) -> datetime:
        return self._now

    def local(self, when: datetime) -> datetime:
        return when.astimezone(self._zone)

    def advance(self, **by: Any) -> None:
        """Step forward (or back) by the arguments of `timedelta`: `advance(minutes=10)`."""
        self._now += timedelta(**by)

    def set(self, to: datetime) -> None:
        self._now = in_utc(to)


class QuickClock:
    """A clock that runs `speed` times as fast as the computer's own, from now on. For tests."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self._began = datetime.now(UTC)

    def now(self) -> datetime:
        return self._began + (datetime.now(UTC) - self._began) * self.speed

    def local(self, when: datetime) -> datetime:
        return when.astimezone()


def in_utc(when: datetime) -> datetime:
    """`when` in UTC; a time without a zone is taken as UTC."""
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
