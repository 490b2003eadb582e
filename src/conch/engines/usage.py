"""What every answer took and cost: `usage.jsonl`, a line an answer, only ever added to."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from conch.chats.events import Usage
from conch.engines.engine import Engine
from conch.engines.prices import dear_price
from conch.home.files import append_line
from conch.home.home import Home
from conch.home.json_values import read_json
from conch.home.lines import json_line, read_lines


@dataclass
class MonthOfUse:
    """One month's answers. `usd` counts what has no known price as dear: `unknown` of them do."""

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    unknown: int = 0


def month_of(when: datetime) -> str:
    """The calendar month of a moment, in UTC: "2026-12"."""
    return f"{when.astimezone(UTC):%Y-%m}"


class UsageLedger:
    """The ledger of one home. Months are UTC months."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._reading = threading.Lock()
        self._read_to = 0
        self._months: dict[tuple[str, str], MonthOfUse] = {}

    def add(
        self,
        engine: Engine,
        model: str,
        usage: Usage,
        cost: float | None,
        purpose: str,
        chat: str = "",
        worst: float | None = None,
    ) -> None:
        """File one answer, also one that failed and may have been billed.

        `cost` in US dollars, None when not known: then `worst` counts, or dear prices for the
        tokens. An answer that took nothing and cost nothing is not filed. Raises OSError.
        """
        taken = usage.model_dump()
        if cost == 0.0 and not any(taken.values()):
            return
        counted = cost
        if cost is None:
            dear = dear_price(usage.input_tokens, usage.output_tokens)
            counted = max(dear, worst or 0.0)
        self._file(
            {
                "at": self._home.clock.now().isoformat(),
                "engine": engine.id,
                "model": model,
                "billing": engine.billing,
                "purpose": purpose,
                "chat": chat,
                **taken,
                "cost_usd": cost,
                "counted_usd": counted,
            }
        )

    def add_cut_off(
        self, engine: str, model: str, worst: float, at: datetime, purpose: str, chat: str = ""
    ) -> None:
        """File a question of `at` that a crash cut off: it counts as `worst`. Raises OSError."""
        self._file(
            {
                "at": at.isoformat(),
                "engine": engine,
                "model": model,
                "billing": "metered",
                "purpose": purpose,
                "chat": chat,
                **Usage().model_dump(),
                "cost_usd": None,
                "counted_usd": worst,
            }
        )

    def _file(self, entry: dict[str, Any]) -> None:
        line = json_line(entry)
        with self._reading:
            torn = self._read_on()
        # A torn line before this one must not swallow it.
        before = b"\n" if torn else b""
        append_line(self._home.usage_file, before + line.encode("utf-8", "replace") + b"\n")

    def month(self, now: datetime, purpose: str = "") -> dict[str, Any]:
        """The month of `now`: answers, tokens, US dollars, and how many had no known price."""
        return vars(self._month(month_of(now), purpose)).copy()

    def month_usd(self, now: datetime, purpose: str = "") -> float:
        """US dollars in the month of `now`; what has no known price counts as dear."""
        return self._month(month_of(now), purpose).usd

    def _month(self, month: str, purpose: str) -> MonthOfUse:
        with self._reading:
            self._read_on()
            return self._months.get((month, purpose), MonthOfUse())

    def _read_on(self) -> bool:
        """Read what was added since; gives whether the last line is torn."""
        path = self._home.usage_file
        if not path.exists() or path.stat().st_size < self._read_to:
            self._read_to, self._months = 0, {}
        lines, self._read_to, torn = read_lines(path, self._read_to)
        for line in lines:
            try:
                entry = read_json(line)
                month = month_of(datetime.fromisoformat(entry["at"]))
                counted = float(entry.get("counted_usd") or 0.0)
                tokens = int(entry.get("input_tokens") or 0), int(entry.get("output_tokens") or 0)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
            for purpose in {"", str(entry.get("purpose") or "")}:
                sums = self._months.setdefault((month, purpose), MonthOfUse())
                sums.answers += 1
                sums.input_tokens += tokens[0]
                sums.output_tokens += tokens[1]
                sums.usd += counted
                sums.unknown += entry.get("cost_usd") is None
        return torn
