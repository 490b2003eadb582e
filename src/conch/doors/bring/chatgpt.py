"""ChatGPT's export: `conversations.json` (or its parts), an array of conversations, each a tree.

The current branch is read, from `current_node` up. What is hidden, weighs nothing or is another's
(custom instructions, saved memories, the model's thoughts) is nobody's words here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.items import items
from conch.doors.bring.outside import WEB_SEARCH, app_name, host_of, read_from_outside
from conch.doors.bring.shapes import joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling
from conch.guard.taints import Taint

NAME = "chatgpt"
ENGINE = "openai"

_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue206]|【\\d+(?:[†:][^】]*)?】")
_NOT_SAID = frozenset(
    [
        "user_editable_context",
        "model_editable_context",
        "thoughts",
        "reasoning_recap",
        "system_error",
        "tether_browsing_code",
        "sonic_webpage",
    ]
)
_OUTSIDE_NOTHING = frozenset(
    [
        "python",
        "bio",
        "dalle",
        "canmore",
        "image_gen",
        "t2uay3k",
        "guardian_tool",
        "a8km123",
        "summary_reader",
        "container",
        "automations",
        "user_info",
        "kaur1br5",
    ]
)
_ERROR = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|\w*(?:Error|Exception)\b[:\s]|Error\b)|"
    r"^(?:\w+\.)*\w+(?:Error|Exception): ",
    re.M,
)


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
    nodes = mapping(raw.get("mapping"))
    name = text(raw.get("conversation_id")) or text(raw.get("id"))
    if not nodes:
        aside.add("a conversation without messages")
        return None
    path = _current(nodes, text(raw.get("current_node")))
    return BroughtChat(
        id=name or _first_id(nodes),
        title=text(raw.get("title")),
        started=moment(raw.get("create_time")),
        host="",
        folder="",
        events=_Conversation(aside).events(path),
        source=NAME,
        engine=ENGINE,
    )


def _first_id(nodes: dict[str, Any]) -> str:
    return min(nodes, default="")


def _current(nodes: dict[str, Any], current: str) -> list[dict[str, Any]]:
    """The messages from the root to the node that is shown, oldest first."""
    if current not in nodes:
        current = _latest_leaf(nodes)
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while current in nodes and current not in seen:
        seen.add(current)
        node = mapping(nodes[current])
        message = node.get("message")
        if message is not None:
            path.append(mapping(message))
        current = text(node.get("parent"))
    return path[::-1]


def _latest_leaf(nodes: dict[str, Any]) -> str:
    """Where `current_node` is missing: the last message that nothing follows."""
    leaves = [
        (_when(node), place, name)
        for place, (name, node) in enumerate(nodes.items())
        if not any(one in nodes for one in map(text, listed(mapping(node).get("children"))))
    ]
    return max(leaves, default=(0.0, 0, ""))[2]


def _when(node: object) -> float:
    at = moment(mapping(mapping(node).get("message")).get("create_time"))
    return at.timestamp() if at else 0.0


class _Conversation:
    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._telling = Telling(NAME, ENGINE)
        self._call = ""
        self._tool = ""
        self._searched = False

    def events(self, path: list[dict[str, Any]]) -> Iterator[Event]:
        for message in path:
            self._take(message)
            yield from self._telling.take()
        self._telling.end()
        yield from self._telling.take()

    def _take(self, message: dict[str, Any]) -> None:
        role = text(mapping(message.get("author")).get("role"))
        content = mapping(message.get("content"))
        at = moment(message.get("create_time"))
        if role == "user":
            self._user(message, content, at)
        elif role == "assistant":
            self._assistant(message, content, at)
        elif role == "tool":
            self._result(message, content, at)
        elif role not in ("system", "developer"):
            self._aside.add("a message with no sender")

    def _user(self, message: dict[str, Any], content: dict[str, Any], at: datetime | None) -> None:
        details = mapping(message.get("metadata"))
        if text(content.get("content_type")) in _NOT_SAID or message.get("weight") == 0:
            return
        if details.get("is_visually_hidden_from_conversation") is True:
            return
        if details.get("is_user_system_message") is True:
            return
        self._telling.person(_parts(content), at)

    def _assistant(
        self, message: dict[str, Any], content: dict[str, Any], at: datetime | None
    ) -> None:
        details = mapping(message.get("metadata"))
        kind = text(content.get("content_type"))
        recipient = text(message.get("recipient")) or "all"
        model = text(details.get("model_slug"))
        if kind == "system_error":
            self._telling.failed(joined(content) or text(content.get("name")), at)
        elif recipient != "all":
            self._call, self._tool = text(message.get("id")) or f"{recipient}-{at}", recipient
            self._telling.started(self._call, recipient, _asked(recipient, content), at)
        elif kind not in _NOT_SAID and not details.get("is_visually_hidden_from_conversation"):
            self._telling.assistant(_CITATION.sub("", _parts(content)).strip(), at, model)
            self._cited(details, at)
        ended = mapping(details.get("finish_details")).get("type")
        if ended == "interrupted" or message.get("status") == "finished_partial_completion":
            self._telling.stopped(at)

    def _result(
        self, message: dict[str, Any], content: dict[str, Any], at: datetime | None
    ) -> None:
        name = text(mapping(message.get("author")).get("name"))
        output = _output(content)
        read = _read_by(name, content, mapping(message.get("metadata")))
        self._searched = self._searched or bool(read)
        if self._telling.is_pending(self._call) and _same_tool(self._tool, name):
            ok = not _failed(content, mapping(message.get("metadata")), output)
            self._telling.finished(self._call, ok, output, at, read=read)
            return
        # A further result of the same call, or one of a tool whose call is not shown.
        for taint in read:
            self._telling.outside(taint, at)

    def _cited(self, details: dict[str, Any], at: datetime | None) -> None:
        """An answer that cites pages read them, also where the search itself is not in the file."""
        if self._searched:
            return
        references = listed(details.get("content_references")) + listed(details.get("citations"))
        cites = any(
            mapping(one).get("url")
            or mapping(mapping(one).get("metadata")).get("url")
            or listed(mapping(one).get("items"))
            or listed(mapping(one).get("safe_urls"))
            for one in references
        )
        if cites or listed(details.get("search_result_groups")):
            self._searched = True
            self._telling.outside(Taint("web", WEB_SEARCH), at)


def _same_tool(called: str, answers: str) -> bool:
    return not answers or called.split(".")[0] == answers.split(".")[0]


def _asked(tool: str, content: dict[str, Any]) -> dict[str, Any]:
    """What a tool was called with: code, a query, or JSON arguments."""
    words = text(content.get("text")) or _parts(content)
    if tool.split(".")[0] in ("python", "container"):
        return {"code": words}
    query = re.fullmatch(r"\s*search\(\s*[\"'](.*?)[\"'].*\)\s*", words, re.S)
    if query:
        return {"query": query[1], "text": words}
    return {"text": words} if words else {}


def _output(content: dict[str, Any]) -> str:
    return (
        text(content.get("text"))
        or text(content.get("result"))
        or _parts(content)
        or joined(content)
    )


def _failed(content: dict[str, Any], details: dict[str, Any], output: str) -> bool:
    if content.get("content_type") == "system_error" or details.get("status") == "failed":
        return True
    status = text(mapping(details.get("aggregate_result")).get("status"))
    if status:
        return status not in ("success", "running") and "fail" in status
    return content.get("content_type") == "execution_output" and bool(_ERROR.search(output))


def _read_by(tool: str, content: dict[str, Any], details: dict[str, Any]) -> list[Taint]:
    """What a tool's answer shows it took in."""
    root = tool.split(".")[0]
    kind = content.get("content_type")
    if kind == "tether_quote":
        url = text(content.get("url"))
        host = host_of(url) if "://" in url else ""
        name = host or text(content.get("title")) or text(content.get("domain")) or url
        return [Taint("web" if host else "download", name or "a file")]
    if kind == "tether_browsing_display" or root in ("web", "browser"):
        failed = kind == "system_error"
        return [] if failed else [Taint("web", WEB_SEARCH)]
    if root in ("myfiles_browser", "file_search"):
        return [Taint("download", "a file")] if _output(content) else []
    if root in _OUTSIDE_NOTHING or not root:
        return []
    if root == "api_tool" or "jit_plugin" in tool or "__" in tool:
        app = tool.split("__")[0] if "__" in tool else text(details.get("connector_name"))
        return [Taint("app", app_name(app) if app else "another app")]
    return list(read_from_outside(tool, {}))


def _parts(content: dict[str, Any]) -> str:
    """The words among a message's parts; pictures and other things hold none."""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return text(content.get("text")) if content.get("content_type") == "text" else ""
    said = [
        text(one)
        or (
            text(mapping(one).get("text"))
            if mapping(one).get("content_type") in ("audio_transcription", "text")
            else ""
        )
        for one in parts
    ]
    return "\n".join(one for one in said if one)
