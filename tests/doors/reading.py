"""Reading lines written in a test, and their events in a few words each."""

from __future__ import annotations

import json
from typing import Any

from conch.chats.events import (
    AssistantMessage,
    Event,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import bytes_source
from conch.doors.bring.recognise import Read


def read(reader: Read, *lines: Any) -> list[Event]:
    data = "\n".join(json.dumps(line) for line in lines).encode()
    return [
        event for chat in reader(bytes_source("x.jsonl", data), Aside()) for event in chat.events
    ]


def chats(reader: Read, value: Any) -> list[BroughtChat]:
    return list(reader(bytes_source("x.json", json.dumps(value).encode()), Aside()))


def brief(events: list[Event]) -> list[str]:
    """The events in a few words each."""
    found: list[str] = []
    for event in events:
        if isinstance(event, PersonMessage):
            found.append(f"{event.who or 'person'}: {event.text}")
        elif isinstance(event, ToolFinished):
            found.append("ok" if event.ok else "failed")
        elif isinstance(event, TaintMarked):
            found.append(f"read {event.kind} {event.label}")
        elif isinstance(event, TurnCompleted):
            found.append(f"end {event.outcome}")
        elif isinstance(event, ToolStarted):
            found.append(event.summary)
        elif isinstance(event, AssistantMessage):
            found.append(f"assistant: {event.text}")
    return found
