"""Chat logs in a few words, for the tests of the skills room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conch.chats.events import (
    AssistantMessage,
    ChatStarted,
    Event,
    Outcome,
    PersonMessage,
    SkillUsed,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)


class Log:
    """A chat's events as they are added."""

    def __init__(self, origin: Any = "own", folder: str = "/home/ana/work") -> None:
        self.events: list[Event] = []
        self.add(ChatStarted(chat="c_1", origin=origin, folder=folder))

    def add(self, event: Event) -> Log:
        self.events.append(event.model_copy(update={"seq": len(self.events) + 1}))
        return self

    def turn(
        self,
        said: str,
        steps: int | Sequence[str] = 0,
        *,
        failed: int = 0,
        end: Outcome | None = "success",
        reply: str = "Done.",
        who: str = "",
        skill: str = "",
        tool: str = "run",
    ) -> Log:
        """One turn; the first `failed` of its steps fail."""
        self.add(PersonMessage(text=said, who=who))
        if skill:
            self.add(SkillUsed(skill=skill, name=skill))
        given = [f"step {at}" for at in range(steps)] if isinstance(steps, int) else steps
        for at, summary in enumerate(given):
            call = f"k{len(self.events)}"
            command = summary.removeprefix("Run `").removesuffix("`")
            self.add(ToolStarted(call=call, tool=tool, summary=summary, input={"command": command}))
            self.add(ToolFinished(call=call, ok=at >= failed, output="the tool's own output"))
        if reply:
            self.add(AssistantMessage(text=reply))
        if end:
            self.add(TurnCompleted(outcome=end, engine="practice", model="practice-1"))
        return self

    def read(self, kind: Any, label: str) -> Log:
        return self.add(TaintMarked(kind=kind, label=label))
