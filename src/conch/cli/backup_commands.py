"""`conch backup …` and `conch restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, one, print_json, root
from conch.cli.interrupting import run_async
from conch.cli.person import must_be_the_person
from conch.cli.showing import day, out, plain
from conch.home.errors import ConchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conch.care.archive import Identity
    from conch.care.restore import Counts, Preview, Restore

backup = typer.Typer(help="Backups, encrypted, one a day.", invoke_without_command=True)
app.add_typer(backup, name="backup")

IdentityFile = Annotated[
    str, typer.Option("--identity", help="The file of the key it was made for.")
]


@backup.callback()
def listing(context: typer.Context, as_json: AsJson = False) -> None:
    """Where backups go, and those there are."""
    if not context.invoked_subcommand:
        _list(as_json)


@backup.command("list")
def list_backups(as_json: AsJson = False) -> None:
    """Where backups go, and those there are."""
    _list(as_json)


def _list(as_json: bool) -> None:
    state, *backups = items("backup.list")
    if as_json:
        print_json({**state, "backups": backups})
        return
    if not state["set_up"]:
        out.print("No backups are made yet. Set them up: conch backup setup")
    else:
        how = "a passphrase" if state["has_passphrase"] else "your key"
        out.print(f"One a day, in {plain(state['folder'])}, opened by {how}.")
    for number, made in enumerate(backups, 1):
        path = plain(made["path"])
        out.print(f"[dim]{number:>3}[/] {day(made['made_at'])}  {_size(made['size'])}  {path}")


@backup.command()
def setup(
    folder: Annotated[
        str, typer.Option(help="Where they go; best another disk. By default, in the home.")
    ] = "",
    recipient: Annotated[
        str, typer.Option(help="Make them for this key (age1…, ssh-ed25519 …): no passphrase.")
    ] = "",
) -> None:
    """Choose how backups are opened and where they go; makes the first one."""
    must_be_the_person("Nothing was set up.")
    passphrase = "" if recipient else _new_passphrase()
    one_made = one("backup.setup", passphrase=passphrase, recipient=recipient, folder=folder)
    _say_made(one_made)
    out.print("[dim]One is made every day that Conch runs. What is not in it: your keys.[/]")


def _new_passphrase() -> str:
    from conch.care.backups import PASSPHRASE_AT_LEAST, made_passphrase

    out.print("Without it nobody opens a backup, you neither. Empty: Conch makes one.")
    chosen = _hidden("Passphrase")
    if not chosen:
        chosen = made_passphrase()
        out.print(f"Write this down, it is shown this once:  [b]{plain(chosen)}[/]")
        typer.prompt("Press Enter when you have it", default="", show_default=False)
        return chosen
    if len(chosen) < PASSPHRASE_AT_LEAST:
        raise ConchError(
            f"A passphrase has at least {PASSPHRASE_AT_LEAST} characters.", "Nothing was set up."
        )
    if _hidden("The same again") != chosen:
        raise ConchError("They are not the same.", "Nothing was set up.", "Try again.")
    return chosen


def _hidden(question: str) -> str:
    return str(typer.prompt(question, default="", show_default=False, hide_input=True))


@backup.command()
def now() -> None:
    """Make a backup now."""
    _say_made(one("backup.now"))


@backup.command()
def check(
    file: Annotated[str, typer.Argument(help="A backup's file, or its number in the list.")] = "",
    identity: IdentityFile = "",
) -> None:
    """Look into a backup, every byte of it, and say what restoring it would do. Changes nothing."""
    if not file:
        raise ConchError(
            "Which backup? Give its number or its file.",
            "Nothing was looked at.",
            "conch backup list numbers them; the newest: conch backup check 1",
        )
    must_be_the_person("Nothing was looked at.")
    path = _the_backup(file)

    def look(restore: Restore, opened: Identity) -> None:
        _show(restore.look(path, opened))
        out.print("[dim]It is whole. Nothing was changed.[/]")

    _with_restore(path, identity, look)


@app.command()
def restore(
    file: Annotated[str, typer.Argument(help="A backup's file, or its number in the list.")] = "",
    identity: IdentityFile = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the last restore back.")] = False,
) -> None:
    """Put everything back as it was in a backup. It is shown first, and can be undone."""
    must_be_the_person("Nothing was changed.")
    if undo == bool(file):
        raise ConchError(
            "Give a backup to restore, or --undo.", "Nothing was changed.", "conch backup list"
        )
    if undo:
        _undo()
        return
    path = _the_backup(file)

    def do(restore: Restore, opened: Identity) -> None:
        _show(restore.look(path, opened))
        if _pressed("Restore it? y / n"):
            restore.put_in_place()
            out.print("Restored. To take it back: conch restore --undo")
        else:
            out.print("Nothing was changed.")

    _with_restore(path, identity, do)


def _undo() -> None:
    from conch.care.restore import Restore
    from conch.home.home import Home
    from conch.home.writer import take_writer

    home = Home.open(root())
    with take_writer(home), Restore(home) as restoring:
        came_from = restoring.undo()
    out.print(f"The restore of {plain(came_from)} is undone. Again: the same command.")


def _with_restore(path: Path, identity: str, do: Callable[[Restore, Identity], None]) -> None:
    from conch.care.restore import Restore, identity_of, must_have_a_key, read_identity
    from conch.home.home import Home
    from conch.home.writer import take_writer

    home = Home.open(root())
    with take_writer(home), Restore(home) as restoring:
        if identity:
            opened = read_identity(Path(identity).expanduser().read_bytes())
        else:
            must_have_a_key(path)
            opened = identity_of(path, _hidden("Passphrase"))
        do(restoring, opened)


def _the_backup(reference: str) -> Path:
    if reference.isdecimal():
        backups = items("backup.list")[1:]
        if not 1 <= int(reference) <= len(backups):
            raise ConchError(
                f"There is no backup {reference}.", "Nothing was done.", "conch backup list"
            )
        return Path(backups[int(reference) - 1]["path"])
    path = Path(reference).expanduser()
    if not path.is_file():
        raise ConchError(f"There is no file {reference}.", "Nothing was done.", "conch backup list")
    return path


def _show(preview: Preview) -> None:
    made = preview.manifest
    host = f" on {plain(made.host)}" if made.host else ""
    out.print(f"Made {day(made.made_at)}{host}: {_counted(preview.holds)}.")
    if any(vars(preview.leaves).values()):
        out.print(f"Not in it, and set aside: {_counted(preview.leaves)}.")
    if preview.powers:
        out.print("It brings back:")
    for power in preview.powers:
        as_now = " [dim](as now)[/]" if power.as_now else ""
        out.print(f"  [yellow]{plain(power.said)}[/]{as_now}")
    for note in preview.notes:
        out.print(f"  [dim]{plain(note)}[/]")


def _counted(counts: Counts) -> str:
    said = [
        "1 chat" if counts.chats == 1 else f"{counts.chats} chats",
        "1 memory" if counts.memories == 1 else f"{counts.memories} memories",
        "1 skill" if counts.skills == 1 else f"{counts.skills} skills",
    ]
    return ", ".join(said)


def _pressed(question: str) -> bool:
    from conch.cli.keys import one_key

    async def asked() -> bool:
        out.print(question)
        return await one_key("yn") == "y"

    return run_async(asked())


def _say_made(made: dict[str, Any]) -> None:
    files = "1 file" if made["files"] == 1 else f"{made['files']} files"
    out.print(f"Backed up: {files}, {_size(made['size'])}, {plain(made['path'])}")
    for name in made["left_out"]:
        out.print(f"  [yellow]not in it, it can't be read:[/] {plain(name)}")


def _size(size: int) -> str:
    if size < 1 << 20:
        return f"{max(1, size >> 10)} KB"
    return f"{size / (1 << 20):.1f} MB"
