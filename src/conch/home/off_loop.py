"""Disk work off the event loop, so that a turn does not wait for it."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import TypeVar

Done = TypeVar("Done")


async def off_loop(work: Callable[[], Done]) -> Done:
    """Do `work` in a thread; gives what it gives, and raises what it raises.

    Whoever is cancelled meanwhile, however often, waits for its end: nothing goes on writing to a
    home that counts as closed.
    """
    # No task: whoever cancels all tasks at the end would leave the thread to itself.
    context = contextvars.copy_context()
    working = asyncio.get_running_loop().run_in_executor(None, context.run, work)
    cancelled: asyncio.CancelledError | None = None
    while not working.done():
        try:
            await asyncio.wait([working])
        except asyncio.CancelledError as error:
            cancelled = cancelled or error
    if cancelled is not None:
        working.exception()  # looked at, or the loop would complain of it
        raise cancelled
    return working.result()
