"""`conch bring`, `settings`, `notes`, `chats`, `eval`, `tour`."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, joined, one, print_json, root
from conch.cli.interrupting import run_async
from conch.cli.person import must_be_the_person
from conch.cli.showing import counted, day, money, out, plain, show_chat
from conch.home.settings import MODES

chats = typer.Typer(help="Your chats.", invoke_without_command=True)
settings = typer.Typer(help="What you chose.", invoke_without_command=True)
app.add_typer(chats, name="chats")
app.add_typer(settings, name="settings")

ChatReference = Annotated[
    list[str] | None, typer.Argument(help="Its id or title; the newest if none.")
]


@chats.callback()
def listing(
    context: typer.Context,
    query: Annotated[str, typer.Option(help="Only chats in which this was said.")] = "",
    as_json: AsJson = False,
) -> None:
    """Your chats, newest first."""
    if not context.invoked_subcommand:
        _list_chats(query, as_json)


def _list_chats(query: str, as_json: bool) -> None:
    found = items("chats.list", query=query)
    if as_json:
        print_json(found)
        return
    for chat in found:
        show_chat(chat)
        if chat.get("snippet"):
            out.print(f"        [dim]{plain(chat['snippet'])}[/]")
    if not found:
        none = "That was said in no chat." if query else "No chats yet. Start with: conch chat"
        out.print(none)


@chats.command("list")
def list_chats(
    query: Annotated[str, typer.Option(help="Only chats in which this was said.")] = "",
    as_json: AsJson = False,
) -> None:
    """Your chats, newest first."""
    _list_chats(query, as_json)


@chats.command()
def show(chat: ChatReference = None) -> None:
    """What was said in a chat."""
    for item in items("chats.show", chat=joined(chat)):
        if item["type"] == "said":
            out.print(f"[b]{plain(item['who'])}[/]  {plain(item['text'])}")
        else:
            out.print(f"[dim]{plain(item['title'])} · {item['chat']}[/]")


@chats.command()
def quiet(chat: ChatReference = None, off: Annotated[bool, typer.Option("--off")] = False) -> None:
    """Don't learn from this chat (--off: learn from it again)."""
    done = one("chats.quiet", chat=joined(chat), on=not off)
    text = "Nothing is learned from" if done["on"] else "From here on Conch learns again from"
    out.print(f"{text} {plain(done['title'] or done['chat']).rstrip('.')}.")


@chats.command()
def archive(chat: ChatReference = None) -> None:
    """Archive a chat; it is looked at at once."""
    from conch.cli.showing import learned_line

    for item in items("chats.archive", chat=joined(chat)):
        if item["type"] == "archived":
            out.print(f"Archived: {plain(item['title'] or item['chat'])}")
        elif item["learned"]:
            out.print(learned_line(item["learned"]))


@chats.command()
def delete(chat: Annotated[list[str], typer.Argument(help="Its id or title.")]) -> None:
    """Delete a chat. What was learned in it stays."""
    named = joined(chat)
    if sys.stdin.isatty() and not typer.confirm(f"Delete “{named}”?", default=False):
        return
    done = one("chats.delete", chat=named)
    title = plain(done["title"] or done["chat"]).rstrip(".")
    out.print(f"Deleted: {title}. What was learned in it stays.")


@settings.callback()
def shown(context: typer.Context, as_json: AsJson = False) -> None:
    """What you chose, and what learning spent."""
    if not context.invoked_subcommand:
        _show_settings(as_json)


@settings.command("list")
def list_settings(as_json: AsJson = False) -> None:
    """What you chose, and what learning spent."""
    _show_settings(as_json)


def _show_settings(as_json: bool) -> None:
    found = one("settings")
    if as_json:
        print_json(found)
        return
    cap = found["learning_cap_usd"]
    may = "no cap" if cap is None else f"of {money(cap)} a month"
    paused = " (paused until the 1st)" if found["learning_paused"] else ""
    budget = found["month_budget_usd"]
    out.print(f"home          {plain(found['home'])}")
    out.print(f"learning      {'on' if found['learning'] else 'off'}")
    if found.get("learning_note"):
        out.print(f"              [yellow]{plain(found['learning_note'])}[/]")
    out.print(f"learning-cap  spent {money(found['learning_spent_usd'])} {may}{paused}")
    out.print(
        f"month-budget  {'none' if budget is None else money(budget)}, "
        f"spent {money(found['month_usd'])}"
    )
    out.print(f"mode          {found['mode']}")
    out.print(f"name          {plain(found['name'] or '(not given)')}")


# An amount below zero is to reach the setting and be refused there, not be read as an option.
@settings.command("set", context_settings={"ignore_unknown_options": True})
def change(
    name: Annotated[
        str, typer.Argument(help="learning, mode, name, month-budget or learning-cap.")
    ],
    value: Annotated[
        list[str],
        typer.Argument(
            help="on or off; ask, accept_edits or full_trust; your name; US dollars, or none."
        ),
    ],
) -> None:
    """Change one setting."""
    if _gives_more(name, joined(value)):
        must_be_the_person("Nothing changed.")
    _show_setting(name, one("settings.set", name=name, value=joined(value)))


def _gives_more(name: str, value: str) -> bool:
    """Whether Conch could do or spend more unasked with this value than with what is chosen now."""
    if name == "mode":
        mode = value.lower().replace(" ", "_")
        return mode in MODES and MODES.index(mode) > MODES.index(one("settings")["mode"])
    spends = {"learning-cap": "learning_cap_usd", "month-budget": "month_budget_usd"}.get(name)
    now = one("settings")[spends] if spends else None
    if now is None:
        return False
    try:
        return value == "none" or now < float(value.removeprefix("$")) < math.inf
    except ValueError:
        return False  # The setting refuses it.


def _show_setting(name: str, found: dict[str, Any]) -> None:
    """One setting as it is now, and what that means."""
    match name:
        case "learning":
            out.print("Learning is on." if found["learning"] else "Learning is off.")
        case "name":
            out.print(f"Your name: {plain(found['name'] or '(not given)')}")
        case "learning-cap":
            cap = found["learning_cap_usd"]
            may = "as much as it takes" if cap is None else f"at most {money(cap)} a month"
            paused = " It is paused until the 1st." if found["learning_paused"] else ""
            spent = money(found["learning_spent_usd"])
            out.print(f"Learning may spend {may}; this month it spent {spent}.{paused}")
        case "mode":
            out.print(f"The mode is {plain(found['mode'])}.")
        case _:
            budget = found["month_budget_usd"]
            may = "no budget" if budget is None else f"a budget of {money(budget)} a month"
            out.print(f"There is {may}; this month {money(found['month_usd'])} was spent.")


@app.command()
def notes() -> None:
    """What Conch fixed or set aside on its own."""
    found = items("notes")
    for note in found:
        out.print(f"[dim]{day(note['at'])}[/]  {plain(note['text'])}")
    if not found:
        out.print("Nothing had to be fixed.")


@app.command()
def bring(
    path: Annotated[str, typer.Argument(help="An export, a zip, or an assistant's own folder.")],
    as_json: AsJson = False,
) -> None:
    """Bring in chats from other assistants. Nothing is run, and no model is asked."""
    run_async(_bring(Path(path).expanduser().absolute(), as_json))


async def _bring(path: Path, as_json: bool) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from conch.cli.calling import call
    from conch.cli.showing import err

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Reading", total=None)
        brought = {}
        async for item in call(root(), "bring", {"path": str(path)}):
            if item["type"] == "progress":
                progress.update(task, completed=item["read"], total=item["total"] or None)
            else:
                brought = item
    if as_json:
        print_json(brought)
        return
    if brought["nothing_new"]:
        out.print(f"{plain(brought['format'])}: nothing new since it was brought in.")
        return
    parts = [counted(brought["chats_new"], "new chat")]
    if brought["chats_grown"]:
        parts.append(f"{counted(brought['chats_grown'], 'chat')} grown")
    parts += [counted(brought["messages"], "message"), counted(brought["steps"], "step")]
    out.print(f"{plain(brought['format'])}: {', '.join(parts)}.")
    for sentence in brought["not_read"]:
        out.print(plain(sentence))
    if brought["undated"]:
        carry = "chat carries" if brought["undated"] == 1 else "chats carry"
        out.print(f"{brought['undated']} {carry} no dates; the file's date was taken.")
    if brought["set_aside"]:
        left_out = counted(brought["set_aside"], "damaged or unknown part")
        out.print(f"{left_out} left out: conch notes")
    if brought["chats_new"] or brought["chats_grown"]:
        out.print("[dim]Nothing was learned from them yet: conch learn --brought[/]")


@app.command()
def tour() -> None:
    """Play the whole story in a throwaway home, and check each step."""
    from conch.cli.touring import run_tour

    sys.exit(0 if run_async(run_tour()) else 1)
