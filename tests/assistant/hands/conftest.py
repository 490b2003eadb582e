"""A Conch whose engine does exactly the steps it is told to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conch.app import Conch
from conch.assistant.hands.hands import Hands
from conch.assistant.happenings import Asks
from conch.chats.events import ToolFinished
from conch.engines.engines import Engines
from conch.engines.practice import PracticeEngine
from conch.home.home import Home

PUBLIC = "93.184.215.14"


class Obeying(PracticeEngine):
    """The worst an engine can be: whatever it was told by whomever, it calls."""

    def __init__(self, steps) -> None:
        self.steps = list(steps)

    def model(self, name: str = ""):
        from pydantic_ai.models.function import DeltaToolCall, FunctionModel

        left = list(self.steps)

        async def stream(messages, info):
            if left:
                tool, given = left.pop(0)
                yield {0: DeltaToolCall(name=tool, json_args=json.dumps(given))}
            else:
                yield "Done."

        return FunctionModel(stream_function=stream, model_name="obeying")


@dataclass
class Took:
    """What came of the steps: what the engine was told of each, and what was asked."""

    told: list[str] = field(default_factory=list)
    asked: list[Asks] = field(default_factory=list)


class Worker:
    def __init__(self, folder: Path) -> None:
        self.person = folder / "person"
        (self.person / ".ssh").mkdir(parents=True)
        (self.person / ".ssh" / "id_ed25519").write_text("SECRET-OF-THE-PERSON", "utf-8")
        self.home = Home.open(folder / "conch-home")
        self.environ = {"HOME": str(self.person), "PATH": "/usr/local/bin:/usr/bin:/bin"}
        self.environ["OPENAI_API_KEY"] = "sk-live-1234567890abcdefghij"
        self.conch = Conch(self.home, self.environ, engines=Engines(self.home, {}, ports={}))

        async def lookup(host, port):
            return ["127.0.0.1"] if "local" in host else [PUBLIC]

        hands = Hands(self.home, self.conch.redactor, self.environ, lookup=lookup)
        self.conch.hands = self.conch.assistant.hands = hands
        self.chat = self.conch.chats.new()

    @property
    def folder(self) -> Path:
        return self.conch.hands.folder(self.chat, self.conch.chats.log(self.chat))

    def mode(self, mode: str) -> None:
        self.home.change_settings(lambda one: one.model_copy(update={"mode": mode}))

    def obeys(self, *steps) -> None:
        self.conch.assistant.answered_by = Obeying(steps)

    async def does(
        self, *steps, allow=None, words: str = "Do it.", with_hands: bool = True
    ) -> Took:
        """Have the engine take these steps. `allow`: the person's answer; None: nobody is there."""
        took = Took()
        before = self.conch.chats.log(self.chat).last_seq
        self.obeys(*steps)
        async for happening in self.conch.assistant.turn(
            self.chat, words, can_ask=allow is not None, with_hands=with_hands
        ):
            if isinstance(happening, Asks):
                took.asked.append(happening)
                self.conch.assistant.answer(self.chat, happening.approval, bool(allow))
        took.told = [
            event.output
            for event in self.conch.chats.log(self.chat).events(after=before)
            if isinstance(event, ToolFinished)
        ]
        return took


@pytest.fixture
def worker(tmp_path):
    return Worker(tmp_path)
