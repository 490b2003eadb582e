"""Where the memory of something learned is by now: a person may move, damage or delete files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from conch.home import files
from conch.learning.parts import LearningParts
from conch.learning.record import STANDING, Record

Whereabouts = Literal["live", "earlier", "unreadable"]
"""In use or waiting; what used to be true; its file can't be read and is left out or set aside."""

_MORE = re.compile(r"-\d+\Z")

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
    names = _names_in(home.memory)
    damaged = [home.memory / name for name in names if ".damaged-" in name]
    if damaged:
        texts = [files.read_bytes(path) for path in damaged if path.is_file()]
        for record in parts.record.state.records.values():
            if any(record.memory.encode() in text for text in texts):
                found[record.memory] = "unreadable"
    copies = _names_in(home.superseded)
    stems = [name[:-3] for name in copies if name.endswith(".md")]
    # "m_1-2.md" is another copy of m_1.
    found.update({_MORE.sub("", stem): "earlier" for stem in stems})
    found.update(dict.fromkeys(stems, "earlier"))
    found.update({name[:-3]: "unreadable" for name in names if name.endswith(".md")})
    found.update({memory.id: "earlier" for memory in earlier})
    found.update({memory.id: "live" for memory in live})
    return found


def _names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except FileNotFoundError:
        return []


def otherwise(record: Record, where: dict[str, Whereabouts]) -> str:
    """What is to be said beside a record whose memory is not simply there, else ""."""
    return OTHERWISE[where.get(record.memory)] if record.state in STANDING else ""
