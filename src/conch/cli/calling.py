"""How the terminal reaches the one writer: over the home's socket, or by being it for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

from conch.home.errors import HomeBusy, NobodyHome
from conch.home.home import Home
from conch.home.socket import ask
from conch.home.writer import take_writer

Call = Callable[[str, dict[str, Any]], AsyncGenerator[dict[str, Any]]]

_TRIES = 50
_BETWEEN_SECONDS = 0.2


async def call(root: Path, verb: str, args: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
    """Have `verb` done in the home at `root`; gives its answer item by item.

    A Conch that runs for this home is asked; otherwise this process takes the writer's lock for as
    long as the answer takes. Raises ConchError as the verb does; HomeBusy when another command
    keeps the home for ten seconds.
    """
    home = Home.open(root)
    for tried in range(_TRIES):
        try:
            async for item in ask(home, verb, args):
                yield item
            return
        except NobodyHome:
            pass
        try:
            writer = take_writer(home)
        except HomeBusy:
            if tried == _TRIES - 1:
                raise
            await asyncio.sleep(_BETWEEN_SECONDS)
            continue
        with writer:
            from conch.app import Conch
            from conch.cli.verbs import answer

            conch = Conch.open(root)
            conch.begin()
            try:
                async with aclosing(answer(conch, verb, args)) as items:
                    async for item in items:
                        yield item
            finally:
                await conch.close()
        return


async def call_once(root: Path, verb: str, args: dict[str, Any]) -> dict[str, Any]:
    """The only item of a verb that answers with one; {} when it answers with none."""
    last: dict[str, Any] = {}
    async for item in call(root, verb, args):
        last = item
    return last
