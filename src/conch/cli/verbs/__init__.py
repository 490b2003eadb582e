"""What the writer does when asked: one verb, one async function from arguments to items of JSON.

The same table answers this process's own commands and other processes over the home's socket.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from conch.app import Conch
from conch.cli.verbs import (
    app_verbs,
    backup_verbs,
    bringing_verbs,
    chat_verbs,
    engine_verbs,
    gateway_verbs,
    learning_verbs,
    memory_verbs,
    settings_verbs,
    skill_verbs,
    vault_verbs,
)
from conch.cli.verbs.table import Verb
from conch.home.errors import ConchError

VERBS: dict[str, Verb] = {
    **chat_verbs.VERBS,
    **learning_verbs.VERBS,
    **memory_verbs.VERBS,
    **engine_verbs.VERBS,
    **bringing_verbs.VERBS,
    **settings_verbs.VERBS,
    **backup_verbs.VERBS,
    **skill_verbs.VERBS,
    **vault_verbs.VERBS,
    **app_verbs.VERBS,
    **gateway_verbs.VERBS,
}


async def answer(
    conch: Conch, verb: str, args: dict[str, Any], verbs: Mapping[str, Verb] = VERBS
) -> AsyncGenerator[dict[str, Any]]:
    """Do `verb`; gives its items. Raises ConchError for an unknown verb or unusable arguments."""
    known = verbs.get(verb)
    if known is None:
        raise ConchError(
            f"This Conch doesn't know “{verb}”.",
            "Nothing was done.",
            "The one that runs may be of another version: stop it and start it again.",
        )
    async with aclosing(known(conch, args)) as items:
        async for item in items:
            yield item
