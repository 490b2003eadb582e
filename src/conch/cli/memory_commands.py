"""`conch memory …`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, joined, one, print_json
from conch.cli.editor import in_the_editor
from conch.cli.person import must_be_the_person
from conch.cli.showing import out, plain, show_memory
from conch.home.errors import ConchError

memory = typer.Typer(help="What Conch remembers.", no_args_is_help=True)
app.add_typer(memory, name="memory")

MemoryId = Annotated[str, typer.Argument(help="Its id, or the end of it as listed.")]


@memory.command("list")
def listing(as_json: AsJson = False) -> None:
    """Every memory, those that wait or are held with the reason."""
    _show(items("memory.list"), as_json, "Nothing is remembered yet.")


@memory.command()
def search(
    query: Annotated[list[str], typer.Argument(help="A word, some words, or a question.")],
    as_json: AsJson = False,
) -> None:
    """Search what is remembered, and what used to be true."""
    _show(items("memory.search", query=joined(query)), as_json, "Nothing is known about that.")


@memory.command()
def earlier(as_json: AsJson = False) -> None:
    """What used to be true, and until when. restore has it back, forget --earlier removes it."""
    found = items("memory.earlier")
    _show(found, as_json, "Nothing was replaced yet.")
    if found and not as_json:
        end = _end(found[0])
        out.print(
            f"[dim]To have one back: conch memory restore {end} · "
            f"to forget it: conch memory forget --earlier {end}[/]"
        )


def _show(found: list[dict[str, Any]], as_json: bool, none: str) -> None:
    if as_json:
        print_json(found)
        return
    for item in found:
        show_memory(item)
    if not found:
        out.print(none)


@memory.command()
def add(
    text: Annotated[list[str], typer.Argument(help="One sentence about you.")],
    kind: Annotated[
        str, typer.Option(help="fact, preference, project or person; without it the words tell.")
    ] = "",
) -> None:
    """Remember something, in your own words."""
    saved = one("memory.add", text=joined(text), kind=kind)
    show_memory(saved)
    _say_if_held(saved)
    _say_what_it_replaces(saved)


@memory.command()
def restore(id: MemoryId) -> None:
    """Have what used to be true back; what took its place is kept as what used to be true."""
    back = one("memory.restore", id=id)
    show_memory(back)
    _say_if_held(back)
    _say_what_it_replaces(back)


def _say_what_it_replaces(saved: dict[str, Any]) -> None:
    for old in saved.get("replaced", ()):
        out.print(f"Replaces: {plain(old['text'])}. Undo with: conch memory restore {_end(old)}")


@memory.command()
def edit(
    id: MemoryId,
    text: Annotated[
        list[str] | None, typer.Argument(help="The new words; your editor opens if none.")
    ] = None,
) -> None:
    """Change a memory's words; they are yours from then on."""
    listed = [item for item in items("memory.list") if item["id"].endswith(id) and len(id) >= 4]
    if any(item["waits"] or item["held"] for item in listed):
        # New words are an answer to what waits or is held.
        must_be_the_person("Nothing changed.")
    words = joined(text)
    if not words and len(listed) == 1:
        must_be_the_person("Nothing changed.")
        before = listed[0]["text"]
        words = in_the_editor(before + "\n", "memory.txt").strip()
        if words in ("", before.strip()):
            out.print("Nothing changed.")
            return
    saved = one("memory.edit", id=id, text=words)
    show_memory(saved)
    _say_if_held(saved)


def _say_if_held(saved: dict[str, Any]) -> None:
    if saved["same_as"]:
        return
    if not saved["usable"]:
        out.print(f"It is saved and stays unused until you say so: conch memory keep {_end(saved)}")


def _end(memory: dict[str, Any]) -> str:
    return str(memory["id"])[-6:]


@memory.command()
def keep(
    id: MemoryId,
) -> None:
    """Let a memory be used that is held back or waits, for exactly the words shown."""
    found = [item for item in items("memory.list") if item["id"].endswith(id) and len(id) >= 4]
    if len(found) != 1:
        many = "More than one memory ends" if found else "There is no memory whose id ends"
        raise ConchError(
            f"{many} in “{id}”.", "Nothing changed.", "conch memory list shows the ids."
        )
    show_memory(found[0])
    if found[0]["usable"]:
        out.print("It is used already.")
        return
    if found[0]["same_as"]:
        used = plain(found[0]["same_as"][-6:])
        out.print(f"Nothing to keep: {used} says the same and is used. Forget either, or edit one.")
        return
    must_be_the_person("It stays unused.")
    if not typer.confirm("Use it from now on?", default=False):
        out.print("It stays unused.")
        return
    kept = one("memory.keep", id=found[0]["id"], words_hash=found[0]["words_hash"])
    out.print("It is used from now on." if kept.get("usable") else "It stays unused.")


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
