"""OpenClaw's sessions (and Pi's, whose form they have): `…/sessions/<id>.jsonl`.

A file begins with a line of type `session`; several may stand one after the other. What the
gateway writes around a message (who sent it, when) is taken off. When an answer failed and the
program sent the same message to another model by itself, it is one message.
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
from conch.doors.bring.lines import objects, sessions
from conch.doors.bring.shapes import joined, listed, mapping, moment, parsed, text, whole_number
from conch.doors.bring.telling import Telling
from conch.home.json_values import read_json

NAME = "openclaw"

_ENGINES = {
    "openai": "openai",
    "openai-codex": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "ollama": "ollama",
}
_BLOCK = re.compile(
    r"\s*([^\n]{1,80}) \((?:untrusted metadata|untrusted, for context|untrusted)\):\s*\n"
    r"```(?:json)?\n(.*?)\n```\s*",
    re.S,
)
_WHEN = re.compile(r"\s*\[(?:\w{3,9} )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]*\]\s*")
_ENVELOPE = re.compile(
    r"\s*\[(?:WhatsApp|Telegram|Discord|Slack|Signal|iMessage|WebChat|Matrix|Teams|LINE)\b[^\]\n]*\]\s*"
)
_MEDIA = re.compile(r"^\[(?:media attached|message_id|Image)[^\]\n]*\]\s*$\n?", re.M)
_REPLY_MARK = re.compile(r"\[\[(?:reply_to[^\]]*|audio_as_voice)\]\]\s*")
_NOT_THEIRS = (
    "Read HEARTBEAT.md",
    "[cron:",
    "System: [",
    "[Subagent Context]",
    "[Inter-session message]",
    "A new session was started via",
    "Pre-compaction memory flush",
)
_NO_MODEL = frozenset({"gateway-injected", "delivery-mirror"})
_EXIT = re.compile(r"(?:Command|Process) exited with code (\d{1,9})\s*\Z")


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every session of a file."""
    with source.begin() as file:
        begins = lambda line: line.get("type") == "session"  # noqa: E731
        for session in sessions(objects(file, aside), begins):
            first = next(session)
            about = first if begins(first) else {}
            provider = text(about.get("provider"))
            yield BroughtChat(
                id=text(about.get("id")) or PurePosixPath(source.name).stem,
                title="",
                started=moment(first.get("timestamp")),
                host="",
                folder=text(about.get("cwd")),
                events=_Session(aside).events(first, session),
                source=NAME,
                engine=_ENGINES.get(provider, ""),
            )


class _Session:
    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._telling = Telling(NAME)
        self._last = ""
        self._proposed: dict[str, tuple[str, dict[str, Any]]] = {}

    def events(self, first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> Iterator[Event]:
        self._take(first)
        yield from self._telling.take()
        for line in rest:
            self._take(line)
            yield from self._telling.take()
        self._telling.end()
        yield from self._telling.take()

    def _take(self, line: dict[str, Any]) -> None:
        kind = line.get("type")
        if not isinstance(kind, str):
            self._aside.add("a line of no known kind")
            return
        if kind != "message":
            return
        message = line.get("message")
        if not isinstance(message, dict):
            self._aside.add("a message without content")
            return
        at = moment(line.get("timestamp")) or moment(message.get("timestamp"))
        role = message.get("role")
        if role == "user":
            self._person(joined(message.get("content")), at)
        elif role == "assistant":
            self._assistant(message, at)
        elif role == "toolResult":
            self._result(message, at)
        elif role == "bashExecution":
            pass  # A command the person ran themselves ("!ls").
        elif not isinstance(role, str):
            self._aside.add("a message with no sender")

    def _person(self, whole: str, at: datetime | None) -> None:
        words, who, door = _unwrapped(whole)
        if words.startswith(_NOT_THEIRS):
            return
        words = own_words(words)
        if not words or is_command_line(words):
            return
        if whole == self._last and whole != words and self._telling.failing:
            self._telling.carry_on()
            return
        self._last = whole
        self._telling.person(words, at, who=who, door=door)

    def _assistant(self, message: dict[str, Any], at: datetime | None) -> None:
        model, provider = text(message.get("model")), text(message.get("provider"))
        words = _REPLY_MARK.sub("", joined_text(message.get("content")))
        if model in _NO_MODEL:
            if words.lstrip().startswith("⚠"):
                self._telling.failed(words, at)
            return
        self._telling.assistant(words, at, model, _ENGINES.get(provider, ""))
        ended = message.get("stopReason")
        for block in map(mapping, listed(message.get("content"))):
            if block.get("type") not in ("toolCall", "tool_use", "toolUse"):
                continue
            call, tool = text(block.get("id")), text(block.get("name"))
            given = mapping(block.get("arguments")) or mapping(block.get("input"))
            if ended in ("error", "aborted"):
                self._proposed[call] = (tool, given)  # Cut off: it ran only if it has a result.
            else:
                self._telling.started(call, tool, given, at)
        if ended == "aborted":
            self._telling.stopped(at)
        elif ended == "error":
            self._telling.failed(text(message.get("errorMessage")), at)

    def _result(self, message: dict[str, Any], at: datetime | None) -> None:
        call = text(message.get("toolCallId"))
        if call in self._proposed:
            self._telling.started(call, *self._proposed.pop(call), at)
        output = joined_text(message.get("content"))
        details = mapping(message.get("details"))
        shown = mapping(parsed(output))
        exit = whole_number(details.get("exitCode"))
        if exit is None and message.get("isError") is True:
            found = _EXIT.search(output)
            exit = int(found[1]) if found else None
        failed = (
            message.get("isError") is True
            or "error" in (details.get("status"), shown.get("status"))
            or exit not in (None, 0)
        )
        if not self._telling.finished(call, not failed, output, at, exit=exit, ran=exit != 127):
            self._aside.add("a tool's result without its call")


def joined_text(content: object) -> str:
    """The words of content without what was thought."""
    if isinstance(content, list):
        content = [one for one in content if mapping(one).get("type") != "thinking"]
    return joined(content)


def _unwrapped(words: str) -> tuple[str, str, str]:
    """A message without what the gateway put around it, who else wrote it, and by which door."""
    sender, group = "", False
    while block := _BLOCK.match(words):
        try:
            about = mapping(read_json(block[2]))
        except ValueError:
            about = {}
        if block[1].strip().casefold() == "sender":
            sender = text(about.get("name")) or text(about.get("label"))
        group = group or bool(
            about.get("is_group_chat") or about.get("group_subject") or about.get("group_channel")
        )
        words = words[block.end() :]
    words = _MEDIA.sub("", words)
    wrapped = _WHEN.match(words) or _ENVELOPE.match(words)
    if wrapped:
        words = words[wrapped.end() :]
    return words.strip(), sender if group else "", "" if group else sender
