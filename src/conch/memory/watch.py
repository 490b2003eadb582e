"""Picking up what a person changes by hand in the memory folder, while Conch runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from conch.home.home import Home

SETTLE_MS = 300
"""An editor that writes a file in several steps is given this long to finish."""
LOOK_SECONDS = 5.0
"""How often to look where the system does not tell, and whether it is the same folder still."""


async def memory_changes(home: Home, look_seconds: float = LOOK_SECONDS) -> AsyncIterator[None]:
    """Comes each time memory files may have been changed, added or removed, until it is closed.

    First when the watch begins, and again whenever it begins anew: when the folder was taken away
    or another put in its place. Where the system does not tell of changes that is said, and Conch
    looks by itself every `look_seconds`. The folder is never made: an empty one would look as if
    the person had deleted every memory.
    """
    was_there = False
    while True:
        folder = _identity(home.memory)
        if was_there and folder is None:
            home.notes.say(
                "The memory folder is gone, so no memory is used. Put it back: nothing counts as "
                "forgotten while it is away.",
                where=home.memory.name,
            )
        was_there = folder is not None
        yield
        if folder is not None:
            try:
                async for _ in _told(home.memory, folder, look_seconds):
                    yield
                continue
            except (OSError, RuntimeError) as error:
                if _identity(home.memory) == folder:
                    home.notes.say(
                        "The system doesn't tell of changes in the memory folder "
                        f"({error}). Conch looks for them every few seconds instead.",
                        where=home.memory.name,
                    )
        await asyncio.sleep(look_seconds)


async def _told(path: Path, folder: tuple[int, int], look_seconds: float) -> AsyncIterator[None]:
    """Each change in `folder`, until it is no longer what stands at `path`.

    Once without a change too: what was saved before the system began to tell is told by nobody.
    """
    from watchfiles import Change, DefaultFilter, awatch

    ordinary = DefaultFilter()

    def may_matter(change: Change, changed: str) -> bool:
        name = Path(changed).name
        is_memory = name.endswith(".md") and not name.startswith(".")
        return ordinary(change, changed) and (is_memory or changed == str(path))

    has_looked = False
    async for changes in awatch(
        path,
        watch_filter=may_matter,
        debounce=SETTLE_MS,
        rust_timeout=round(look_seconds * 1000),
        yield_on_timeout=True,
        recursive=True,
    ):
        if changes or not has_looked:
            has_looked = True
            yield
        if _identity(path) != folder:
            return


def _identity(path: Path) -> tuple[int, int] | None:
    """Which folder stands at `path`; None when there is none, or it cannot be asked."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
