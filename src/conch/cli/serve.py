"""Runs the gateway in a terminal: the writer's lock, the home's socket, the sweep, the server."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path

from conch.app import Conch
from conch.cli.interrupting import on_interrupt
from conch.cli.showing import out, plain
from conch.cli.verbs import VERBS, answer
from conch.cli.verbs.gateway_verbs import verbs_of
from conch.engines.practice import PRACTICE
from conch.home.clock import Clock, QuickClock, SystemClock
from conch.home.errors import ConchError, HomeBusy
from conch.home.home import Home
from conch.home.socket import HomeSocket, ask
from conch.home.writer import take_writer
from conch.learning.sweep import SWEEP_EVERY
from conch.web.gateway import Gateway
from conch.web.pages import DIST
from conch.web.serving import Listening, serving, where_it_listens

CLOCK_SPEED = "CONCH_TEST_CLOCK_SPEED"
"""For tests only: how many times faster the home's clock runs, so that a chat goes quiet in
seconds. Nobody's real home should ever see it."""
_LONGEST_SWEEP = timedelta(seconds=1)
_LOOK_MAY_END_SECONDS = 5.0


async def serve_until_stopped(
    root: Path, environ: Mapping[str, str], listening: Listening, *, opens: bool
) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises HomeBusy, pointing at the first one, when a Conch runs for this home already; ConchError
    when the port is taken or a password is missing.
    """
    home = Home.open(root)
    try:
        writer = take_writer(home)
    except HomeBusy:
        raise await _pointing_at_the_first(home) from None
    with writer:
        async with _running(root, environ, listening) as gateway:
            link = gateway.link()
            _say(gateway, link)
            stopped = asyncio.Event()
            loop = asyncio.get_running_loop()
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(signal.SIGTERM, stopped.set)
            if opens and (DIST / "index.html").is_file():
                import webbrowser

                await asyncio.to_thread(webbrowser.open, link)
            with on_interrupt(loop, stopped.set):
                await stopped.wait()


def _say(gateway: Gateway, link: str) -> None:
    out.print(f"Conch runs at {plain(gateway.address)}")
    out.print(f"Sign in once with this link: {plain(link)}")
    if not (DIST / "index.html").is_file():
        out.print("[dim]The browser app was not built yet: make web[/]")
    engine, _ = gateway.conch.assistant.engine()
    if engine.id == PRACTICE:
        out.print(
            "[dim]The practice engine answers; it is scripted. Connect a real one under Settings, "
            "or with: conch connect anthropic[/]"
        )
    out.print("[dim]Ctrl-C stops it.[/]")


@contextlib.asynccontextmanager
async def _running(
    root: Path, environ: Mapping[str, str], listening: Listening
) -> AsyncIterator[Gateway]:
    speed = clock_speed(environ)
    clock: Clock = SystemClock() if speed == 1 else QuickClock(speed)
    conch = Conch.open(root, environ=environ, clock=clock)
    async with contextlib.AsyncExitStack() as at_the_end:
        at_the_end.push_async_callback(conch.close, _LOOK_MAY_END_SECONDS)
        conch.begin()
        gateway = await at_the_end.enter_async_context(serving(conch, listening))
        verbs = {**VERBS, **verbs_of(gateway)}
        socket = await HomeSocket.start(
            conch.home, lambda verb, args: answer(conch, verb, args, verbs)
        )
        at_the_end.push_async_callback(socket.close)
        every = SWEEP_EVERY if speed == 1 else min(SWEEP_EVERY / speed, _LONGEST_SWEEP)
        conch.run_in_background(sweep_every=every)
        yield gateway


async def _pointing_at_the_first(home: Home) -> HomeBusy:
    with contextlib.suppress(ConchError):
        async for item in ask(home, "gateway.link", {}):
            return HomeBusy(
                f"Conch runs for this home already, at {where_it_listens(home)}.",
                "Nothing was started.",
                f"Open it with this link, good once: {item['link']}",
            )
    return HomeBusy(
        f"Another Conch is using {home.root}.",
        "Nothing was started.",
        "Leave that chat first; then run conch serve again.",
    )


def clock_speed(environ: Mapping[str, str]) -> float:
    """How much faster the home's clock runs, from a setting for tests; 1 for everybody else."""
    try:
        speed = float(environ.get(CLOCK_SPEED, "1"))
    except ValueError:
        return 1.0
    return speed if 1 <= speed <= 100_000 else 1.0
