"""Turns and steps: a log read as a person lived it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from conch.chats.events import (
    AssistantMessage,
    Event,
    Outcome,
    PersonMessage,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.steps import step_summary


@dataclass(frozen=True)
class Step:
    """A tool call. `ok` is None (and `finished_seq` 0) when it never ended.

    `summary` is the line code made of it; `output` is what it gave, for code's eyes only.
    """

    call: str
    tool: str
    summary: str
    input: dict[str, Any]
    ok: bool | None
    exit: int | None
    output: str
    started_seq: int
    finished_seq: int


@dataclass(frozen=True)
class Turn:
    """A message of the person's to the end of the answer.

    `reply`: all the assistant said in it. `outcome` and `completed` are None while it runs, or
    when the next message came before it ended.
    """

    person: PersonMessage
    steps: tuple[Step, ...]
    reply: str
    outcome: Outcome | None
    completed: TurnCompleted | None
    first_seq: int
    last_seq: int


@dataclass
class _Open:
    person: PersonMessage
    calls: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    completed: TurnCompleted | None = None
    last_seq: int = 0


def turns(events: Iterable[Event]) -> list[Turn]:
    """The turns of a log, in order. What stands before the first message belongs to none.

    A step that ends after the next message was sent still belongs to the turn it began in.
    """
    opened: list[_Open] = []
    steps: dict[str, Step] = {}
    for event in events:
        if isinstance(event, PersonMessage):
            opened.append(_Open(event, last_seq=event.seq))
        elif opened:
            turn = opened[-1]
            turn.last_seq = event.seq
            _take(turn, steps, event)
    return [_turn(turn, steps) for turn in opened]


def _take(turn: _Open, steps: dict[str, Step], event: Event) -> None:
    if isinstance(event, ToolStarted):
        summary = event.summary or step_summary(event.tool, event.input)
        step = Step(event.call, event.tool, summary, event.input, None, None, "", event.seq, 0)
        # A provider may use an id twice; each call stays a step of its own.
        key = event.call if event.call not in steps else f"{event.call}#{event.seq}"
        steps[key] = step
        turn.calls.append(key)
    elif isinstance(event, ToolFinished):
        key = _unfinished(steps, event.call)
        if key is not None:
            steps[key] = replace(
                steps[key],
                ok=event.ok,
                exit=event.exit,
                output=event.output,
                finished_seq=event.seq,
            )
    elif isinstance(event, AssistantMessage) and event.text.strip():
        turn.said.append(event.text)
    elif isinstance(event, TurnCompleted):
        turn.completed = event


def _unfinished(steps: dict[str, Step], call: str) -> str | None:
    if call in steps and steps[call].ok is None:
        return call
    later = [key for key, step in steps.items() if step.call == call and step.ok is None]
    return later[-1] if later else None


def _turn(turn: _Open, steps: dict[str, Step]) -> Turn:
    return Turn(
        person=turn.person,
        steps=tuple(steps[call] for call in turn.calls),
        reply="\n\n".join(turn.said),
        outcome=turn.completed.outcome if turn.completed else None,
        completed=turn.completed,
        first_seq=turn.person.seq,
        last_seq=turn.last_seq,
    )
