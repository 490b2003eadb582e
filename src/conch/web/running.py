"""Turns that run in the gateway: they belong to it, not to the tab that asked.

A closed tab stops nothing; whoever comes later gets the whole turn from its start. Stop stops it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence

from conch.app import Conch
from conch.assistant.attached import Attachment
from conch.chats.events import LeftOut
from conch.web.turn_stream import TurnStream


class RunningTurn:
    """One turn as server-sent events, kept until it has ended."""

    def __init__(self) -> None:
        self._frames: list[str] = []
        self._ended = False
        self._came = asyncio.Event()

    def add(self, frames: Sequence[str], *, ended: bool = False) -> None:
        self._frames += frames
        self._ended = self._ended or ended
        self._came.set()
        self._came = asyncio.Event()

    async def frames(self) -> AsyncGenerator[str]:
        """Everything from the turn's start, then what comes, until it has ended."""
        at = 0
        while True:
            while at < len(self._frames):
                yield self._frames[at]
                at += 1
            if self._ended:
                return
            await self._came.wait()


class RunningTurns:
    """The turns of one home that were begun in the web app."""

    def __init__(self, conch: Conch) -> None:
        self._conch = conch
        self._running: dict[str, RunningTurn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def get(self, chat: str) -> RunningTurn | None:
        """The turn that runs in this chat and was begun here."""
        return self._running.get(chat)

    def start(
        self,
        chat: str,
        words: str,
        files: Sequence[Attachment] = (),
        left_out: LeftOut | None = None,
    ) -> RunningTurn:
        """Begin a turn; it runs to its end whoever listens.

        `left_out`: what these words stand in for. Raises ConchError, with nothing written, when
        the turn can't begin.
        """
        self._conch.assistant.must_be_able(chat, words, files)
        turn = self._running[chat] = RunningTurn()
        task = asyncio.create_task(self._run(chat, words, files, left_out, turn))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return turn

    async def _run(
        self,
        chat: str,
        words: str,
        files: Sequence[Attachment],
        left_out: LeftOut | None,
        turn: RunningTurn,
    ) -> None:
        stream = TurnStream(chat)
        turn.add(stream.begin())
        happenings = self._conch.assistant.turn(
            chat,
            words,
            door="web",
            can_ask=True,
            files=files,
            with_hands=True,
            left_out=left_out,
        )
        try:
            async with contextlib.aclosing(happenings):
                async for happening in happenings:
                    turn.add(stream.of(happening))
        except Exception as error:
            # A full disk, a chat deleted meanwhile: the tab is told, the gateway goes on.
            turn.add(stream.broken(error))
        finally:
            self._running.pop(chat, None)
            turn.add(stream.end(), ended=True)

    async def close(self) -> None:
        """Stop every turn; each ends in its log as stopped."""
        for chat in list(self._running):
            self._conch.assistant.stop(chat)
        await asyncio.gather(*self._tasks, return_exceptions=True)
