"""Where the memory of something learned is by now: a person may move, damage or delete files."""

from __future__ import annotations

from typing import Literal

from conch.home import files
from conch.learning.parts import LearningParts
from conch.learning.record import STANDING, Record

Whereabouts = Literal["live", "earlier", "unreadable"]
"""In use or waiting; what used to be true; its file can't be read and is left out or set aside."""

OTHERWISE: dict[Whereabouts | None, str] = {
    "live": "",
    "earlier": "replaced since",
    "unreadable": "not used: its file can't be read and was set aside",
    None: "its file is gone",
}
"""What is to be said of something learned, by where its memory is (None: nowhere)."""


def where_memories_are(parts: LearningParts) -> dict[str, Whereabouts]:
    """Every memory that is there in some form, by id; one that is not in it is gone."""
    home, memories = parts.home, parts.memories
    found: dict[str, Whereabouts] = {}
    live, earlier = memories.all(), memories.earlier()
    damaged = [path for path in home.memory.glob("*.damaged-*") if path.is_file()]
    if damaged:
        texts = [files.read_bytes(path) for path in damaged]
        for record in parts.record.state.records.values():
            if any(record.memory.encode() in text for text in texts):
                found[record.memory] = "unreadable"
    found.update({path.stem: "earlier" for path in home.superseded.glob("*.md")})
    found.update({path.stem: "unreadable" for path in home.memory.glob("*.md")})
    found.update({memory.id: "earlier" for memory in earlier})
    found.update({memory.id: "live" for memory in live})
    return found


def otherwise(record: Record, where: dict[str, Whereabouts]) -> str:
    """What is to be said beside a record whose memory is not simply there, else ""."""
    return OTHERWISE[where.get(record.memory)] if record.state in STANDING else ""
