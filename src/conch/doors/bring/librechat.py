"""LibreChat's exports, and Chatbot UI's, which LibreChat also takes.

Messages are nested (`recursive`) or a flat list; each names the one before. The branch a reader
shows first is read: the last root, then the last answer each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.items import items
from conch.doors.bring.shapes import arguments, joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling
from conch.doors.bring.trees import branch, newest_leaf
from conch.guard.taints import Taint

NAME = "librechat"
CHATBOT_UI = "chatbot-ui"

_ENGINES = {
    "openAI": "openai",
    "azureOpenAI": "openai",
    "chatGPTBrowser": "openai",
    "assistants": "openai",
    "anthropic": "anthropic",
    "google": "google",
}
_MCP = "_mcp_"


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The conversation of a file, or each of several."""
    with source.begin() as file:
        for item in items(file, aside):
            chat = conversation(item, aside)
            if chat is not None:
                yield chat


def read_chatbot_ui(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """Every conversation of `{"version", "history": […], "folders", "prompts"}`."""
    with source.begin() as file:
        for item in items(file, aside, ("history",)):
            raw = mapping(item)
            messages = raw.get("messages")
            if not isinstance(messages, list):
                if not {"version", "folders", "prompts"} & set(raw):
                    aside.add("a conversation without messages")
                continue
            yield BroughtChat(
                id=text(raw.get("id")) or text(raw.get("name")),
                title=text(raw.get("name")),
                started=None,
                host="",
                folder="",
                events=_plain_events(messages, aside),
                source=CHATBOT_UI,
            )


def conversation(item: object, aside: Aside) -> BroughtChat | None:
    """One conversation, None (and set aside) when it is none."""
    raw = mapping(item)
    nested = raw.get("messages")
    name = text(raw.get("conversationId"))
    if not isinstance(nested, list) or not name:
        aside.add("a conversation without messages")
        return None
    messages = _flat(nested)
    by_id = {text(one.get("messageId")): one for one in messages if text(one.get("messageId"))}
    if any(_parent(one) in by_id for one in messages):
        shown = branch(_parent, by_id, newest_leaf(messages, "messageId", _parent))
    else:
        shown = messages
    times = (moment(one.get("createdAt")) for one in shown)
    engine = _ENGINES.get(text(raw.get("endpoint")), "")
    return BroughtChat(
        id=name,
        title=text(raw.get("title")),
        started=next((time for time in times if time), None),
        host="",
        folder="",
        events=_events(shown, aside, engine),
        source=NAME,
        engine=engine,
    )


def _flat(nested: list[Any]) -> list[dict[str, Any]]:
    """Nested messages as a list; a child names its parent even where it does not say so."""
    flat: list[dict[str, Any]] = []
    waiting = [(one, "") for one in reversed(nested)]
    while waiting:
        message, parent = waiting.pop()
        if not isinstance(message, dict):
            continue
        children = listed(message.get("children"))
        kept = {key: value for key, value in message.items() if key != "children"}
        if parent and not _parent(kept):
            kept["parentMessageId"] = parent
        flat.append(kept)
        name = text(kept.get("messageId"))
        waiting += [(child, name) for child in reversed(children)]
    return flat


def _parent(message: dict[str, Any]) -> str:
    return text(message.get("parentMessageId"))


def _events(messages: list[dict[str, Any]], aside: Aside, engine: str) -> Iterator[Event]:
    telling = Telling(NAME, engine)
    for number, message in enumerate(messages):
        at = moment(message.get("createdAt"))
        mine = message.get("isCreatedByUser")
        if not isinstance(mine, bool):
            sender = text(message.get("sender")).casefold()
            mine = True if sender == "user" else False if sender else None
        if mine is None:
            aside.add("a message with no sender")
        elif mine:
            telling.person(_words(message), at)
            for file in map(mapping, listed(message.get("files"))):
                name = text(file.get("filename"))
                if name and not text(file.get("type")).startswith("image/"):
                    telling.outside(Taint("download", name), at)
        else:
            _assistant(telling, message, at, text(message.get("messageId")) or str(number))
        yield from telling.take()
    telling.end()
    yield from telling.take()


def _words(message: dict[str, Any]) -> str:
    blocks = list(map(mapping, listed(message.get("content"))))
    said = [_text(one) for one in blocks if one.get("type") == "text"]
    return text(message.get("text")) or "\n".join(filter(None, said))


def _text(block: dict[str, Any]) -> str:
    """A block's words: `text` is text, or an object with `value`."""
    return text(block.get("text")) or text(mapping(block.get("text")).get("value"))


def _assistant(telling: Telling, message: dict[str, Any], at: datetime | None, name: str) -> None:
    model = text(message.get("model"))
    if message.get("error") is True:
        telling.failed(_words(message), at)
        return
    blocks = list(map(mapping, listed(message.get("content"))))
    if not blocks:
        telling.assistant(text(message.get("text")), at, model)
    for number, block in enumerate(blocks):
        if block.get("type") == "text":
            telling.assistant(_text(block), at, model)
        elif block.get("type") == "tool_call":
            _step(telling, mapping(block.get("tool_call")), at, f"{name}-{number}")
        elif block.get("type") == "error":
            telling.failed(_text(block) or text(block.get("error")), at)
    if message.get("unfinished") is True:
        telling.stopped(at)


def _step(telling: Telling, raw: dict[str, Any], at: datetime | None, otherwise: str) -> None:
    inner = mapping(raw.get("function")) or raw
    call, tool = text(raw.get("id")) or otherwise, text(inner.get("name")) or "tool"
    if _MCP in tool:
        tool, _, server = tool.partition(_MCP)
        tool = f"mcp__{server}__{tool}"
    asked = arguments(inner.get("args", inner.get("arguments")))
    telling.started(call, tool, asked, at)
    output = inner.get("output")
    if isinstance(output, str | list):
        said = joined(output)
        telling.finished(call, not said.lstrip().startswith(("Error", "error:")), said, at)


def _plain_events(messages: list[Any], aside: Aside) -> Iterator[Event]:
    telling = Telling(CHATBOT_UI)
    for message in map(mapping, messages):
        role = message.get("role")
        if role == "user":
            telling.person(joined(message.get("content")), None)
        elif role == "assistant":
            telling.assistant(joined(message.get("content")), None)
        elif role != "system":
            aside.add("a message with no sender")
        yield from telling.take()
    telling.end()
    yield from telling.take()
