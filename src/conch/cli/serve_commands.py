"""`conch serve`, `link`, `password`: the gateway and signing in to it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from conch.cli.commands import app, one, root
from conch.cli.interrupting import run_async
from conch.cli.showing import out, plain


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; beyond this computer a password is needed.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")
    ] = 4317,
    name: Annotated[
        list[str] | None, typer.Option(help="A name under which a proxy passes requests on.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Don't open the browser.")] = False,
) -> None:
    """Start the web app and open it. Ctrl-C stops it."""
    from conch.cli.serve import serve_until_stopped
    from conch.web.serving import Listening, must_be_an_address

    must_be_an_address(host)
    listening = Listening(host, port, tuple(name or ()))
    run_async(serve_until_stopped(root(), os.environ, listening, opens=not no_open))


@app.command()
def link() -> None:
    """A new one-time link to sign in to the running web app."""
    out.print(plain(str(one("gateway.link")["link"])))


@app.command()
def password() -> None:
    """Set the web app's password, for reaching it from another computer."""
    import sys

    if sys.stdin.isatty():
        chosen = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        chosen = sys.stdin.readline().rstrip("\r\n")
    one("gateway.password", password=chosen)
    out.print("The password is set.")
