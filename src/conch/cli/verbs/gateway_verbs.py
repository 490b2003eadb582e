"""Verbs about the gateway, for when none runs; a running one answers them itself."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.home.errors import ConchError


async def link(conch: Conch, args: dict[str, Any]) -> Items:
    raise ConchError("The web app isn't running.", do="Start it: conch serve")
    yield {}


async def password(conch: Conch, args: dict[str, Any]) -> Items:
    from conch.web.password import Password

    Password(conch.home).set(text(args, "password"))
    yield {"type": "password"}


VERBS: dict[str, Verb] = {"gateway.link": link, "gateway.password": password}
