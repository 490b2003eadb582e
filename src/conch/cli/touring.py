"""`conch tour`: the tour in a throwaway home."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from conch.app import Conch
from conch.cli.showing import out, plain
from conch.engines.engines import Engines
from conch.evals.promises import broken_promises
from conch.evals.tour import PAGE_READER, Tour
from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.home.writer import take_writer
from conch.words.meaning import load_meaning


def _show(what: str, holds: bool) -> None:
    mark = "[green]✓[/]" if holds else "[red]✗[/]"
    out.print(f"{mark} {plain(what)}")


async def run_tour() -> bool:
    """Play the tour with the practice engine; gives whether every step held."""
    clock = SteppedClock(datetime.now(UTC))
    with tempfile.TemporaryDirectory(prefix="conch-tour-") as folder:
        home = Home.open(Path(folder), clock)
        with take_writer(home):
            engines = Engines(home, {}, ports={})
            conch = Conch(home, {}, meaning=load_meaning(), steps=(PAGE_READER,), engines=engines)
            conch.begin()
            out.print("[dim]A throwaway home, the practice engine, time set forward by hand.[/]")
            trial = await Tour(conch, clock, _show).play()
            await conch.close()
            conch.chats.close()
        broken = broken_promises(Path(folder))
        _show("every promise holds for the home that is left", not broken)
        for promise in broken:
            out.print(f"  [red]{plain(promise)}[/]")
    passed = trial.passed and not broken
    out.print("[green]All of it held.[/]" if passed else "[red]Not all of it held.[/]")
    return passed
