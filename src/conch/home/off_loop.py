"""Disk work off the event loop, so that a turn does not wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

Given = TypeVar("Given")


async def off_loop(work: Callable[[], Given]) -> Given:
    """Do `work` in a thread; gives what it gives, and raises what it raises.

    Whoever is cancelled meanwhile waits for its end: nothing goes on writing to a home that counts
    as closed.
    """
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise
