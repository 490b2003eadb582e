"""When the words of a memory were last said: chats are looked at in any order, and what was said
last is what holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from conch.memory.memory import Memory


def when_said(
    memories: Iterable[Memory], said: Mapping[str, datetime], now: datetime
) -> dict[str, datetime]:
    """When each of `memories` was last said, by its id, where that is known.

    `said` is what the journal knows of it. What the person wrote themself was said when they last
    wrote it. A time still to come was written by a clock set right since, and says nothing.
    """
    found: dict[str, datetime] = {}
    for memory in memories:
        at = said.get(memory.id)
        if memory.source == "you":
            at = max(memory.updated, at or memory.updated)
        elif at is None and not memory.learned and memory.source != "import":
            at = memory.updated
        if at is not None and at <= now:
            found[memory.id] = at
    return found
