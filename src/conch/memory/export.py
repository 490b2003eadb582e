"""Memories as files for other programs: only what is used, nothing that waits or is held."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from conch.home import files
from conch.memory.memory import Memory
from conch.memory.sealed import iso, plain_bytes


def as_json(memories: Sequence[Memory]) -> str:
    """`{"format": "conch-memories", "version": 1, "memories": […]}`, indented."""
    rows = [
        {
            "id": memory.id,
            "kind": memory.kind,
            **({"about": memory.about} if memory.about else {}),
            "source": memory.source,
            "created": iso(memory.created),
            "updated": iso(memory.updated),
            **({"cues": list(memory.cues)} if memory.cues else {}),
            "text": memory.text,
        }
        for memory in memories
        if memory.usable
    ]
    whole = {"format": "conch-memories", "version": 1, "memories": rows}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def to_markdown(memories: Sequence[Memory], folder: Path) -> int:
    """A Markdown file a memory, without seals, into `folder`; gives how many.

    A file of the same name is written over. Raises OSError when the disk refuses.
    """
    usable = [memory for memory in memories if memory.usable]
    files.make_folder(folder)
    for memory in usable:
        files.write_atomic(folder / f"{memory.id}.md", plain_bytes(memory))
    return len(usable)
