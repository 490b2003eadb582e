"""A chat's to-do list: what the assistant set out to do, and how far it is, read from the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from conch.assistant.tools import StepOutput, StepTool
from conch.chats.events import Event, ToolFinished, ToolStarted
from conch.home.errors import ConchError

NAME = "todo_write"
MOST_TODOS, LONGEST_TODO = 30, 200
State = Literal["pending", "in_progress", "done"]
_MARKS: dict[State, str] = {"pending": "☐", "in_progress": "▸", "done": "☑"}


@dataclass(frozen=True)
class Todo:
    """One thing to do."""

    text: str
    state: State = "pending"


def todos_in(events: Sequence[Event]) -> tuple[Todo, ...]:
    """The list as it was last written in a chat; () for none."""
    done = {one.call for one in events if isinstance(one, ToolFinished) and one.ok}
    for event in reversed(events):
        if isinstance(event, ToolStarted) and event.tool == NAME and event.call in done:
            return todos_of(event.input)
    return ()


def todos_of(given: dict[str, Any]) -> tuple[Todo, ...]:
    """The list an input holds. Raises ConchError for one that is none."""
    listed = given.get("todos")
    if not isinstance(listed, list) or len(listed) > MOST_TODOS:
        raise ConchError(f"`todos` must be a list of at most {MOST_TODOS}.")
    found: list[Todo] = []
    for one in listed:
        one = {"text": one} if isinstance(one, str) else one
        text = " ".join(str(one.get("text", "")).split()) if isinstance(one, dict) else ""
        state = one.get("state", "pending") if isinstance(one, dict) else ""
        if not text or state not in get_args(State):
            raise ConchError("Each of `todos` has a `text` and a `state`.")
        found.append(Todo(text[:LONGEST_TODO], cast(State, state)))
    return tuple(found)


def in_lines(todos: Sequence[Todo]) -> str:
    """The list as it is read.

    >>> in_lines([Todo("Read it", "done"), Todo("Say it")])
    '☑ Read it\\n☐ Say it'
    """
    return "\n".join(f"{_MARKS[one.state]} {one.text}" for one in todos)


def todo_tool() -> StepTool:
    """The tool that writes the list: whole each time."""

    async def write(given: dict[str, Any]) -> StepOutput:
        return StepOutput(in_lines(todos_of(given)) or "The list is empty.")

    item = {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "state": {"type": "string", "enum": list(get_args(State))},
        },
        "required": ["text", "state"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {"todos": {"type": "array", "items": item}},
        "required": ["todos"],
        "additionalProperties": False,
    }
    told = "Write down what is to be done, whole, for work of many steps; the person sees it."
    return StepTool(NAME, told, schema, write)
