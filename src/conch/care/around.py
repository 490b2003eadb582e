"""What a home needs around it: engines that answer, learning that runs, commands that are sealed,
backups that are made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from conch.assistant.hands.sealing import can_seal
from conch.care.backups import Backups
from conch.care.findings import Finding
from conch.engines.checking import listens
from conch.engines.engine import Engine
from conch.engines.engines import Engines
from conch.engines.practice import PRACTICE
from conch.engines.provider_engine import ProviderEngine
from conch.engines.spend import LearningSpend
from conch.home.home import Home
from conch.home.settings import learning_note

_BACKUP_AT_LEAST = timedelta(days=3)


@dataclass(frozen=True)
class Around:
    """What is looked at beside the files of a home."""

    home: Home
    engines: Engines
    spend: LearningSpend
    backups: Backups


async def examine_around(around: Around) -> list[Finding]:
    """Engines, learning, sealing and backups. Asks no model; knocks at engines' addresses."""
    return [
        *await _engines(around.engines),
        *_learning(around.home, around.spend),
        *_commands(),
        *_backups(around.home, around.backups),
    ]


async def _engines(engines: Engines) -> list[Finding]:
    found = [engine for engine in engines.connected() if engine.id != PRACTICE]
    if not found:
        said = "Only the practice engine answers, which is scripted."
        return [Finding("engines", "yours", said, "conch connect anthropic")]
    return list(await asyncio.gather(*(_engine(engine) for engine in found)))


async def _engine(engine: Engine) -> Finding:
    if isinstance(engine, ProviderEngine) and engine.connection.url:
        url = engine.connection.url
        if not await asyncio.to_thread(listens, url):
            said = f"Nothing answers for {engine.name} at {url}."
            return Finding("engines", "yours", said, "Start it, or check the network.")
        return Finding("engines", "good", f"{engine.name} is there, at {url}.")
    return Finding("engines", "good", f"{engine.name} is connected.")


def _learning(home: Home, spend: LearningSpend) -> Iterator[Finding]:
    settings, now = home.settings(), home.clock.now()
    if note := learning_note(settings):
        yield Finding("learning", "yours", note)
    elif not settings.auto_memory:
        yield Finding("learning", "good", "Learning is off, as you chose.")
    elif spend.paused(now):
        said = f"Learning rests: it has spent ${spend.spent(now):.2f} this month."
        yield Finding("learning", "yours", said, "It goes on on the 1st, or: conch settings set")
    else:
        yield Finding("learning", "good", "Learning looks at chats once they go quiet.")


def _commands() -> Iterator[Finding]:
    if can_seal():
        yield Finding("commands", "good", "Commands run sealed.")
    else:
        said = "Commands can't be sealed here, so each is asked about."
        yield Finding("commands", "yours", said, "Install bubblewrap.")


def _backups(home: Home, backups: Backups) -> Iterator[Finding]:
    last = backups.last
    if not backups.is_set_up:
        yield Finding("backups", "yours", "No backups are made.", "conch backup setup")
    elif last is None or home.clock.now() - last > _BACKUP_AT_LEAST:
        said = "There was no backup for three days." if last else "No backup was made yet."
        yield Finding("backups", "yours", said, "conch backup now")
    else:
        yield Finding("backups", "good", f"The last backup is in {backups.folder}.")
