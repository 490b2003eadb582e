"""What learning may spend: a cap a month, $1 until the person changes it (spec 0088 §8)."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from conch.engines.usage import UsageLedger, month_of
from conch.home.home import Home
from conch.home.ids import new_id
from conch.home.store import Store

DEFAULT_CAP_USD = 1.0
LEARNING = "learning"
"""The purpose learning's answers are filed under in the usage ledger."""

_MONTHS_KEPT = 13
_LOST = "lost"
"""Stands among the months of a file whose months could not be read."""


class SetAside(BaseModel):
    """The worst price of a question that was asked and not settled yet.

    `purpose`: what it was asked for; only learning's counts in learning's months.
    """

    model_config = ConfigDict(extra="ignore")

    engine: str = ""
    model: str = ""
    chat: str = ""
    purpose: str = LEARNING
    worst: float = 0.0
    month: str = ""
    at: datetime


class _SpendFile(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    limit: float | None = DEFAULT_CAP_USD
    months: dict[str, float] = Field(default_factory=dict)
    open: dict[str, SetAside] = Field(default_factory=dict)


class LearningSpend:
    """Learning's purse, in `learning-spend.json`. All amounts are US dollars.

    Months are UTC months. A clock set back opens no earlier month: the latest month anything was
    spent in counts until the clock has passed it, or the person sets the cap anew.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._store = Store(
            home.learning_spend_file,
            _SpendFile,
            home.notes,
            when_damaged=_SpendFile(months={_LOST: 0.0}),
        )

    @property
    def cap(self) -> float | None:
        """What may be spent a month; None when the person lifted the cap."""
        return self._read().limit

    def set_cap(self, usd: float | None) -> None:
        """The person's own choice; None lifts the cap. Raises ValueError below zero."""
        if usd is not None and not usd >= 0:
            raise ValueError("A cap is zero or more.")
        current = month_of(self._home.clock.now())

        def chosen(file: _SpendFile) -> _SpendFile:
            months = {month: spent for month, spent in file.months.items() if month <= current}
            return file.model_copy(update={"limit": usd, "months": months})

        self._read()
        self._store.change(chosen)

    def spent(self, now: datetime) -> float:
        """What has been spent in the month that counts at `now`."""
        file = self._read()
        return file.months.get(_counting_month(file, now), 0.0)

    def allows(self, worst: float, now: datetime) -> bool:
        """Whether a completion that may cost `worst` still fits under the cap."""
        cap = self.cap
        return cap is None or (not self.paused(now) and self.spent(now) + worst <= cap)

    def paused(self, now: datetime) -> bool:
        """Whether the cap is reached: learning rests until the 1st."""
        cap = self.cap
        return cap is not None and self.spent(now) >= cap

    def add(self, cost: float | None, worst: float, now: datetime) -> None:
        """Count one completion, failed ones too; a cost nobody knows counts as `worst`."""
        spent = worst if cost is None else cost
        if spent <= 0:
            return

        def with_it(file: _SpendFile) -> _SpendFile:
            month = _counting_month(file, now)
            months = {**file.months, month: file.months.get(month, 0.0) + spent}
            kept = dict(sorted(months.items())[-_MONTHS_KEPT:])
            return file.model_copy(update={"months": kept})

        self._read()
        self._store.change(with_it)

    def set_aside(
        self,
        engine: str,
        model: str,
        worst: float,
        chat: str,
        now: datetime,
        purpose: str = LEARNING,
    ) -> str:
        """Write down a question's worst price before it is asked, so that a crash can't lose it.

        Learning's is taken from its month at once; any other is only held until it is settled.
        Gives the id to settle it by. Raises OSError: then nothing may be asked.
        """
        held = new_id("ask")

        def with_it(file: _SpendFile) -> _SpendFile:
            month = _counting_month(file, now)
            one = SetAside(
                engine=engine,
                model=model,
                chat=chat,
                purpose=purpose,
                worst=worst,
                month=month,
                at=now,
            )
            taken = worst if purpose == LEARNING else 0.0
            months = {**file.months, month: file.months.get(month, 0.0) + taken}
            kept = dict(sorted(months.items())[-_MONTHS_KEPT:])
            return file.model_copy(update={"months": kept, "open": {**file.open, held: one}})

        self._read()
        self._store.change(with_it)
        return held

    def settle(self, held: str, cost: float | None) -> None:
        """Put what a question did cost in the place of its worst price; None leaves the worst."""

        def settled(file: _SpendFile) -> _SpendFile:
            one = file.open.get(held)
            if one is None:
                return file
            left = {id: other for id, other in file.open.items() if id != held}
            if one.purpose != LEARNING:
                return file.model_copy(update={"open": left})
            spent = file.months.get(one.month, 0.0)
            if cost is not None:
                spent = max(0.0, spent - one.worst + cost)
            return file.model_copy(
                update={"months": {**file.months, one.month: spent}, "open": left}
            )

        self._read()
        self._store.change(settled)

    def set_asides(self) -> dict[str, SetAside]:
        """What was set aside and not settled, by its id."""
        return dict(self._read().open)

    def _read(self) -> _SpendFile:
        """The file; after a damage, with this month's spending taken from the usage ledger."""
        file = self._store.load()
        if _LOST not in file.months:
            return file
        now = self._home.clock.now()
        spent = UsageLedger(self._home).month_usd(now, LEARNING)

        def mended(file: _SpendFile) -> _SpendFile:
            month = month_of(now)
            months = {name: usd for name, usd in file.months.items() if name != _LOST}
            months[month] = max(spent, months.get(month, 0.0))
            return file.model_copy(update={"months": months})

        return self._store.change(mended)


def _counting_month(file: _SpendFile, now: datetime) -> str:
    return max([month_of(now), *file.months])
