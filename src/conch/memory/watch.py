"""Picking up what a person changes by hand in the memory folder, while Conch runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from conch.home.files import make_folder
from conch.home.home import Home

SETTLE_MS = 300
"""An editor that writes a file in several steps is given this long to finish."""


async def memory_changes(home: Home) -> AsyncIterator[set[Path]]:
    """The memory files that were changed, added or removed, as it happens, until it is closed."""
    from watchfiles import Change, DefaultFilter, awatch

    def is_memory(change: Change, path: str) -> bool:
        name = Path(path).name
        return name.endswith(".md") and not name.startswith(".")

    make_folder(home.memory)
    ordinary = DefaultFilter()
    async for changes in awatch(
        home.memory,
        watch_filter=lambda change, path: ordinary(change, path) and is_memory(change, path),
        debounce=SETTLE_MS,
        recursive=True,
    ):
        yield {Path(path) for _, path in changes}
