"""The verb that brings chats in from other assistants."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.doors.bring.bring import bring as bring_in


async def bring(conch: Conch, args: dict[str, Any]) -> Items:
    """Bring in the chats at `path`; gives progress, then what came of it. Asks no model."""
    path = Path(text(args, "path"))
    progress: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def on_progress(read: int, total: int) -> None:
        item = {"type": "progress", "read": read, "total": total}
        loop.call_soon_threadsafe(progress.put_nowait, item)

    async def work() -> Any:
        try:
            return await asyncio.to_thread(
                bring_in,
                path,
                conch.chats,
                conch.home.root / "brought.json",
                conch.home.notes,
                on_progress,
                here=conch.parts.host,
            )
        finally:
            progress.put_nowait(None)

    task = asyncio.create_task(work())
    while (item := await progress.get()) is not None:
        yield item
    brought = await task
    yield {"type": "brought", **brought.as_dict()}


VERBS: dict[str, Verb] = {"bring": bring}
