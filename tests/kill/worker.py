"""The process that is killed: it chats, looks, undoes, keeps, forgets and adds until it is.

`python worker.py HOME SHADOW SEED [LEAVE_OUT]`. It says "ready" after its first round, and then in
lines of JSON what it begins, what it was told is done (that must still hold after the kill), and
the bytes of what is in use.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import lossy_disk

from conch.app import Conch
from conch.chats.events import TaintMarked
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.writer import take_writer

_LANGUAGES = ("Python", "TypeScript", "Rust", "Go", "Kotlin", "Elixir", "Haskell", "Zig", "Lua")
_CITIES = ("Lisbon", "Berlin", "Oslo", "Porto", "Turin", "Ghent", "Cork", "Graz", "Nantes")


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


def tell_bytes(conch: Conch) -> None:
    """What every memory in use is, byte for byte: while nobody edits it, it stays so or comes back
    so."""
    live = {one.id: conch.memories.raw(one.id) for one in conch.memories.usable()}
    tell(live={id: hashlib.sha256(raw).hexdigest() for id, raw in live.items()})


async def work(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    # Each run is another day, so that the day's quota of changes is fresh.
    clock = SteppedClock(datetime(2026, 1, 1, 9, tzinfo=UTC) + timedelta(days=seed))
    home = Home.open(root, clock)
    with take_writer(home):
        conch = Conch(home, {}, host="here")
        conch.begin()
        # The first round loads what later ones have at hand; kills are meant to meet work.
        await one_round(conch, clock, chance)
        tell(ready=True)
        while True:
            await one_round(conch, clock, chance)


async def one_round(conch: Conch, clock: SteppedClock, chance: random.Random) -> None:
    chat = conch.chats.new(title="a chat")
    if chance.random() < 0.4:
        conch.chats.log(chat).append(TaintMarked(kind="web", label="page.example"))
    await say(conch, chat, "Write me a script that prints the date.")
    city, language = chance.choice(_CITIES), chance.choice(_LANGUAGES)
    await say(conch, chat, f"No, I meant {language} number {chance.randrange(10_000)}.")
    await say(conch, chat, f"By the way, I moved to {city}.")
    clock.advance(minutes=11)
    tell(begins="look")
    for result in await conch.learning.sweep.once():
        for record in result.records:
            tell(record=record.id, state=record.state)
    tell_bytes(conch)
    clock.advance(hours=20)
    for record in list(conch.learning.records())[:4]:
        try:
            answer(conch, record, chance)
        except ConchError:
            continue
        tell_bytes(conch)
    clock.advance(minutes=1)
    add_own(conch, f"Lives in {chance.choice(_CITIES)}")
    tell_bytes(conch)


def add_own(conch: Conch, words: str) -> None:
    """Words of the person's own, which take the place of what was learned and may be on the
    never-list."""
    known = any(one.text == words for one in conch.memories.usable())
    tell(begins="own", words=words, known=known)
    memory = conch.learning.add_own(words)
    tell(own=memory.id, words=memory.text)


async def say(conch: Conch, chat: str, words: str) -> None:
    async for _ in conch.assistant.turn(chat, words):
        pass


def answer(conch: Conch, record, chance: random.Random) -> None:
    tell(begins="answer")
    if record.state == "waiting" and chance.random() < 0.6:
        memory = conch.memories.get(record.memory)
        assert memory is not None
        consent = conch.consents.mint(memory.id, memory.words_hash)
        done = conch.learning.keep(record.id, consent)
    elif record.state == "waiting":
        done = conch.learning.forget(record.id)
    elif record.state in ("applied", "kept") and chance.random() < 0.5:
        done = conch.learning.undo(record.id)
    else:
        return
    tell(record=done.record.id, state=done.record.state)


if __name__ == "__main__":
    home, shadow = Path(sys.argv[1]), Path(sys.argv[2])
    lossy_disk.watch(shadow, sys.argv[4] if len(sys.argv) > 4 else "")
    asyncio.run(work(home, int(sys.argv[3])))
