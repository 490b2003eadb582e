"""Hand edits are picked up while Conch runs, without anybody asking."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.sealed import is_sealed
from memory.conftest import MakeMemory


def saved(path: Path, words: str, home: Home, *, again: bool = False) -> None:
    """Save `words` as a person would, and wait until Conch has sealed them.

    `again`: save once more every few seconds, for a watcher that is only just starting.
    """
    end = time.monotonic() + 60
    while time.monotonic() < end:
        path.write_text(words)
        pause = time.monotonic() + (3 if again else 60)
        while time.monotonic() < pause:
            if is_sealed(path.read_bytes(), home.seal):
                return
            time.sleep(0.05)
    raise AssertionError(f"{path.name} was not picked up")


async def test_a_changed_and_a_new_file_are_read_as_they_are_saved(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put()
    watching = asyncio.create_task(memories.watch())
    try:
        text = "---\nid: m_1\n---\nLives in Lisbon\n"
        await asyncio.to_thread(saved, home.memory / "m_1.md", text, home, again=True)
        await asyncio.to_thread(saved, home.memory / "tea.md", "Drinks tea\n", home)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert {memory.text for memory in memories.usable()} == {"Lives in Lisbon", "Drinks tea"}
