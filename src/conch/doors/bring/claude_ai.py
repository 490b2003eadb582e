"""Claude's export: `conversations.json`, an array of conversations with their messages in time.

Newer exports name each message's parent; then only the branch that ends in the last message is
read. What was pasted or attached is a document, not the person's words.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.items import items
from conch.doors.bring.outside import app_name
from conch.doors.bring.shapes import joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling
from conch.doors.bring.trees import branch
from conch.guard.taints import Taint

NAME = "claude"
ENGINE = "anthropic"

_UNSUPPORTED = "This block is not supported on your current device yet."


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every conversation of an export."""
    with source.begin() as file:
        for item in items(file, aside, ("conversations",)):
            chat = conversation(item, aside)
            if chat is not None:
                yield chat


def conversation(item: object, aside: Aside) -> BroughtChat | None:
    """One conversation of an export, None (and set aside) when it is none."""
    raw = mapping(item)
    messages = raw.get("chat_messages")
    name = text(raw.get("uuid")) or text(raw.get("conversation_id"))
    if not isinstance(messages, list) or not name:
        aside.add("a conversation without messages")
        return None
    return BroughtChat(
        id=name,
        title=text(raw.get("name")) or text(raw.get("title")),
        started=moment(raw.get("created_at")),
        host="",
        folder="",
        events=_events(raw, messages, aside),
        source=NAME,
        engine=ENGINE,
    )


def _events(raw: dict[str, Any], messages: list[Any], aside: Aside) -> Iterator[Event]:
    telling = Telling(NAME, ENGINE)
    known: list[dict[str, Any]] = []
    for message in messages:
        if mapping(message).get("sender") in ("human", "assistant"):
            known.append(message)
        else:
            aside.add("a message with no sender")
    for number, message in enumerate(_shown(raw, known)):
        at = moment(message.get("created_at"))
        if message["sender"] == "human":
            _human(telling, message, at)
        else:
            _assistant(telling, message, at, text(message.get("uuid")) or str(number), aside)
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _shown(raw: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages of the branch that is shown; all, in time, where no message names a parent."""
    by_id = {name: one for one in messages if (name := text(one.get("uuid")))}
    if not messages or not any(_parent(one) in by_id for one in messages):
        return messages
    last = text(raw.get("current_leaf_message_uuid"))
    last = last if last in by_id else text(messages[-1].get("uuid"))
    return branch(_parent, by_id, last)


def _parent(message: dict[str, Any]) -> str:
    return text(message.get("parent_message_uuid"))


def _human(telling: Telling, message: dict[str, Any], at: datetime | None) -> None:
    blocks = list(map(mapping, listed(message.get("content"))))
    words = joined([one for one in blocks if one.get("type") == "text"])
    telling.person(words or text(message.get("text")), at)
    for attached in map(mapping, listed(message.get("attachments"))):
        if text(attached.get("extracted_content")).strip():
            name = text(attached.get("file_name")) or "a pasted text"
            telling.outside(Taint("download", name), at)


def _assistant(
    telling: Telling, message: dict[str, Any], at: datetime | None, name: str, aside: Aside
) -> None:
    blocks = [mapping(one) for one in listed(message.get("content"))]
    if not blocks:
        telling.assistant(_without_gaps(text(message.get("text"))), at)
    open_calls: list[tuple[str, str]] = []
    for number, block in enumerate(blocks):
        kind = block.get("type")
        if kind == "text":
            telling.assistant(text(block.get("text")), at)
        elif kind == "tool_use":
            call = text(block.get("id")) or f"{name}-{number}"
            tool = _tool(block)
            open_calls.append((call, text(block.get("name"))))
            telling.started(call, tool, mapping(block.get("input")), at)
        elif kind == "tool_result":
            call = _call_of(block, open_calls)
            ok = block.get("is_error") is not True
            if not telling.finished(call, ok, joined(block.get("content")), at):
                aside.add("a tool's result without its call")


def _tool(block: dict[str, Any]) -> str:
    """A tool's name; one of a connected app is named with its app."""
    name = text(block.get("name")) or "tool"
    app = text(block.get("integration_name"))
    return f"mcp__{app_name(app)}__{name}" if app and "__" not in name else name


def _call_of(block: dict[str, Any], open_calls: list[tuple[str, str]]) -> str:
    """The call a result answers: by its id, else the first open one of the same tool."""
    name, wanted = text(block.get("name")), text(block.get("tool_use_id"))
    for place, (call, tool) in enumerate(open_calls):
        if call == wanted or (not wanted and (not name or tool == name)):
            del open_calls[place]
            return call
    return ""


def _without_gaps(words: str) -> str:
    """A message's text without the marks that stand for what it could not show."""
    return words.replace(f"```\n{_UNSUPPORTED}\n```", "").strip()
