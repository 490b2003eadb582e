"""Conch's plain form of a chat, one JSON object a line, for any other source (docs/bring.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, get_args

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.lines import objects, sessions
from conch.doors.bring.shapes import arguments, joined, moment, text, whole_number
from conch.doors.bring.telling import Telling
from conch.guard.taints import Taint, TaintKind

NAME = "plain"

_KINDS: tuple[str, ...] = get_args(TaintKind)


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every chat of a file: a line of role `chat` begins one; without any, the file is one."""
    with source.begin() as file:
        stem = PurePosixPath(source.name).stem
        begins = lambda line: line.get("role") == "chat"  # noqa: E731
        for number, session in enumerate(sessions(objects(file, aside), begins)):
            first = next(session)
            about = first if begins(first) else {}
            yield BroughtChat(
                id=text(about.get("id")) or (f"{stem}#{number + 1}" if number else stem),
                title=text(about.get("title")),
                started=moment(first.get("at")),
                host=text(about.get("host")),
                folder=text(about.get("folder")),
                events=_events(first, session, text(about.get("engine")), aside),
                source=NAME,
                engine=text(about.get("engine")),
            )


def _events(
    first: dict[str, Any], rest: Iterator[dict[str, Any]], engine: str, aside: Aside
) -> Iterator[Event]:
    telling = Telling(NAME, engine)
    _take(telling, first, 0, aside)
    for number, line in enumerate(rest, start=1):
        _take(telling, line, number, aside)
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _take(telling: Telling, line: dict[str, Any], number: int, aside: Aside) -> None:
    role, at = line.get("role"), moment(line.get("at"))
    words = joined(line.get("text"))
    if role in ("person", "user"):
        telling.person(words, at, who=text(line.get("who")))
    elif role == "assistant":
        telling.assistant(words, at, text(line.get("model")))
    elif role == "step":
        _step(telling, line, number)
    elif role == "read":
        kind, label = line.get("kind"), text(line.get("label"))
        if kind in _KINDS and label:
            telling.outside(Taint(kind, label), at)
        else:
            aside.add("a line that says what was read, without kind or label")
    elif role == "stop":
        telling.stopped(at)
    elif role == "error":
        telling.failed(words, at)
    elif role != "chat":
        aside.add("a line of no known kind")


def _step(telling: Telling, line: dict[str, Any], number: int) -> None:
    """A step is one line: what was called, and, once it has ended, `ok` and its output."""
    at = moment(line.get("at"))
    given = line.get("input")
    call = text(line.get("call")) or f"step-{number}"
    tool = text(line.get("tool"))
    telling.started(call, tool, arguments(given), at)
    exit = whole_number(line.get("exit"))
    ok = line.get("ok")
    if not isinstance(ok, bool) and exit is not None:
        ok = exit == 0
    if isinstance(ok, bool):
        ended = moment(line.get("ended")) or at
        output = joined(line.get("output"))
        telling.finished(call, ok, output, ended, exit=exit, ran=exit != 127)
