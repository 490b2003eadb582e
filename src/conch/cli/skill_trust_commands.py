"""`conch skills sign|verify|trust|trusted|forget|edit`: whose skills you rely on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from conch.cli.commands import AsJson, items, joined, one, print_json
from conch.cli.editor import in_the_editor
from conch.cli.person import must_be_the_person
from conch.cli.showing import out, plain
from conch.cli.skill_commands import Named, show, skills
from conch.home.errors import ConchError

NamedInWords = Annotated[list[str], typer.Argument(help="Its name.")]


@skills.command()
def sign(
    name: NamedInWords,
    signer: Annotated[str, typer.Option("--as", help="The name you sign with.")] = "",
) -> None:
    """Sign a skill of yours, so that others can tell it is yours and unchanged."""
    must_be_the_person("Nothing was signed.")
    skill = one("skills.sign", skill=joined(name), name=signer)
    mine = next(iter(items("skills.trusted")))
    out.print(f"Signed: {plain(skill['title'])}, by {plain(mine['name'])}")
    out.print(f"[dim]Your key, for those who want to trust it:[/] {plain(mine['key'])}")
    out.print(f"[dim]Its fingerprint, to compare: {plain(mine['fingerprint'])}[/]")


@skills.command()
def verify(name: NamedInWords, as_json: AsJson = False) -> None:
    """Who signed a skill, and whether it is as they signed it."""
    skill = one("skills.look", reference=joined(name))
    signed = skill.get("signed")
    if signed is None:
        raise ConchError("That is an offer: nobody signed it.", do="conch skills list")
    if as_json:
        print_json({"id": skill["id"], **signed})
    else:
        out.print(f"{plain(skill['title'])}: {plain(_IN_WORDS[signed['state']])}")
        out.print(f"  {plain(signed['why'])}")
        if signed["fingerprint"]:
            out.print(f"  [dim]Fingerprint: {plain(signed['fingerprint'])}[/]")
    if signed["state"] in ("broken", "lookalike"):
        raise typer.Exit(1)


_IN_WORDS = {
    "verified": "verified",
    "unknown": "unknown signer",
    "lookalike": "look-alike name",
    "broken": "broken signature",
    "unsigned": "not signed",
}


@skills.command()
def trust(
    who: Annotated[str, typer.Argument(help="A key (conch-key:…), or a skill its owner signed.")],
    signer: Annotated[str, typer.Option("--as", help="What you call them.")] = "",
) -> None:
    """Trust somebody's key: skills they signed are theirs, and their updates carry on."""
    must_be_the_person("Nobody was trusted.")
    key, name = who, signer
    if not who.startswith("conch-key:"):
        skill = one("skills.look", reference=who)
        signed = skill.get("signed") or {}
        if signed.get("state") not in ("unknown", "lookalike") or not signed.get("key"):
            why = signed.get("why") or "Nobody signed it."
            raise ConchError(f"There is no key to trust in it: {why}", "Nobody was trusted.")
        key, name = signed["key"], signer or signed["by"]
        if signed["state"] == "lookalike":
            out.print(f"[red]{plain(signed['why'])}[/]")
    if not name:
        raise ConchError("A key needs a name.", "Nobody was trusted.", "--as NAME")
    from conch.skills.signatures import fingerprint, read_key

    key = read_key(key)
    out.print(f"{plain(name)}: {plain(fingerprint(key))}")
    out.print("Compare this with what they tell you themselves, not with what came with the skill.")
    if not typer.confirm("Trust this key?", default=False):
        out.print("Nobody was trusted.")
        return
    known = one("skills.trust", key=key, name=name)
    out.print(f"Trusted: {plain(known['name'])}. To take it back: conch skills forget NAME")


@skills.command()
def trusted(as_json: AsJson = False) -> None:
    """The keys you trust, your own first."""
    found = items("skills.trusted")
    if as_json:
        print_json(found)
        return
    for signer in found:
        out.print(f"{plain(signer['name'])}  [dim]{plain(signer['fingerprint'])}[/]")
        out.print(f"  [dim]{plain(signer['key'])}[/]")
    if not found:
        out.print("You trust nobody's key yet.")


@skills.command()
def forget(
    who: Annotated[list[str], typer.Argument(help="A trusted signer's name or fingerprint.")],
) -> None:
    """Trust a key no longer. Its skills stay as you turned them on; its updates don't carry on."""
    must_be_the_person("Nothing changed.")
    signer = one("skills.distrust", signer=joined(who))
    out.print(f"No longer trusted: {plain(signer['name'])}")


@skills.command()
def edit(name: Named) -> None:
    """Change a skill of yours in your editor ($VISUAL, $EDITOR). It is checked and read again."""
    must_be_the_person("Nothing changed.")
    skill = one("skills.look", reference=name)
    if "file" not in skill or skill["source"] != "own":
        raise ConchError("Only a skill of your own can be changed.", "It is left as it is.")
    before = Path(skill["file"]).read_text(encoding="utf-8")
    after = in_the_editor(before, "SKILL.md")
    if after == before:
        out.print("Nothing changed.")
        return
    changed = one("skills.edit", skill=skill["id"], text=after, hash=skill["hash"])
    show(changed)
    out.print(f"Changed: {plain(changed['title'])} · {plain(changed['mode_in_words'])}")
