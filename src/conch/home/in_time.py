"""Work that is worth having only in time: one deadline over all of it, and one at a time.

Whoever waits goes on without it once the time is over. A thread cannot be stopped: what comes late
is thrown away, and while it still runs nothing more is begun, so that late work never piles up.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

Done = TypeVar("Done")


class InTime:
    """Does one thing at a time beside the event loop, for at most `deadline` seconds."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self._free = threading.Lock()

    async def do(self, work: Callable[[], Done], otherwise: Done) -> Done:
        """What `work` gives; `otherwise` when it takes too long, fails, or the work before it is
        still going on. Never raises for what happens in `work`."""
        if not self._free.acquire(blocking=False):
            return otherwise
        loop = asyncio.get_running_loop()
        given: asyncio.Future[Done] = loop.create_future()

        def told(result: Done) -> None:
            if not given.done():
                given.set_result(result)

        def go() -> None:
            result = otherwise
            try:
                result = work()
            except Exception:  # what is only nice to have harms no turn
                result = otherwise
            finally:
                self._free.release()
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(told, result)

        try:
            # A daemon: what is late keeps no process from ending.
            threading.Thread(target=go, name="in-time", daemon=True).start()
        except RuntimeError:  # no more threads
            self._free.release()
            return otherwise
        try:
            return await asyncio.wait_for(given, self.deadline)
        except TimeoutError:
            return otherwise
