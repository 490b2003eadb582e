"""Verbs about the gateway: what there is without one, and what a running one answers instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.home.errors import ConchError

if TYPE_CHECKING:
    from conch.web.gateway import Gateway


async def link(conch: Conch, args: dict[str, Any]) -> Items:
    raise ConchError("The web app isn't running.", do="Start it: conch serve")
    yield {}


async def password(conch: Conch, args: dict[str, Any]) -> Items:
    from conch.web.password import Password

    Password(conch.home).set(text(args, "password"))
    yield {"type": "password"}


VERBS: dict[str, Verb] = {"gateway.link": link, "gateway.password": password}


def verbs_of(gateway: Gateway) -> dict[str, Verb]:
    """The same verbs, of a gateway that runs: it alone can give a link."""

    async def link(conch: Conch, args: dict[str, Any]) -> Items:
        yield {"type": "link", "link": gateway.link()}

    async def password(conch: Conch, args: dict[str, Any]) -> Items:
        gateway.sign_in.password.set(text(args, "password"))
        yield {"type": "password"}

    return {"gateway.link": link, "gateway.password": password}
