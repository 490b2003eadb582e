"""What a restore does not take back: what was spent, and what the person took back."""

from __future__ import annotations

import json
from typing import Any

from conch.home.files import read_bytes, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json

_NEVER = "never.json"


def merge_into(staged: Home, now: Home) -> list[str]:
    """Put into the staged home what must outlive a restore of it over `now`. Raises OSError.

    Months of learning's spending take the larger sum, and what was asked and not settled stays;
    the cap is the backup's (spec 0088 §8). The ledger holds every answer of both. The never-list
    holds what was taken back in either. Gives, in
    a person's words, what could not be read and so is not in it.
    """
    _merge_spending(staged, now)
    _merge_ledger(staged, now)
    _merge_never(staged, now)
    return [
        f"{path.name} of this home can't be read, so what it says is not kept."
        for path in (now.learning_spend_file, now.learning / _NEVER)
        if path.exists() and not _json(path)
    ]


def _merge_spending(staged: Home, now: Home) -> None:
    mine, theirs = _json(now.learning_spend_file), _json(staged.learning_spend_file)
    months = _amounts(theirs.get("months"))
    for month, usd in _amounts(mine.get("months")).items():
        months[month] = max(usd, months.get(month, 0.0))
    waiting = {**_dict(theirs.get("open")), **_dict(mine.get("open"))}
    if mine or theirs:
        _write(staged.learning_spend_file, {**theirs, "months": months, "open": waiting})


def _merge_ledger(staged: Home, now: Home) -> None:
    theirs = _lines(read_bytes(staged.usage_file))
    had = set(theirs)
    more = [line for line in _lines(read_bytes(now.usage_file)) if line not in had]
    if more:
        both = sorted([*theirs, *more], key=_at)
        write_atomic(staged.usage_file, b"".join(line + b"\n" for line in both))


def _merge_never(staged: Home, now: Home) -> None:
    path = staged.learning / _NEVER
    mine, theirs = _json(now.learning / _NEVER), _json(path)
    items = [*_list(theirs.get("items"))]
    had = {str(_dict(one).get("id")) for one in items}
    more = [one for one in _list(mine.get("items")) if str(_dict(one).get("id")) not in had]
    if more:
        _write(path, {**mine, **theirs, "items": [*items, *more]})


def _write(path: Any, value: dict[str, Any]) -> None:
    write_atomic(path, json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")


def _json(path: Any) -> dict[str, Any]:
    """A file's object; {} for one that isn't there or can't be read: its store says so later."""
    try:
        return _dict(read_json(read_bytes(path)))
    except ValueError:
        return {}


def _lines(data: bytes) -> list[bytes]:
    return [line for line in data.split(b"\n") if line.strip()]


def _at(line: bytes) -> str:
    try:
        return str(_dict(read_json(line)).get("at", ""))
    except ValueError:
        return ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _amounts(value: Any) -> dict[str, float]:
    return {
        str(month): float(usd)
        for month, usd in _dict(value).items()
        if isinstance(usd, int | float) and usd >= 0
    }
