"""Verbs about the vault: what is there by name, keeping one, removing one. None shows a value."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.assistant.vault import Secret
from conch.cli.verbs.table import Items, Verb, text


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    for secret in conch.vault.secrets():
        yield _item(secret)


async def keep(conch: Conch, args: dict[str, Any]) -> Items:
    """Keep a secret; one of the same name is replaced."""
    before = {one.name for one in conch.vault.secrets()}
    secret = conch.vault.put(text(args, "name"), text(args, "value"))
    yield {**_item(secret), "replaced": secret.name in before}


async def remove(conch: Conch, args: dict[str, Any]) -> Items:
    conch.vault.remove(text(args, "name"))
    yield {"type": "removed", "name": text(args, "name")}


def _item(secret: Secret) -> dict[str, Any]:
    return {
        "type": "secret",
        "name": secret.name,
        "variable": secret.variable,
        "added": secret.added,
    }


VERBS: dict[str, Verb] = {
    "vault.list": listing,
    "vault.set": keep,
    "vault.remove": remove,
}
