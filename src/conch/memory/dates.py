"""When something was true, in words: "until August 2026" (spec 0088 §5)."""

from __future__ import annotations

from datetime import datetime

from conch.memory.memory import Memory

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip


def month_of(at: datetime) -> str:
    """ "August 2026": the month of a time, in its own time zone."""
    return f"{MONTHS[at.month - 1]} {at.year}"


def until(memory: Memory) -> str:
    """ "until August 2026" for a memory that is no longer true, else ""."""
    return f"until {month_of(memory.invalid_at)}" if memory.invalid_at else ""
