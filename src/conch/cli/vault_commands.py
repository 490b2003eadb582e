"""`conch vault …`: secrets for commands and apps, by name. No command shows one."""

from __future__ import annotations

from getpass import getpass
from pathlib import Path
from typing import Annotated

import typer

from conch.cli.commands import AsJson, app, items, one, print_json
from conch.cli.person import must_be_the_person
from conch.cli.showing import out, plain
from conch.home.errors import ConchError

vault = typer.Typer(
    help="Secrets that commands and apps may use without anybody being shown them.",
    invoke_without_command=True,
)
app.add_typer(vault, name="vault")

SecretName = Annotated[str, typer.Argument(help="What it is called, like github-token.")]
_LARGEST_FILE = 64_000


@vault.callback()
def listing(context: typer.Context, as_json: AsJson = False) -> None:
    """The names of what is in the vault, never what they stand for."""
    if context.invoked_subcommand:
        return
    found = items("vault.list")
    if as_json:
        print_json(found)
        return
    for secret in found:
        variable, added = plain(secret["variable"]), plain(secret["added"][:10])
        out.print(f"{plain(secret['name'])}  [dim]${variable} in a command · since {added}[/]")
    if not found:
        out.print("The vault is empty. To keep a secret: conch vault set github-token")


@vault.command("set")
def keep(
    name: SecretName,
    file: Annotated[
        Path | None,
        typer.Option("--file", help="Take it from a file, as for a key of many lines."),
    ] = None,
) -> None:
    """Keep a secret. It is asked for, sealed, and shown nowhere."""
    must_be_the_person("Nothing was kept.")
    value = _of_file(file) if file else _typed()
    kept = one("vault.set", name=name, value=value)
    told = "Replaced" if kept["replaced"] else "Kept"
    out.print(
        f"{told}: {plain(kept['name'])}. A command you allow finds it in "
        f"${plain(kept['variable'])}; it is hidden from everything else."
    )


@vault.command()
def remove(name: SecretName) -> None:
    """Forget a secret."""
    must_be_the_person("Nothing was removed.")
    one("vault.remove", name=name)
    out.print(f"Removed: {plain(name)}")


def _typed() -> str:
    # The terminal must stop showing what is typed before it asks: some paste at once.
    return getpass("The secret (it isn't shown): ")


def _of_file(path: Path) -> str:
    kept = "Nothing was kept."
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise ConchError(f"{path} can't be read: {error.strerror}.", kept) from None
    if len(data) > _LARGEST_FILE:
        raise ConchError(f"{path} is too large for a secret.", kept)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ConchError(f"{path} holds no text.", kept) from None
