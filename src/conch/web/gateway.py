"""What every route is handed: one home's Conch, the turns that run, the event stream, sign-in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request

from conch.app import Conch
from conch.home.off_loop import off_loop
from conch.web.events import EventStream
from conch.web.forgotten import Forgotten
from conch.web.reading import ChatReader
from conch.web.running import RunningTurns
from conch.web.sign_in import SignIn

Done = TypeVar("Done")


@dataclass
class Gateway:
    """One home, as the web app reaches it. `address` is where it listens."""

    conch: Conch
    sign_in: SignIn
    address: str = "http://127.0.0.1:4317"
    events: EventStream = field(default_factory=EventStream)

    def __post_init__(self) -> None:
        self.turns = RunningTurns(self.conch)
        self.reader = ChatReader(self.conch.chats)
        self.forgotten = Forgotten(self.conch)
        self._behind: set[asyncio.Task[Any]] = set()

    def link(self) -> str:
        """An address that signs in whoever opens it first."""
        return f"{self.address}/sign-in?token={self.sign_in.new_link()}"

    async def pressed(self, work: Callable[[], Done]) -> Done:
        """Carry out a person's press: beside the event loop, since it waits for the disk, and alone
        among what writes memories, so that what it looked at is what it changes."""

        def alone() -> Done:
            with self.conch.parts.carrying:
                return work()

        return await off_loop(alone)

    def behind(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have `work` done without anybody waiting for it; what it came to is told by events."""
        task = asyncio.create_task(work)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    async def close(self) -> None:
        """Stop every turn and what is done behind; a look cut off is carried through later."""
        await self.turns.close()
        for task in list(self._behind):
            task.cancel()
        await asyncio.gather(*self._behind, return_exceptions=True)
        self.events.close()


def _gateway(request: Request) -> Gateway:
    return cast(Gateway, request.app.state.gateway)


Here = Annotated[Gateway, Depends(_gateway)]
"""A route's parameter: the gateway it belongs to."""
