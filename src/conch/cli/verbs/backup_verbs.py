"""Verbs about backups. A restore is no verb: nothing may run beside it."""

from __future__ import annotations

import asyncio
from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text


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
    conch.backups.set_up(
        passphrase=text(args, "passphrase", ""),
        recipient=text(args, "recipient", ""),
        folder=text(args, "folder", ""),
    )
    async for item in make(conch, {}):
        yield item


async def make(conch: Conch, args: dict[str, Any]) -> Items:
    made = await asyncio.to_thread(conch.backups.make)
    yield {"type": "made", "path": str(made.path), "files": made.files, "size": made.size}


VERBS: dict[str, Verb] = {"backup.list": listing, "backup.setup": set_up, "backup.now": make}
