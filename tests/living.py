"""A whole Conch in a temporary home, and the few things a person does with it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from conch.app import Conch
from conch.assistant.happenings import TurnEnded
from conch.assistant.tools import StepTool
from conch.chats.events import AssistantMessage, LearningNoted, PersonMessage, TurnCompleted
from conch.engines.engine import Ask, Engine
from conch.engines.engines import Engines
from conch.home.clock import SteppedClock
from conch.home.home import Home

START = datetime(2026, 12, 1, 9, tzinfo=UTC)
CORRECTION = ("Write me a script that prints the date.", "No, I meant TypeScript.")


class Meanwhile:
    """An engine that is told to somebody, with the question, before it is asked."""

    def __init__(self, engine: Engine, happens: Callable[[Ask], object]) -> None:
        self._engine = engine
        self._happens = happens

    def __getattr__(self, name: str):
        return getattr(self._engine, name)

    async def complete(self, ask: Ask):
        self._happens(ask)
        return await self._engine.complete(ask)


class Living:
    """Conch with the practice engine, at a clock that only moves when told to."""

    def __init__(
        self,
        folder: Path,
        steps: tuple[StepTool, ...] = (),
        host: str = "here",
        clock: SteppedClock | None = None,
    ) -> None:
        self.clock = clock or SteppedClock(START)
        self.folder = folder
        self.steps = steps
        self.host = host
        self.start()

    def start(self) -> None:
        """Start, or start again after everything in memory is gone."""
        self.home = Home.open(self.folder, self.clock)
        self.conch = Conch(
            self.home,
            {},
            steps=self.steps,
            host=self.host,
            engines=Engines(self.home, {}, ports={}),
        )
        self.conch.begin()

    @property
    def answering(self) -> Engine:
        """Who answers: the practice engine, or its script behind a provider's wire."""
        return self.conch.engines.default()

    def meanwhile(self, happens: Callable[[Ask], object]) -> Engine:
        """Who answers, and what happens before each question of a look is asked."""
        return cast(Engine, Meanwhile(self.answering, happens))

    def always(self, happens: Callable[[Ask], object]) -> None:
        """From now on this happens before each question of a look, until Conch starts again."""
        engine = self.meanwhile(happens)
        self.conch.engines.get = lambda id: engine if id == engine.id else None

    @property
    def memories(self) -> list[str]:
        """The words of every memory that is used."""
        return sorted(memory.text for memory in self.conch.memories.usable())

    async def say(self, *messages: str, chat: str = "") -> str:
        """Say these in one chat, a new one when none is given; gives the chat's id."""
        chat = chat or self.conch.chats.new(title=messages[0][:40])
        for words in messages:
            async for happening in self.conch.assistant.turn(chat, words):
                self.last = happening
            self.clock.advance(seconds=20)
        assert isinstance(self.last, TurnEnded)
        return chat

    async def quiet(self, minutes: float = 11):
        """Let time pass, then sweep once; gives the looks' results."""
        self.clock.advance(minutes=minutes)
        return await self.conch.learning.sweep.once()

    def lines(self, chat: str) -> list[LearningNoted]:
        """The quiet lines of a chat."""
        events = self.conch.chats.log(chat).events()
        return [event for event in events if isinstance(event, LearningNoted)]

    def keep(self, record_id: str):
        """The person's press on Keep, for the words as they stand."""
        record = self.conch.learning.record(record_id)
        assert record is not None
        memory = self.conch.memories.get(record.memory)
        assert memory is not None
        consent = self.conch.consents.mint(memory.id, memory.words_hash)
        return self.conch.learning.keep(record_id, consent)


def brought_in(living: Living, *messages: str, chat: str = "") -> str:
    """A chat brought in from elsewhere with these words (more of them, where there is one)."""
    chat = chat or living.conch.chats.new(origin="imported", title="Brought", brought_from="x")
    log = living.conch.chats.log(chat)
    for words in messages:
        log.append(PersonMessage(text=words, door="chatgpt"))
        log.append(AssistantMessage(text="Here it is."))
        log.append(TurnCompleted(outcome="success", engine="chatgpt"))
    return chat
