"""`conch skills …`: what Conch may work by, and what it offers to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, joined, one, print_json
from conch.cli.person import must_be_the_person
from conch.cli.showing import out, plain

skills = typer.Typer(help="Skills: ways of working you keep.", no_args_is_help=True)
app.add_typer(skills, name="skills")

Offered = Annotated[str, typer.Argument(help="Its number or id in `conch skills offers`.")]
Named = Annotated[str, typer.Argument(help="Its name, as `conch skills list` shows it.")]


@skills.command("list")
def listing(
    off: Annotated[bool, typer.Option("--off", help="Only those that are off.")] = False,
    as_json: AsJson = False,
) -> None:
    """Your skills, and those of other apps on this computer."""
    found = items("skills.list", off=off)
    if as_json:
        print_json(found)
        return
    for skill in found:
        where = "" if skill["source"] == "own" else f" · {skill['source']}"
        scan = "" if skill["scan"] == "clean" else f" · {skill['scan']}"
        told = f"{skill['mode_in_words']}{where}{scan}"
        out.print(f"{plain(skill['title'])} [dim]/{plain(skill['id'])} · {plain(told)}[/]")
        out.print(f"  [dim]{plain(skill['why_off'] or skill['description'])}[/]")
    if not found:
        out.print("There is none." if off else "You have no skills yet.")


@skills.command()
def offers(as_json: AsJson = False) -> None:
    """Work that went well, which you can keep as a skill."""
    found = items("skills.offers")
    if as_json:
        print_json(found)
        return
    for offer in found:
        chat = plain(offer["chat_title"] or offer["chat"])
        out.print(f"[dim]{offer['number']:>3}[/] {plain(offer['title'])}")
        if offer["chats"] > 1:
            out.print(f"    [dim]You asked for this in {offer['chats']} chats.[/]")
        else:
            out.print(f"    [dim]From your chat “{chat}”. {plain(offer['why'])}[/]")
        if offer["note"]:
            out.print(f"    [yellow]{plain(offer['note'])}[/]")
    if found:
        out.print("[dim]conch skills look 1 · save 1 · not-now 1 · never 1[/]")
    else:
        out.print("Nothing waits for you.")


@skills.command()
def look(
    reference: Annotated[str, typer.Argument(help="An offer's number, or a skill's name.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Read a draft, or a skill, before anything is done with it."""
    found = one("skills.look", reference=reference)
    if as_json:
        print_json(found)
        return
    show(found)


def show(found: dict[str, Any]) -> None:
    """A draft or a skill, whole."""
    out.print(f"[b]{plain(found['title'])}[/]")
    out.print(plain(found["description"]))
    out.print()
    out.print(plain(found["instructions"]))
    out.print()
    out.print("It may, without being asked about:")
    for line in found["may"] or ["nothing beyond reading"]:
        out.print(f"  · {plain(line)}")
    if found.get("note"):
        out.print(f"[yellow]{plain(found['note'])}[/]")
        out.print("[yellow]A page can try to slip in a step of its own.[/]")
    for finding in found.get("findings", ()):
        colour = "red" if finding["level"] == "danger" else "yellow"
        where = f"{finding['file']}:{finding['line']}" if finding["line"] else finding["file"]
        out.print(f"[{colour}]{plain(finding['sentence'])}[/] [dim]{plain(where)}[/]")
    signed = found.get("signed") or {}
    if signed.get("state") not in (None, "unsigned"):
        colour = _SIGNED.get(signed["state"], "yellow")
        out.print(f"[{colour}]{plain(signed['why'])}[/] [dim]{plain(signed['fingerprint'])}[/]")
    if found.get("why_off"):
        out.print(f"[yellow]{plain(found['why_off'])}[/]")


_SIGNED = {"verified": "green", "broken": "red", "lookalike": "red"}


@skills.command("show")
def show_skill(
    name: Annotated[list[str], typer.Argument(help="Its name.")], as_json: AsJson = False
) -> None:
    """A skill of yours, whole, and how each use of it went."""
    skill = one("skills.show", skill=joined(name))
    if as_json:
        print_json(skill)
        return
    show(skill)
    uses = skill["uses"]
    out.print()
    if not uses:
        out.print("It wasn't used yet.")
        return
    well = sum(use["went_well"] for use in uses)
    out.print(f"Used {len(uses)} times; {well} went well." if len(uses) > 1 else "Used once.")
    for use in uses[:_USES_SHOWN]:
        colour = "green" if use["went_well"] else "yellow"
        chat = plain(use["chat_title"] or use["chat"])
        out.print(f"  [dim]{(use['at'] or '')[:10]}[/] [{colour}]{use['came']}[/] [dim]{chat}[/]")


_USES_SHOWN = 20


@skills.command("compare")
def compare_skill(
    name: Annotated[list[str], typer.Argument(help="Its name.")], as_json: AsJson = False
) -> None:
    """A skill beside the chat that used it last. Nothing is changed."""
    found = one("skills.compare", skill=joined(name))
    if as_json:
        print_json(found)
        return
    out.print(f"[b]{plain(found['title'])}[/] [dim]in “{plain(found['chat_title'])}”[/]")
    for line in found["lines"]:
        mark = "[green]✓[/]" if line["done"] else "[yellow]–[/]"
        out.print(f"  {mark} {plain(line['text'])}")
    besides = [step for step in found["steps"] if not step["in_skill"] or not step["ok"]]
    if besides:
        out.print("Done besides, or failed:")
    for step in besides:
        told = [] if step["ok"] else ["failed"]
        told += [] if step["in_list"] else ["not in its list"]
        out.print(f"  · {plain(step['summary'])} [dim]{' · '.join(told)}[/]")
    if found["same"]:
        out.print("It was done as the skill says.")


@skills.command()
def save(
    reference: Offered = "1",
    title: Annotated[str, typer.Option(help="Call it something else.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="You have read it; don't show it.")] = False,
) -> None:
    """Save a draft as a skill of yours, used when you ask for it."""
    if not yes:
        show(one("skills.look", reference=reference))
        must_be_the_person("Nothing was saved.")
        if not typer.confirm("Save it?", default=False):
            out.print("Nothing was saved.")
            return
    skill = one("skills.save", reference=reference, title=title)
    out.print(f"Saved: {plain(skill['title'])}. In a chat: /{plain(skill['id'])}")


@skills.command("not-now")
def not_now(reference: Offered = "1") -> None:
    """Put an offer off for a month."""
    offer = one("skills.not_now", reference=reference)
    out.print(f"Not now: {plain(offer['title'])}. It comes back in a month.")


@skills.command()
def never(reference: Offered = "1") -> None:
    """Turn an offer down for good; work like it isn't offered again."""
    offer = one("skills.never", reference=reference)
    out.print(f"Turned down: {plain(offer['title'])}. Work like it isn't offered again.")


@skills.command()
def shelf(
    off: Annotated[bool, typer.Option("--off", help="Turn them off.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep them for two more months.")] = False,
    as_json: AsJson = False,
) -> None:
    """Skills you haven't used in two months."""
    found = items("skills.shelf")
    action = "off" if off else "keep" if keep else ""
    if action and found:
        found = items("skills.shelf", action=action, ids=[one["id"] for one in found])
    if as_json:
        print_json(found)
        return
    for skill in found:
        out.print(plain(skill["title"]))
    if not found:
        out.print("There is nothing to tidy.")
    elif not action:
        out.print("[dim]conch skills shelf --off · --keep[/]")
    else:
        out.print("Turned off." if off else "Kept.")


@skills.command("import")
def bring_in(
    path: Annotated[Path, typer.Argument(help="A skill's folder, or a zip of one.")],
    update: Annotated[
        bool, typer.Option("--update", help="In place of the version you have.")
    ] = False,
) -> None:
    """Bring a skill in. It is off until you turn it on.

    An update goes on as it was used if the key you trusted for it signed it too.
    """
    verb = "skills.update" if update else "skills.import"
    skill = one(verb, path=str(path.expanduser().absolute()))
    show(skill)
    if skill["mode"] != "off":
        out.print(f"Updated. {plain(skill['mode_in_words'])}, as before.")
        return
    out.print(f"[dim]It is off. To use it: conch skills on {plain(skill['id'])}[/]")


@skills.command()
def on(
    name: Annotated[list[str], typer.Argument(help="Its name.")],
    by_itself: Annotated[
        bool, typer.Option("--by-itself", help="Conch may take it up without being asked.")
    ] = False,
) -> None:
    """Turn a skill on. One that looks dangerous is shown first."""
    skill = one("skills.look", reference=joined(name))
    seen = ""
    strange = (skill.get("signed") or {}).get("state") == "lookalike"
    if strange or skill.get("scan") == "danger" or skill.get("source", "own") != "own":
        show(skill)
        must_be_the_person("It stays off.")
        if not typer.confirm("Turn this version on?", default=False):
            out.print("It stays off.")
            return
        seen = skill["hash"]
    mode = "auto" if by_itself else "manual"
    skill = one("skills.set", skill=skill["id"], mode=mode, hash=seen)
    out.print(f"{plain(skill['title'])}: {plain(skill['mode_in_words'])}")


@skills.command()
def off(name: Annotated[list[str], typer.Argument(help="Its name.")]) -> None:
    """Turn a skill off. It is kept, and one word turns it on again."""
    skill = one("skills.set", skill=joined(name), mode="off")
    out.print(f"{plain(skill['title'])}: Off")


@skills.command()
def stop(
    name: Named,
    chat: Annotated[str, typer.Option(help="In this chat; the newest if none.")] = "",
) -> None:
    """Take a skill out of a chat: it is no longer held to its list."""
    skill = one("skills.stop", skill=name, chat=chat)
    out.print(f"{plain(skill['title'])} is no longer used in that chat.")
