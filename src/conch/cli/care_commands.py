"""`conch doctor` looks, `conch repair` mends."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from conch.cli.commands import AsJson, app, print_json, root
from conch.cli.interrupting import run_async
from conch.cli.showing import out, plain

if TYPE_CHECKING:
    from conch.care.findings import Finding
    from conch.home.home import Home

_SETTLES_SECONDS = 1.0


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Look at everything and say what is wrong. Changes nothing."""
    from conch.home.home import Home

    home = Home.open(root())
    found = _examined(home)
    found += _examined_around(home, found)
    _show(found, as_json)
    if any(finding.state == "mend" for finding in found):
        if not as_json:
            out.print("conch repair mends what is marked.")
        raise typer.Exit(1)


@app.command()
def repair(as_json: AsJson = False) -> None:
    """Mend everything that can be mended, and say what was done and what is left to you."""
    from conch.care.repair import mend_before_opening, mended, set_aside_what_is_left
    from conch.home.home import Home
    from conch.home.writer import take_writer

    home = Home.open(root())
    with take_writer(home):
        before = _examined(home)
        mend_before_opening(home, before)
        run_async(_open_and_close())
        set_aside_what_is_left(home, _examined(home))
        after = _examined(home)
        after += _examined_around(home, after)
    done = mended(before, after)
    if as_json:
        print_json({"mended": [vars(one) for one in done], "found": [vars(one) for one in after]})
        return
    for one in done:
        out.print(f"[green]mended[/]  {plain(one.said)}")
    if not done:
        out.print("There was nothing to mend.")
    _show([one for one in after if one.state != "good"], as_json=False)


async def _open_and_close() -> None:
    """Open the home as every command does: that sets damaged files aside, mends torn lines,
    carries through what a crash cut off and makes the index again."""
    from conch.app import Conch

    conch = Conch.open(root())
    conch.begin()
    for head in conch.chats.heads():
        conch.chats.log(head.id).events()
    conch.memories.refresh()
    await conch.close()


def _examined(home: Home) -> list[Finding]:
    """What is found; looked at twice, since a Conch at work is between two states for a moment."""
    from conch.care.examine import examine
    from conch.evals.promises import broken_promises

    found = examine(home, broken_promises)
    if all(finding.state == "good" for finding in found):
        return found
    time.sleep(_SETTLES_SECONDS)
    again = examine(home, broken_promises)
    return [one for one in again if one.state != "mend" or one in found]


def _examined_around(home: Home, found: Sequence[Finding]) -> list[Finding]:
    """Engines and the like; nothing where settings are damaged: reading them would mend them."""
    from conch.care.around import Around, examine_around
    from conch.care.backups import Backups
    from conch.engines.engines import Engines
    from conch.engines.spend import LearningSpend

    if any(finding.path for finding in found):
        return []
    engines = Engines(home, os.environ)
    return run_async(examine_around(Around(home, engines, LearningSpend(home), Backups(home))))


_MARKS = {"good": "[green]ok[/]     ", "mend": "[red]mend[/]   ", "yours": "[yellow]yours[/]  "}


def _show(found: Sequence[Finding], as_json: bool) -> None:
    if as_json:
        print_json([vars(finding) for finding in found])
        return
    for finding in found:
        do = f" [dim]{plain(finding.do)}[/]" if finding.do else ""
        out.print(f"{_MARKS[finding.state]} {plain(finding.said)}{do}")
