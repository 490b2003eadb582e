"""The one place where the parts of Conch are put together for one home.

Only what is here (and the terminal above it) reads the environment; every room below is handed
what it needs, so that one process can hold many people's homes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from conch.assistant.assistant import Assistant
from conch.assistant.hands.hands import Hands
from conch.assistant.skills import Skills
from conch.assistant.tools import StepTool
from conch.assistant.vault import Vault
from conch.care.backups import Backups
from conch.chats.chats import Chats
from conch.engines.engines import Engines
from conch.engines.spend import LearningSpend
from conch.engines.usage import UsageLedger
from conch.guard.redactor import Redactor
from conch.home.clock import Clock
from conch.home.home import Home
from conch.home.journal import Journal
from conch.home.where import home_folder
from conch.learning.never import NeverList
from conch.learning.outcomes import LookResult
from conch.learning.parts import LearningParts
from conch.learning.quiet import QuietLearning
from conch.learning.state import LearningRecord
from conch.learning.sweep import SWEEP_EVERY
from conch.memory.consents import Consents
from conch.memory.memories import Memories
from conch.words.meaning import Meaning, load_meaning

RECORD_FILE = "record.jsonl"
_OTHER_APPS = (
    ("claude", ".claude/skills"),
    ("agents", ".agents/skills"),
    ("hermes", ".hermes/skills"),
    ("openclaw", ".openclaw/skills"),
)
"""Where other apps keep their skills in a user's folder: listed, read-only, off."""
_READ_AHEAD = 16
_LOOK_FOR_NEW_SECONDS = 2.0
_BEGINS_AGAIN_SECONDS = 60.0


class Conch:
    """Conch for one home. Whoever makes one to write with holds the home's writer lock."""

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str],
        *,
        meaning: Meaning | None = None,
        steps: Sequence[StepTool] = (),
        host: str = "",
        engines: Engines | None = None,
    ) -> None:
        self.home = home
        self.engines = engines or Engines(home, environ)
        self.redactor = Redactor(self.engines.secrets())
        self.vault = Vault(home, self.redactor)
        host = host or socket.gethostname()
        self.chats = Chats(home, self.redactor, host)
        self.consents = Consents()
        self.memories = Memories(home, home.clock, meaning=meaning, consents=self.consents)
        self.parts = LearningParts(
            home=home,
            chats=self.chats,
            memories=self.memories,
            engines=self.engines,
            spend=LearningSpend(home),
            usage=UsageLedger(home),
            plan=self.engines.plan_room,
            never=NeverList(home),
            record=LearningRecord(Journal(home.learning / RECORD_FILE, home.notes)),
            redactor=self.redactor,
            host=host,
            meaning=meaning,
        )
        self.learning = QuietLearning(self.parts)
        self.hands = Hands(home, self.redactor, environ, vault=self.vault)
        self.assistant = Assistant(self.parts, self.learning, steps, self.hands)
        self.skills = Skills(self.parts, other_apps_skills(environ))
        self.assistant.skills = self.skills.in_chat
        self.assistant.held_to = self.skills.in_chat.held_to
        self.backups = Backups(home, host)
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def open(
        cls,
        root: Path | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Conch:
        """Conch for the home at `root` (by default this user's), with this user's environment."""
        environ = os.environ if environ is None else environ
        home = Home.open(root or home_folder(environ), clock)
        return cls(home, environ, meaning=load_meaning())

    def begin(self) -> None:
        """Carry through what a crash cut off. Call it once, holding the writer lock."""
        self.engines.find_local_now()
        self.chats.close_open_turns()
        self.learning.start()
        self.skills.offers.recover()
        self.memories.refresh()

    def run_in_background(
        self,
        after_sweep: Callable[[list[LookResult]], None] | None = None,
        sweep_every: timedelta = SWEEP_EVERY,
    ) -> None:
        """Start the sweep, and pick up memories a person edits by hand, until `close`."""
        put_back = self.learning.notice_what_is_put_back
        self._keep("The sweep", lambda: self.learning.sweep.run(after_sweep, sweep_every))
        self._keep("Watching the memory folder", lambda: self.memories.watch(put_back))
        self._keep("Reading memories ahead", self._read_memories_ahead)
        self._keep("Looking for offers of skills", self.skills.run)
        self._keep("Making backups", self.backups.run)

    async def _read_memories_ahead(self) -> None:
        """Keep every memory's meaning at hand, so that no turn has to wait for it."""
        while True:
            left = await asyncio.to_thread(self.memories.index.encode_some, _READ_AHEAD)
            await asyncio.sleep(0 if left else _LOOK_FOR_NEW_SECONDS)

    def _keep(self, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have `work` done until `close`; an unforeseen error is said, and it begins again."""

        async def kept() -> None:
            while True:
                try:
                    return await work()
                except Exception as error:
                    self.home.notes.say(
                        f"{what} failed ({type(error).__name__}: {error}). Nothing was lost; it "
                        "begins again within a minute."
                    )
                await asyncio.sleep(_BEGINS_AGAIN_SECONDS)

        task = asyncio.ensure_future(kept())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self, patience: float = 0.0) -> None:
        """Stop what runs in the background; the look that runs has `patience` seconds to end.

        A look that is cut off even so counts as paid, and its chat is tried again in an hour.
        """
        if patience:
            await self.learning.end_looks(patience)
        for task in list(self._tasks):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.hands.apps.close()
        await self.engines.close()


def other_apps_skills(environ: Mapping[str, str]) -> list[tuple[str, Path]]:
    """The folders of other apps' skills, in this user's own folder."""
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return [(app, Path(home) / inner) for app, inner in _OTHER_APPS] if home else []
