"""The spec's two evals (0088 §9), on any engine: does a correction carry over, does nothing stay.

The whole of Conch in a throwaway home; code checks, no judge model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from conch.assistant.assistant import Assistant
from conch.assistant.happenings import TurnEnded
from conch.chats.chats import Chats
from conch.home.clock import SteppedClock
from conch.learning.quiet import QuietLearning
from conch.memory.memories import Memories


class ConchForTrials(Protocol):
    """What a trial needs of a Conch: the app hands one in."""

    chats: Chats
    memories: Memories
    learning: QuietLearning
    assistant: Assistant


@dataclass
class Trial:
    """How a trial went: each step in a line, and whether all that had to hold did."""

    steps: list[str] = field(default_factory=list)
    passed: bool = True

    def check(self, what: str, holds: bool) -> None:
        self.steps.append(f"{'ok' if holds else 'NOT'}: {what}")
        self.passed = self.passed and holds


async def _say(conch: ConchForTrials, chat: str, words: str) -> str:
    reply = ""
    async for happening in conch.assistant.turn(chat, words):
        if isinstance(happening, TurnEnded):
            reply = happening.reply
    return reply


async def learns_correction(conch: ConchForTrials, clock: SteppedClock) -> Trial:
    """A correction carries into the next chat."""
    trial = Trial()
    chat = conch.chats.new(title="print the date")
    await _say(conch, chat, "Give me a one-liner that prints today's date.")
    await _say(conch, chat, "No, I meant Python. I always want Python for scripts.")
    clock.advance(minutes=11)
    results = await conch.learning.sweep.once()
    learned = [record for result in results for record in result.records]
    trial.check("the chat was looked at", bool(results))
    trial.check(
        "something about Python was learned and applied",
        any("python" in one.text.lower() and one.state == "applied" for one in learned),
    )
    clock.advance(minutes=1)
    reply = await _say(
        conch, conch.chats.new(title="hello"), "Write me a tiny script that says hello."
    )
    trial.check("the next chat answers in Python unasked", "python" in reply.lower())
    return trial


async def learns_nothing(conch: ConchForTrials, clock: SteppedClock) -> Trial:
    """An ordinary chat leaves nothing behind, though it has words that sound lasting."""
    trial = Trial()
    chat = conch.chats.new(title="capitals")
    await _say(conch, chat, "What's usually called the capital of Australia?")
    await _say(conch, chat, "People always mix that up with Sydney. And the one of Canada?")
    clock.advance(minutes=11)
    await conch.learning.sweep.once()
    clock.advance(minutes=11)
    await conch.learning.sweep.once()
    trial.check("nothing was learned", not conch.learning.records())
    trial.check("nothing is remembered", not conch.memories.all())
    return trial


TRIALS: dict[str, Callable[[ConchForTrials, SteppedClock], Awaitable[Trial]]] = {
    "learns-correction": learns_correction,
    "learns-nothing": learns_nothing,
}
