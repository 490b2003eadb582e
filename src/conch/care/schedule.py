"""Which backups stay: the last of a day for seven days, of a week four, of a month six."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

_LAST, _WEEKS, _MONTHS = 7, 4, 6
_A_DAY = timedelta(days=1)
_A_MONTH = timedelta(days=31)


def to_clear(made_at: Sequence[datetime], now: datetime) -> list[datetime]:
    """Of backups made at these times, those that need not stay, oldest first.

    Of a week or a month the earliest stays, so that what stays does not change from day to day.
    One of the future (a clock set back since) always stays.
    """
    ordered = sorted(made_at)
    of_a_day = {one.date(): one for one in ordered}
    kept = {*sorted(of_a_day.values())[-_LAST:], *(one for one in ordered if now - one < _A_DAY)}
    seen: set[tuple[int, int]] = set()
    for one in ordered:
        week, month = one.isocalendar()[:2], (one.year, -one.month)
        if now - one <= timedelta(weeks=_WEEKS) and week not in seen:
            kept.add(one)
        if now - one <= _MONTHS * _A_MONTH and month not in seen:
            kept.add(one)
        seen |= {week, month}
    return [one for one in ordered if one not in kept]
