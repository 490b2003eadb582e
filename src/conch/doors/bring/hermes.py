"""Hermes Agent's sessions: `~/.hermes/sessions/<time>_<id>.jsonl`, and `session_<id>.json`.

Messages as OpenAI's. A session's lines may begin with a line of role `session_meta`; a file
without one is read as one session. Times without a zone count as UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.injected import is_command_line, own_words
from conch.doors.bring.items import items
from conch.doors.bring.lines import objects, sessions
from conch.doors.bring.shapes import (
    arguments,
    joined,
    listed,
    mapping,
    moment,
    parsed,
    text,
    whole_number,
)
from conch.doors.bring.telling import Telling

NAME = "hermes"

_SKILL = re.compile(
    r"^\[(?:SYSTEM|IMPORTANT): The user has invoked the .*?"
    r"The user has provided the following instruction alongside the skill invocation:\s*(.*)\Z",
    re.S,
)
_SENDER = re.compile(r"^\[([^\[\]\n:|/\\<>]{1,60})\]\s+(?=\S)")
_SHOUTED = re.compile(r"[A-Z0-9 _-]+$")
_ALONE = frozenset({"cli", "linux", "darwin", "windows", "macos", "terminal", "tui", "win32"})
_FAILED_ENDS = frozenset({"error", "content_filter"})


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every session of a file of lines."""
    with source.begin() as file:
        lines = objects(file, aside)
        begins = lambda line: line.get("role") == "session_meta"  # noqa: E731
        for number, session in enumerate(sessions(lines, begins)):
            first = next(session)
            is_meta = begins(first)
            stem = PurePosixPath(source.name).stem
            yield _chat(
                text(first.get("session_id")) or (f"{stem}#{number + 1}" if number else stem),
                first if is_meta else {},
                moment(first.get("timestamp")),
                session if is_meta else _after(first, session),
                aside,
            )


def read_snapshot(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The one session of a snapshot."""
    with source.begin() as file:
        for item in items(file, aside):
            raw = mapping(item)
            if not isinstance(raw.get("messages"), list):
                aside.add("a conversation without messages")
                continue
            stem = PurePosixPath(source.name).stem.removeprefix("session_")
            yield _chat(
                text(raw.get("session_id")) or stem,
                raw,
                moment(raw.get("session_start")),
                raw["messages"],
                aside,
            )


def _after(first: dict[str, Any], rest: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield first
    yield from rest


def _chat(
    name: str,
    about: dict[str, Any],
    started: datetime | None,
    messages: Iterable[Any],
    aside: Aside,
) -> BroughtChat:
    return BroughtChat(
        id=name,
        title=text(about.get("title")),
        started=started,
        host=text(about.get("hostname")),
        folder=text(about.get("cwd")),
        events=_events(messages, about, aside),
        source=NAME,
    )


def _events(messages: Iterable[Any], about: dict[str, Any], aside: Aside) -> Iterator[Event]:
    telling = Telling(NAME)
    model = text(about.get("model"))
    platform = text(about.get("platform")).casefold()
    for message in messages:
        if not isinstance(message, dict):
            aside.add("a message without content")
            continue
        role, at = message.get("role"), moment(message.get("timestamp"))
        if role == "user":
            _person(telling, joined(message.get("content")), at, platform)
        elif role == "assistant":
            _assistant(telling, message, at, model)
        elif role == "tool":
            _result(telling, message, at, aside)
        elif role not in ("system", "developer", "session_meta"):
            aside.add("a message with no sender")
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _person(telling: Telling, words: str, at: datetime | None, platform: str) -> None:
    skill = _SKILL.match(words)
    words = own_words(skill[1] if skill else words)
    sender = None if platform in _ALONE else _SENDER.match(words)
    who = sender[1].strip() if sender and not _is_no_name(sender[1]) else ""
    if who and sender:
        words = words[sender.end() :]
    if words and not is_command_line(words):
        telling.person(words, at, who=who)


def _is_no_name(inside: str) -> bool:
    """Whether what stands in brackets before a message is a mark ("[TODO]"), not a name."""
    return bool(
        _SHOUTED.match(inside)
        or re.match(r"\d|x$|image|file|photo|voice|audio|video", inside, re.I)
    )


def _assistant(telling: Telling, message: dict[str, Any], at: datetime | None, model: str) -> None:
    words = joined(message.get("content"))
    if not own_words(words):
        words = ""  # A compaction's summary may be kept as the assistant's.
    telling.assistant(words, at, model)
    for call in map(mapping, listed(message.get("tool_calls"))):
        inner = mapping(call.get("function")) or call
        given = inner.get("arguments", inner.get("input"))
        telling.started(
            text(call.get("id")) or text(call.get("call_id")),
            text(inner.get("name")) or text(call.get("name")),
            arguments(given),
            at,
        )
    if text(message.get("finish_reason")) in _FAILED_ENDS:
        telling.failed(text(message.get("error")) or words, at)
    elif message.get("finish_reason") in ("interrupted", "cancelled", "canceled"):
        telling.stopped(at)


def _result(telling: Telling, message: dict[str, Any], at: datetime | None, aside: Aside) -> None:
    whole = joined(message.get("content"))
    value = mapping(parsed(whole))
    exit = whole_number(value.get("exit_code"))
    failed = bool(value.get("error")) or value.get("success") is False or exit not in (None, 0)
    output = "\n".join(filter(None, (text(value.get("output")), text(value.get("error")))))
    call = text(message.get("tool_call_id"))
    ended = telling.finished(call, not failed, output or whole, at, exit=exit, ran=exit != 127)
    if not ended:
        aside.add("a tool's result without its call")
