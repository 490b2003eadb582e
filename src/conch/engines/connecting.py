"""Connecting as a person does it, in the terminal and the browser: prepare, ask, only then save."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from conch.engines.checking import check_answers, check_key
from conch.engines.engine import Engine, EngineFailed
from conch.engines.engines import Engines
from conch.engines.practice import PRACTICE
from conch.engines.provider_engine import ProviderEngine
from conch.engines.usage import UsageLedger
from conch.home.errors import ConchError

KeyUsed = Literal["given", "kept", "environment", "none"]


@dataclass(frozen=True)
class Connected:
    """An engine that is connected now, and where the key it is sent comes from."""

    engine: Engine
    key: KeyUsed


async def connect(
    engines: Engines,
    ledger: UsageLedger,
    id: str,
    *,
    key: str = "",
    url: str = "",
    model: str = "",
    checks: bool = True,
    otherwise: str = "",
) -> Connected:
    """Connect a provider by its key, or an OpenAI-compatible server by its address.

    With `checks` it is asked one short question first (filed in `ledger`); when it does not
    answer, nothing changes. Raises ConchError; `otherwise` says how to connect it all the same.
    """
    if checks:
        check_key(id.strip().lower(), key, url)
    prepared = await asyncio.to_thread(engines.prepare, id, key=key, url=url, model=model)
    asked = prepared.engine
    if checks and asked.id != PRACTICE:
        await _ask(asked, engines, ledger, otherwise)
    used: KeyUsed = "none"
    if key.strip():
        used = "given"
    elif prepared.key:
        used = "kept"
    elif isinstance(asked, ProviderEngine) and asked.connection.key:
        used = "environment"
    return Connected(await asyncio.to_thread(engines.save, prepared), used)


async def _ask(engine: Engine, engines: Engines, ledger: UsageLedger, otherwise: str) -> None:
    """Ask an engine that isn't connected yet. Raises ConchError when it does not answer."""
    try:
        await check_answers(engine, ledger)
    except EngineFailed as failed:
        raise ConchError(
            f"{engine.name} was not connected. {failed.what}",
            f"Nothing changed: {engines.default().name} goes on answering.",
            f"{failed.do} {otherwise}".strip(),
        ) from None
    finally:
        if isinstance(engine, ProviderEngine):
            await engine.close()
