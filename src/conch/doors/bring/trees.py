"""The branch that is shown, of messages that each name the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conch.doors.bring.shapes import text

Message = dict[str, Any]


def branch(
    parent_of: Callable[[Message], str], by_id: dict[str, Message], last: str
) -> list[Message]:
    """From the first message to `last`, oldest first; a circle or a gap ends it."""
    path: list[Message] = []
    seen: set[str] = set()
    at = last
    while at in by_id and at not in seen:
        seen.add(at)
        path.append(by_id[at])
        at = parent_of(by_id[at])
    return path[::-1]


def newest_leaf(messages: list[Message], id_of: str, parent_of: Callable[[Message], str]) -> str:
    """The end of the branch a reader shows first: from the last root, the last answer each time."""
    children: dict[str, list[str]] = {}
    ids = {text(message.get(id_of)) for message in messages}
    for message in messages:
        parent = parent_of(message)
        name = text(message.get(id_of))
        if name:
            children.setdefault(parent if parent in ids and parent != name else "", []).append(name)
    at, seen = "", set[str]()
    while (following := children.get(at)) and following[-1] not in seen:
        at = following[-1]
        seen.add(at)
    return at
