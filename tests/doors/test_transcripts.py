"""Every sample transcript is read exactly as it was checked by hand against the raw file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conch.chats.events import (
    Event,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.doors.bring.bring import read_chats
from conch.doors.bring.brought import Aside
from conch.doors.bring.files import sources_in
from conch.doors.bring.recognise import recognised

TRANSCRIPTS = Path(__file__).parent / "transcripts"
EXPECTED = Path(__file__).parent / "expected"
NOT_READ = {"ai_studio": "ai-studio", "aider": "aider", "cursor": "cursor", "grok": "grok"}
_ABOUT = ("command", "cmd", "file_path", "path", "url", "query", "pattern", "uri", "id", "text")

FILES = sorted(
    path.relative_to(TRANSCRIPTS).as_posix()
    for path in TRANSCRIPTS.rglob("*.*")
    if path.name != "README.md"
)


def told(path: Path) -> dict[str, Any]:
    """What a file was read as: of each chat who said what, steps, stops, errors and taints."""
    (source,) = sources_in(path)
    aside = Aside()
    chats = [
        {
            "id": chat.id,
            "title": chat.title,
            "started": chat.started.isoformat() if chat.started else None,
            "folder": chat.folder,
            "told": lines(list(chat.events)),
        }
        for chat in read_chats(source, aside)
    ]
    return {"chats": [chat for chat in chats if chat["told"]], "set_aside": dict(aside.kinds)}


def lines(events: list[Event]) -> list[str]:
    ended = {event.call: event for event in events if isinstance(event, ToolFinished)}
    found: list[str] = []
    for event in events:
        if isinstance(event, PersonMessage):
            found.append(f"{event.who or 'person'}: {event.text}")
        elif isinstance(event, ToolStarted):
            end = ended.get(event.call)
            state = "pending" if end is None else "ok" if end.ok else "failed"
            exit = f" (exit {end.exit})" if end and end.exit is not None else ""
            about = next((str(event.input[one]) for one in _ABOUT if event.input.get(one)), "")
            found.append(f"step {state}{exit} {event.tool}: {' '.join(about.split())[:80]}")
        elif isinstance(event, TaintMarked):
            found.append(f"read {event.kind}: {event.label}")
        elif isinstance(event, TurnCompleted) and event.outcome == "stopped":
            found.append("stopped")
        elif isinstance(event, TurnCompleted) and event.outcome == "failed":
            found.append(f"failed: {event.error}")
    return found


@pytest.mark.parametrize("name", FILES)
def test_is_read_as_it_was_checked_by_hand(name: str):
    expected = json.loads((EXPECTED / f"{name}.json").read_text())
    got = told(TRANSCRIPTS / name)
    if "format" in expected:
        (source,) = sources_in(TRANSCRIPTS / name)
        found = recognised(source)
        assert found is not None
        got["format"] = found.name
        assert found.read is None
    assert got == expected


def test_every_expectation_has_its_file():
    expected = {
        path.relative_to(EXPECTED).as_posix().removesuffix(".json")
        for path in EXPECTED.rglob("*.json")
    }
    assert expected == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_steps_end_after_they_begin_and_turns_end(name: str):
    (source,) = sources_in(TRANSCRIPTS / name)
    for chat in read_chats(source, Aside()):
        begun: set[str] = set()
        open_turn = False
        for event in chat.events:
            if isinstance(event, ToolStarted):
                begun.add(event.call)
            if isinstance(event, ToolFinished):
                assert event.call in begun
            if isinstance(event, PersonMessage):
                assert not open_turn
            open_turn = not isinstance(event, TurnCompleted) and (
                open_turn or not isinstance(event, TaintMarked)
            )
        assert not open_turn
