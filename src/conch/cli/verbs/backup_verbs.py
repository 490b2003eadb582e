"""Verbs about backups. A restore is no verb: nothing may run beside it."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.home.off_loop import off_loop


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    backups = conch.backups
    yield {
        "type": "backups",
        "set_up": backups.is_set_up,
        "has_passphrase": backups.has_passphrase,
        "folder": str(backups.folder),
    }
    for one in backups.all():
        yield {
            "type": "backup",
            "path": str(one.path),
            "made_at": one.made_at.isoformat(),
            "size": one.size,
        }


async def set_up(conch: Conch, args: dict[str, Any]) -> Items:
    chosen = {name: text(args, name, "") for name in ("passphrase", "recipient", "folder")}
    await off_loop(lambda: conch.backups.set_up(**chosen))
    async for item in make(conch, {}):
        yield item


async def make(conch: Conch, args: dict[str, Any]) -> Items:
    made = await off_loop(conch.backups.make)
    yield {"type": "made", **vars(made), "path": str(made.path)}


VERBS: dict[str, Verb] = {"backup.list": listing, "backup.setup": set_up, "backup.now": make}
