"""The event stream: numbered, replayed from the last event a browser saw, bounded."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncGenerator

from pydantic import BaseModel
from starlette.responses import StreamingResponse

from conch.web.event_shapes import Reset

KEPT = 1_000
"""Events that can be replayed; who missed more is told to read everything anew."""
HEARTBEAT_SECONDS = 15.0


class ServerSentEvents(StreamingResponse):
    """A stream of server-sent events."""

    media_type = "text/event-stream"


class EventStream:
    """What happened in one run of the gateway. Ids are "<run>-<number>": a restart is noticed."""

    def __init__(self, kept: int = KEPT) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[tuple[int, str]] = deque(maxlen=kept)
        self._came = asyncio.Event()
        self._closed = False

    @property
    def last_id(self) -> str:
        return f"{self._run}-{self._number}"

    def publish(self, event: BaseModel) -> None:
        """Tell every browser."""
        self._number += 1
        self._kept.append((self._number, self._frame(self._number, event)))
        self._wake()

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        self._wake()

    async def frames(
        self, last_seen: str = "", heartbeat: float = HEARTBEAT_SECONDS
    ) -> AsyncGenerator[str]:
        """Server-sent events after `last_seen` ("": from now on), until closed.

        The first frame says which event is the latest, so that a browser has an id to come back
        with; where it missed more than is kept, it says so with a `reset`.
        """
        seen = self._place(last_seen)
        if seen is None:
            seen = self._number
            if last_seen:
                yield self._frame(seen, Reset())
        yield f"id: {self._run}-{seen}\nretry: 1000\n: hello\n\n"
        while not self._closed:
            fresh = [(number, frame) for number, frame in self._kept if number > seen]
            if fresh and fresh[0][0] > seen + 1:
                # Slower than events are dropped.
                seen = self._number
                yield self._frame(seen, Reset())
                continue
            for number, frame in fresh:
                yield frame
                seen = number
            if seen == self._number and not self._closed:
                try:
                    await asyncio.wait_for(self._came.wait(), heartbeat)
                except TimeoutError:
                    yield ": still here\n\n"

    def _place(self, last_seen: str) -> int | None:
        """The number of the event last seen, None when what came after it is no longer known."""
        run, _, number = last_seen.partition("-")
        if run != self._run or not number.isdecimal() or len(number) > 15:
            return None
        seen = int(number)
        oldest = self._kept[0][0] if self._kept else self._number + 1
        return seen if oldest - 1 <= seen <= self._number else None

    def _frame(self, number: int, event: BaseModel) -> str:
        return f"id: {self._run}-{number}\ndata: {event.model_dump_json()}\n\n"

    def _wake(self) -> None:
        self._came.set()
        self._came = asyncio.Event()
