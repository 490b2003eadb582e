"""Gemini CLI's sessions: `~/.gemini/tmp/<project>/chats/session-*.json`.

One JSON object with `messages` of type user, gemini, info or error. A step and its result stand
together on the message that called it. The folder it ran in is kept only as a hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.injected import is_command_line, own_words
from conch.doors.bring.items import items
from conch.doors.bring.shapes import joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling

NAME = "gemini-cli"
ENGINE = "google"

_EXIT = re.compile(r"^Exit Code: (\d{1,9})\s*$", re.M)
_STOPPED = "Request cancelled."


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The one session of a file."""
    with source.begin() as file:
        for item in items(file, aside):
            raw = mapping(item)
            if not isinstance(raw.get("messages"), list):
                aside.add("a conversation without messages")
                continue
            yield BroughtChat(
                id=text(raw.get("sessionId")) or PurePosixPath(source.name).stem,
                title=text(raw.get("summary")),
                started=moment(raw.get("startTime")),
                host="",
                folder="",
                events=_events(raw["messages"], aside),
                source=NAME,
                engine=ENGINE,
            )


def _events(messages: list[Any], aside: Aside) -> Iterator[Event]:
    telling = Telling(NAME, ENGINE)
    for message in map(mapping, messages):
        kind, at = message.get("type"), moment(message.get("timestamp"))
        if kind == "user":
            words = own_words(joined(message.get("content")))
            if not is_command_line(words):
                telling.person(words, at)
        elif kind == "gemini":
            telling.assistant(joined(message.get("content")), at, text(message.get("model")))
            for number, call in enumerate(map(mapping, listed(message.get("toolCalls")))):
                name = text(call.get("id")) or f"{text(message.get('id'))}-{number}"
                _step(telling, call, name, at)
        elif kind == "error":
            telling.failed(joined(message.get("content")), at)
        elif kind == "info":
            if joined(message.get("content")).startswith(_STOPPED):
                telling.stopped(at)
        else:
            aside.add("a message with no sender")
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _step(telling: Telling, call: dict[str, Any], name: str, at: datetime | None) -> None:
    telling.started(name, text(call.get("name")), mapping(call.get("args")), at)
    status = call.get("status")
    if status not in ("success", "error", "cancelled"):
        return  # It was waiting, or still ran, when the file was written.
    responses = [
        mapping(mapping(mapping(one).get("functionResponse")).get("response"))
        for one in listed(call.get("result"))
    ]
    output = "\n".join(
        filter(None, (text(one.get("output")) or text(one.get("error")) for one in responses))
    )
    found = _EXIT.search(output)
    exit = int(found[1]) if found else None
    ok = status == "success" and exit in (None, 0)
    ended = moment(call.get("timestamp")) or at
    ran = status != "cancelled" and exit != 127
    telling.finished(name, ok, output, ended, exit=exit, ran=ran)
