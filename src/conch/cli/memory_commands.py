"""`conch memory …`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from conch.cli.commands import AsJson, app, items, one, print_json
from conch.cli.showing import out, plain, show_memory

memory = typer.Typer(help="What Conch remembers.", no_args_is_help=True)
app.add_typer(memory, name="memory")

MemoryId = Annotated[str, typer.Argument(help="Its id, or the end of it as listed.")]


@memory.command("list")
def listing(as_json: AsJson = False) -> None:
    """Every memory, those that wait or are held with the reason."""
    _show(items("memory.list"), as_json, "Nothing is remembered yet.")


@memory.command()
def search(query: str, as_json: AsJson = False) -> None:
    """Search what is remembered, and what used to be true."""
    _show(items("memory.search", query=query), as_json, "Nothing is known about that.")


@memory.command()
def earlier(as_json: AsJson = False) -> None:
    """What used to be true, and until when."""
    _show(items("memory.earlier"), as_json, "Nothing was replaced yet.")


def _show(found: list[dict[str, object]], as_json: bool, none: str) -> None:
    if as_json:
        print_json(found)
        return
    for item in found:
        show_memory(item)
    if not found:
        out.print(none)


@memory.command()
def add(
    text: str,
    kind: Annotated[str, typer.Option(help="fact, preference, project or person.")] = "fact",
) -> None:
    """Remember something, in your own words."""
    show_memory(one("memory.add", text=text, kind=kind))


@memory.command()
def edit(id: MemoryId, text: Annotated[str, typer.Argument(help="The new words.")]) -> None:
    """Change a memory's words; they are yours from then on."""
    show_memory(one("memory.edit", id=id, text=text))


@memory.command()
def forget(
    id: MemoryId,
    earlier: Annotated[bool, typer.Option("--earlier", help="A copy of what was.")] = False,
) -> None:
    """Forget a memory. One that Conch wrote won't be learned again."""
    gone = one("memory.forget", id=id, earlier=earlier)
    out.print(f"Forgotten: {plain(gone['text'])}")


@memory.command()
def export(
    to: Annotated[Path | None, typer.Option(help="A folder for Markdown files.")] = None,
) -> None:
    """Every memory in use, as JSON, or as Markdown files with --to."""
    done = one("memory.export", to=str(to.absolute()) if to else "")
    if to:
        out.print(f"{done['count']} written to {plain(str(to))}")
    else:
        sys.stdout.write(done["text"] + "\n")
