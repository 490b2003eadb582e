"""`conch chat`: talk in the terminal; one line; or piped input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from conch.cli.commands import app, joined, root
from conch.cli.interrupting import run_async


@app.command()
def chat(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="One message to answer, or a command like /help; none to talk."),
    ] = None,
    open_chat: Annotated[str, typer.Option("--open", help="Go on in this chat.")] = "",
    folder: Annotated[
        str, typer.Option(help="Where a new chat works; by default a folder of its own.")
    ] = "",
) -> None:
    """Talk to Conch. Ctrl-C stops a reply; again, it leaves."""
    from conch.cli.chat import one_message, piped_messages, talk

    said = joined(words)
    where = str(Path(folder).expanduser().absolute()) if folder else ""
    if said:
        material = "" if sys.stdin.isatty() else sys.stdin.read()
        ended_well = run_async(one_message(root(), said, open_chat, where, material))
    elif not sys.stdin.isatty():
        ended_well = run_async(piped_messages(root(), sys.stdin, open_chat, where))
    else:
        ended_well = run_async(talk(root(), open_chat, where))
    if not ended_well:
        sys.exit(1)
