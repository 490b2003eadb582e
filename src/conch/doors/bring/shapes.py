"""Values of a file that may be anything, read as what they should be: never an exception."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from conch.chats.steps import input_of
from conch.home.json_values import read_json

_LONGEST_TEXT = 2_000
"""Outputs and the strings of an input are kept to this many characters."""
_DEEPEST = 8
_MOST_ITEMS = 100
_MILLISECONDS_FROM = 10**11
_MIDDLE = "\n… (cut) …\n"


def mapping(value: object) -> dict[str, Any]:
    """The value when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[Any]:
    """The value when it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    """The value when it is text, without lone surrogates; else ""."""
    return readable(value) if isinstance(value, str) else ""


def readable(value: str) -> str:
    """Text that can be written as UTF-8: each lone surrogate becomes U+FFFD."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def joined(value: object) -> str:
    """The words of content given as text, as a list of blocks, or as one block with `text`."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, dict):
        return text(value.get("text")) or (
            joined(value.get("content")) if "content" in value else ""
        )
    parts = [text(one) or text(mapping(one).get("text")) for one in listed(value)]
    return "\n".join(part for part in parts if part)


def moment(value: object) -> datetime | None:
    """A time in UTC from ISO 8601 text or seconds or milliseconds since 1970; else None.

    A time without a zone counts as UTC.
    """
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
            found = datetime.fromtimestamp(seconds, UTC)
        elif isinstance(value, str):
            found = datetime.fromisoformat(value.strip())
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if 1990 <= found.year <= 2200 else None


def arguments(value: object) -> dict[str, Any]:
    """A tool's input, given as JSON text or as an object; anything else is none."""
    return input_of(value if isinstance(value, str | dict) else None)


def parsed(value: object) -> object:
    """JSON text as its value; anything else, and text that is no JSON, as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value


def whole_number(value: object) -> int | None:
    """The value when it is a whole number a log can hold, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if abs(value) < 2**53 else None


def capped(value: str, longest: int = _LONGEST_TEXT) -> str:
    """At most `longest` characters of a text: its beginning and its end, where errors stand."""
    value = readable(value)
    if len(value) <= longest:
        return value
    head = longest * 2 // 3
    return value[:head] + _MIDDLE + value[len(value) - (longest - head - len(_MIDDLE)) :]


def capped_input(value: object) -> dict[str, Any]:
    """A tool's input as plain JSON values with long texts capped."""
    plain = _plain(value, 0)
    return plain if isinstance(plain, dict) else {"text": plain} if plain else {}


def _plain(value: object, depth: int) -> Any:
    if isinstance(value, str):
        return capped(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)[:100] if abs(value) < 10**90 else "…"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        kept = list(value.items())[:_MOST_ITEMS]
        return {capped(str(key), 200): _plain(inner, depth + 1) for key, inner in kept}
    if isinstance(value, list | tuple):
        return [_plain(inner, depth + 1) for inner in value[:_MOST_ITEMS]]
    return capped(str(value))
