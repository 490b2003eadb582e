"""`conch apps …`: other programs the assistant may use, tool by tool."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, one, print_json
from conch.cli.person import must_be_the_person
from conch.cli.showing import out, plain
from conch.home.errors import ConchError

apps = typer.Typer(
    help="Other programs the assistant may use (MCP servers).", invoke_without_command=True
)
app.add_typer(apps, name="apps")

AppName = Annotated[str, typer.Argument(help="What it is called, like notes.")]


@apps.callback()
def listing(context: typer.Context, as_json: AsJson = False) -> None:
    """The apps you set up, and what they may do without asking."""
    if context.invoked_subcommand:
        return
    found = items("apps.list")
    if as_json:
        print_json(found)
        return
    for one_app in found:
        what = one_app["url"] or " ".join(one_app["command"])
        out.print(f"{plain(one_app['name'])}  [dim]{plain(what)} · {one_app['mode']}[/]")
        for tool, mode in one_app["tools"].items():
            out.print(f"  [dim]{plain(tool)}: {mode}[/]")
    if not found:
        out.print("There is none. To set one up: conch apps add NAME -- PROGRAM …")


@apps.command()
def add(
    name: AppName,
    command: Annotated[
        list[str] | None, typer.Argument(help="The program that is started, after --.")
    ] = None,
    url: Annotated[str, typer.Option(help="Or the address of one that runs elsewhere.")] = "",
    secret: Annotated[
        list[str] | None,
        typer.Option(help="VARIABLE=NAME: a secret of the vault it is given; more than once."),
    ] = None,
) -> None:
    """Set an app up. It is started at once, and each of its tools asks until you say otherwise."""
    must_be_the_person("Nothing was added.")
    secrets: dict[str, str] = {}
    for given in secret or ():
        variable, equals, of_vault = given.partition("=")
        if not equals:
            raise ConchError(
                f"“{given[:60]}” is no VARIABLE=NAME.", "Nothing was added.", "conch vault"
            )
        secrets[variable] = of_vault
    found = items("apps.add", name=name, command=command or [], url=url, secrets=secrets)
    out.print(f"Added: {plain(name)}. It is asked about each time; to change that: conch apps set")
    _show(found)


@apps.command()
def tools(name: AppName, as_json: AsJson = False) -> None:
    """An app's tools, as it says them now, and what each may do."""
    found = items("apps.tools", name=name)
    if as_json:
        print_json(found)
        return
    _show(found)


@apps.command("set")
def configure(
    name: AppName,
    mode: Annotated[str, typer.Argument(help="off, ask or free.")],
    tool: Annotated[str, typer.Option(help="Only for this tool of it.")] = "",
) -> None:
    """Choose what an app, or one tool of it, may do: off, ask first, or free."""
    must_be_the_person("Nothing changed.")
    one("apps.set", name=name, tool=tool, mode=mode)
    out.print(f"{plain(name)}{f', {plain(tool)}' if tool else ''}: {plain(mode)}")


@apps.command()
def remove(name: AppName) -> None:
    """End an app and forget it."""
    must_be_the_person("Nothing was removed.")
    one("apps.remove", name=name)
    out.print(f"Removed: {plain(name)}")


def _show(found: list[dict[str, Any]]) -> None:
    for tool in found:
        out.print(f"  {plain(tool['name'])} [dim]{tool['mode']} · {plain(tool['description'])}[/]")
        if tool["why_off"]:
            out.print(f"    [yellow]{plain(tool['why_off'])}[/]")
    if not found:
        out.print("  It has no tools.")
