"""The commands. Each asks the one writer for a verb and shows what comes back."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from conch.cli.interrupting import INTERRUPTED, may_interrupt, run_async
from conch.cli.person import started_by_conch
from conch.home.errors import ConchError
from conch.home.where import home_folder

app = typer.Typer(
    name="conch",
    help="A personal assistant on your own computer that learns from how you use it.\n\n"
    "What it keeps is in ~/.conch, or in the folder that CONCH_HOME names.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


_COMMAND_MODULES = (
    "chat_commands",
    "serve_commands",
    "learning_commands",
    "memory_commands",
    "skill_commands",
    "skill_trust_commands",
    "engine_commands",
    "backup_commands",
    "care_commands",
    "vault_commands",
    "app_commands",
    "eval_commands",
    "other_commands",
)
"""Each adds its commands to the app as it is imported; `--help` lists them in this order."""


def _say_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        sys.stdout.write(f"conch {version('conch')}\n")
        raise typer.Exit


@app.callback()
def conch(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say which version this is."
        ),
    ] = False,
) -> None:
    """What every command has in common."""


def root() -> Path:
    """The home this command works on. Raises ConchError under a command the assistant runs."""
    if started_by_conch():
        raise ConchError(
            "A command that Conch runs can't use Conch itself.",
            "Nothing was done.",
            "Type it in a terminal of your own.",
        )
    return home_folder(os.environ)


def run() -> None:
    """Run the command line; an error is two or three sentences and exit status 1."""
    _open_what_was_closed()
    for name in _COMMAND_MODULES:
        import_module(f"conch.cli.{name}")
    # What a terminal cannot show is replaced rather than fatal.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # A locale that knows only ASCII is no reason to lose what was typed.
    if sys.getfilesystemencoding() == "ascii":
        sys.argv[1:] = [os.fsencode(word).decode("utf-8", "replace") for word in sys.argv[1:]]
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")
    if os.environ.get("NO_COLOR"):
        os.environ.setdefault("_TYPER_FORCE_DISABLE_TERMINAL", "1")
    try:
        with may_interrupt():
            _refuse_empty_words(sys.argv[1:])
            app()
    except OSError as error:
        from conch.cli.showing import disk_refused, err

        err.print(disk_refused(error))
        sys.exit(1)
    except ConchError as error:
        from conch.cli.showing import err, error_line

        err.print(error_line(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _refuse_empty_words(words: list[str]) -> None:
    """Raise ConchError where a word or an option's value is empty: an unset variable, mostly, and
    what would be done without it may be something else altogether."""
    if [word for word in words if word != "--"][:3] == ["settings", "set", "name"]:
        return  # No name is one, too.
    for word in words:
        value = word.partition("=")[2] if word.startswith("--") and "=" in word else word
        if not value.strip():
            named = word.partition("=")[0].strip() or "A word of it"
            command = " ".join(one for one in words[:2] if one.isalpha())
            raise ConchError(
                f"{named} is empty.",
                "Nothing was done.",
                f"Put something in its place or leave it out: conch {command} --help",
            )


def _open_what_was_closed() -> None:
    """A standard stream that whoever started this closed (`<&-`, `>&-`) leads nowhere instead."""
    nowhere = Path(os.devnull)
    # Opened in the order of their numbers, so that each takes its own again.
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")


def items(verb: str, **args: Any) -> list[dict[str, Any]]:
    """Every item the verb answers with."""

    async def collect() -> list[dict[str, Any]]:
        return [item async for item in _calling(verb, args)]

    return run_async(collect())


def one(verb: str, **args: Any) -> dict[str, Any]:
    """The last item the verb answers with, {} for none."""
    found = items(verb, **args)
    return found[-1] if found else {}


def wait_for(work: Coroutine[Any, Any, None]) -> None:
    run_async(work)


def _calling(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    from conch.cli.calling import call

    return call(root(), verb, args)


def print_json(value: Any) -> None:
    """For machines: one JSON document on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def joined(words: list[str] | None) -> str:
    """Words given one by one as the text they are: nobody needs to quote a sentence."""
    return " ".join(words or ()).strip()


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
