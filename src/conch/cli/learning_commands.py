"""`conch learn`, `learned`, `why`, `undo`, `keep`, `forget`, `never`."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from typing import Annotated, Any

import typer

from conch.cli.brought_looks import nothing_left, summary
from conch.cli.commands import AsJson, app, items, joined, one, print_json, root
from conch.cli.interrupting import run_async
from conch.cli.person import must_be_the_person
from conch.cli.showing import (
    counted,
    err,
    learned_line,
    money,
    out,
    plain,
    show_record,
    show_why,
    things,
)
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.settings import learning_note

never = typer.Typer(help="Things Conch won't learn again.", no_args_is_help=True)
app.add_typer(never, name="never")

_WHICH = typer.Argument(help="Its number or id in `conch learned`.")
Reference = Annotated[str, _WHICH]


@app.command()
def learn(
    chat: Annotated[str, typer.Option(help="Only this chat.")] = "",
    brought: Annotated[
        bool, typer.Option("--brought", help="Read the chats that were brought in.")
    ] = False,
    engine: Annotated[str, typer.Option(help="Who reads them (with --brought).")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask about the price.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look at what was said since the last look, now."""
    if brought:
        _learn_brought(engine, yes, as_json)
        return
    if engine or yes:
        raise ConchError(
            "--engine and --yes are for the chats that were brought in.",
            "Nothing was read.",
            "conch learn --brought --engine NAME",
        )
    looks = items("learn", chat=chat)
    _say_if_off()
    if as_json:
        print_json(looks)
        return
    if not looks:
        out.print("Nothing was said since the last look.")
    for look in looks:
        _show_look(look)


def _say_if_off() -> None:
    """Say when learning is off without the person having turned it off."""
    note = learning_note(Home.open(root()).settings())
    if note:
        err.print(f"[yellow]{plain(note)}[/]")


def _learn_brought(engine: str, yes: bool, as_json: bool) -> None:
    plan = one("learn.brought", engine=engine)
    # With --json only JSON goes to stdout: what is asked, and what it costs, is said beside it.
    say = err if as_json else out
    if plan["instead_of"]:
        say.print(f"“{plain(plan['instead_of'])}” isn't connected; a model on this computer reads.")
    if not plan["chats"] and not as_json:
        out.print(nothing_left(plan["brought_in"]))
        return
    count = counted(plan["chats"], "chat")
    price = "free" if not plan["worst_usd"] else f"at most {money(plan['worst_usd'])}"
    say.print(f"{count} to read with {plain(plan['model'])} ({plain(plan['engine'])}): {price}")
    wanted = bool(plan["chats"])
    if wanted and not yes and not _confirmed("Read them?", as_json):
        say.print("Nothing was read.")
        wanted = False
    if not wanted:
        if as_json:
            print_json([])
        return
    looks = [
        item for item in items("learn.brought", engine=engine, yes=True) if item["type"] == "look"
    ]
    if as_json:
        print_json(looks)
        return
    for look in looks:
        if look["learned"]:
            _show_look(look)
    for line in summary(looks, plan["chats"]):
        out.print(plain(line))
    waiting = sum(len(look["learned"]) for look in looks)
    if waiting:
        out.print(f"{things(waiting)} {'waits' if waiting == 1 else 'wait'} for you: conch keep")


def _confirmed(question: str, as_json: bool) -> bool:
    """Whether the person says yes; with JSON nothing of it goes to standard output."""
    if not as_json:
        return typer.confirm(question, default=False)
    err.print(f"{question} \\[y/N]: ", end="")
    answer = sys.stdin.readline()
    if not answer:
        raise typer.Abort
    return answer.strip().lower() in ("y", "yes")


def _show_look(look: dict[str, Any]) -> None:
    title = plain(look["title"] or look["chat"])
    if look["learned"]:
        out.print(f"{title}: {learned_line(look['learned'])}")
        for record in look["learned"]:
            show_record(record)
    else:
        out.print(f"{title}: [dim]{plain(look['in_plain_words'])}[/]")
    for dropped in look["dropped"]:
        out.print(f"     [dim]{_not_learned(dropped)}[/]")
    for known in look["known"]:
        out.print(f"     [dim]seen again: {_known(known)}[/]")
    if look["asked"]:
        by = f"{plain(look['model'])} ({plain(look['engine'])})"
        out.print(f"     [dim]read by: {by}, {_price(look['cost_usd'])}[/]")


def _price(usd: float | None) -> str:
    return "free" if usd == 0 else money(usd)


def _not_learned(dropped: dict[str, Any]) -> str:
    """ "not learned: “Likes tea”: why", or what kind of secret it was and never its words."""
    words = f"“{plain(dropped['text'])}”" if dropped["text"] else plain(dropped["secret"])
    return f"not learned: {f'{words}: ' if words else ''}{plain(dropped['reason'])}"


def _known(known: dict[str, str]) -> str:
    words = f"“{plain(known['text'])}”" if known["text"] else "a memory"
    return f"{words} ({known['otherwise']})" if known["otherwise"] else words


@app.command()
def learned(
    waiting: Annotated[bool, typer.Option("--waiting", help="Only what waits.")] = False,
    as_json: AsJson = False,
) -> None:
    """What Conch learned, newest first."""
    records = items("learned", waiting=waiting)
    _say_if_off()
    if as_json:
        print_json(records)
        return
    if not records:
        out.print("Nothing waits for you." if waiting else "Nothing was learned yet.")
    for record in records:
        show_record(record)
    if records:
        out.print("[dim]conch why 1 · conch undo 1 · conch keep[/]")


@app.command()
def why(
    reference: Annotated[
        list[str] | None, typer.Argument(help="A number or id in `conch learned`, or a chat.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Why something was learned; for a chat, why things were or weren't."""
    found = items("why", reference=joined(reference) if reference else "1")
    if as_json:
        print_json(found)
        return
    for item in found:
        match item["type"]:
            case "record":
                show_why(item)
            case "chat":
                out.print(plain(item["title"] or item["chat"]))
            case "dropped":
                out.print(f"  {_not_learned(item)}")
            case "seen_again":
                out.print(f"  {things(item['count'])} known already, seen again")
                for known in item["known"]:
                    out.print(f"     {_known(known)}")
            case _:
                out.print(f"  {plain(item['in_plain_words'])}")


@app.command()
def undo(reference: Annotated[str | None, _WHICH] = None) -> None:
    """Take back something that was learned (the newest in use, when none is named)."""
    done = one("undo") if reference is None else one("undo", reference=reference)
    out.print(f"Taken back: {plain(done['text'])}. It won't be learned again.")
    if done["note"]:
        out.print(plain(done["note"]))


@app.command()
def forget(reference: Reference) -> None:
    """Forget something that was learned or waits; it won't be learned again."""
    done = one("forget", reference=reference)
    out.print(f"Forgotten: {plain(done['text'])}")


@app.command()
def keep(
    reference: Annotated[
        str, typer.Argument(help="Its number or id; all that waits if none.")
    ] = "",
) -> None:
    """Go through what waits for you: one key a card."""
    from conch.cli.calling import call
    from conch.cli.cards import go_through, waiting_cards

    async def work() -> None:
        def ask(verb: str, args: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
            return call(root(), verb, args)

        await go_through(ask, await waiting_cards(ask, reference))

    run_async(work())


@never.command("list")
def never_list(as_json: AsJson = False) -> None:
    """What Conch won't learn again."""
    found = items("never.list")
    if as_json:
        print_json(found)
        return
    for item in found:
        out.print(f"[dim]{item['number']:>3}[/] {plain(item['text'])}")
    if not found:
        out.print("The list is empty.")


@never.command("remove")
def never_remove(reference: Annotated[str, typer.Argument(help="Its number or id.")]) -> None:
    """Take something off the list: it may be learned again."""
    must_be_the_person("It stays on the list.")
    gone = one("never.remove", reference=reference)
    out.print(f"Off the list: {plain(gone['text'])}")
