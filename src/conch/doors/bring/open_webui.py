"""Open WebUI's chats: an export (array), one chat, or the `chat` column of its database.

`history.messages` is a tree and `history.currentId` the end of what is shown. Thoughts and tool
calls stand in the answer as `<details>` elements; newer builds also give them as `output`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.items import items
from conch.doors.bring.outside import WEB_SEARCH, host_of
from conch.doors.bring.shapes import arguments, joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling
from conch.doors.bring.trees import branch, newest_leaf
from conch.guard.taints import Taint

NAME = "open-webui"

_DETAILS = re.compile(r"<details\b([^>]*)>(.*?)</details>\s*", re.S)
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_KINDS = frozenset({"reasoning", "tool_calls", "code_interpreter"})
_QUOTES = re.compile("'+")


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every chat of an export, or the one chat of a file."""
    with source.begin() as file:
        for item in items(file, aside):
            chat = conversation(item, aside, source)
            if chat is not None:
                yield chat


def conversation(item: object, aside: Aside, source: Source) -> BroughtChat | None:
    """One chat of an export, None (and set aside) when it is none."""
    raw = mapping(item)
    is_column = "history" in raw and "chat" not in raw
    chat = raw if is_column else mapping(raw.get("chat"))
    messages = _messages(chat, aside)
    if messages is None:
        aside.add("a conversation without messages")
        return None
    name = text(raw.get("id")) or text(chat.get("id")) or text(_first(messages).get("id"))
    title = text(raw.get("title")) or text(chat.get("title"))
    if is_column and _is_escaped([title, *(joined(one.get("content")) for one in messages)]):
        # A column copied out of SQL has every quote twice.
        messages = [_unescaped(message) for message in messages]
        title = title.replace("''", "'")
    return BroughtChat(
        id=name or source.file_name,
        title=title,
        started=moment(raw.get("created_at"))
        or moment(_first(messages).get("timestamp"))
        or moment(chat.get("timestamp")),
        host="",
        folder="",
        events=_events(messages, aside),
        source=NAME,
    )


def _messages(chat: dict[str, Any], aside: Aside) -> list[dict[str, Any]] | None:
    history = mapping(chat.get("history"))
    held = history.get("messages")
    if not isinstance(held, dict):
        flat = chat.get("messages")
        return [one for one in flat if isinstance(one, dict)] if isinstance(flat, list) else None
    by_id: dict[str, dict[str, Any]] = {}
    for name, message in held.items():
        if isinstance(message, dict):
            by_id[name] = message
        else:
            aside.add("a message without content")
    current = text(history.get("currentId"))
    if current not in by_id:
        known = [{**message, "id": name} for name, message in by_id.items()]
        current = newest_leaf(known, "id", _parent)
    return branch(_parent, by_id, current)


def _parent(message: dict[str, Any]) -> str:
    return text(message.get("parentId"))


def _first(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return messages[0] if messages else {}


def _is_escaped(texts: list[str]) -> bool:
    runs = [run for one in texts for run in _QUOTES.findall(one)]
    return bool(runs) and all(len(run) % 2 == 0 for run in runs)


def _unescaped(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return (
        {**message, "content": content.replace("''", "'")} if isinstance(content, str) else message
    )


def _events(messages: list[dict[str, Any]], aside: Aside) -> Iterator[Event]:
    telling = Telling(NAME)
    for number, message in enumerate(messages):
        at = moment(message.get("timestamp"))
        role = message.get("role")
        if role == "user":
            telling.person(joined(message.get("content")), at)
            for file in map(mapping, listed(message.get("files"))):
                if file.get("type") not in ("image", None) and text(file.get("name")):
                    telling.outside(Taint("download", text(file.get("name"))), at)
        elif role == "assistant":
            _assistant(telling, message, at, text(message.get("id")) or str(number), aside)
        elif role not in ("system", "developer", "tool"):
            aside.add("a message with no sender")
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _assistant(
    telling: Telling, message: dict[str, Any], at: datetime | None, name: str, aside: Aside
) -> None:
    model = text(message.get("model"))
    output = [mapping(one) for one in listed(message.get("output"))]
    if any(one.get("type") == "message" for one in output):
        _output(telling, output, at, model, aside)
    else:
        _content(telling, joined(message.get("content")), at, model, name)
    for taint in _sources(message):
        telling.outside(taint, at)
    error = message.get("error")
    if error:
        telling.failed(joined(error) or "The answer failed.", at)


def _output(
    telling: Telling, output: list[dict[str, Any]], at: datetime | None, model: str, aside: Aside
) -> None:
    for one in output:
        kind = one.get("type")
        if kind == "message":
            telling.assistant(joined(one.get("content")), at, model)
        elif kind == "function_call":
            call = text(one.get("call_id")) or text(one.get("id"))
            telling.started(call, text(one.get("name")), arguments(one.get("arguments")), at)
        elif kind == "function_call_output":
            ok = one.get("status") not in ("failed", "incomplete")
            if not telling.finished(text(one.get("call_id")), ok, joined(one.get("output")), at):
                aside.add("a tool's result without its call")


def _content(telling: Telling, content: str, at: datetime | None, model: str, name: str) -> None:
    """An answer with its tool calls standing in it, in their order."""
    said_to = 0
    for number, found in enumerate(_DETAILS.finditer(content)):
        given = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(found[1])}
        if given.get("type") not in _KINDS:
            continue
        telling.assistant(content[said_to : found.start()], at, model)
        said_to = found.end()
        if given["type"] == "reasoning":
            continue
        call = given.get("id") or f"{name}-{number}"
        if given["type"] == "tool_calls":
            asked = arguments(given.get("arguments"))
            telling.started(call, given.get("name", "tool"), asked, at)
            result = given.get("result")
        else:
            telling.started(call, "code_interpreter", {"code": html.unescape(found[2])}, at)
            result = given.get("output")
        if result is not None and given.get("done") != "false":
            telling.finished(call, True, result, at)
    telling.assistant(content[said_to:], at, model)


def _sources(message: dict[str, Any]) -> list[Taint]:
    """The pages and documents an answer was given to read."""
    found: list[Taint] = []
    for source in map(mapping, listed(message.get("sources") or message.get("citations"))):
        named = [text(mapping(one).get("source")) for one in listed(source.get("metadata"))]
        about = mapping(source.get("source"))
        for one in named or [text(about.get("url")) or text(about.get("name"))]:
            if one.startswith(("http://", "https://")):
                found.append(Taint("web", host_of(one) or WEB_SEARCH))
            elif one:
                found.append(Taint("download", text(about.get("name")) or one))
    for status in map(mapping, listed(message.get("statusHistory"))):
        if status.get("action") in ("web_search", "web_search_queries_generated") and not found:
            found.append(Taint("web", WEB_SEARCH))
    return list(dict.fromkeys(found))
