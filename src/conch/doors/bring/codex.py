"""Codex's sessions: `~/.codex/sessions/…/rollout-<time>-<id>.jsonl`, old and new.

Newer files tell a message twice, as it was shown (`event_msg`) and as it was sent
(`response_item`); it is told once here. What was sent in the person's place (instructions,
surroundings, notices) was never shown as theirs, and is not theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.injected import is_command_line, own_words
from conch.doors.bring.lines import objects
from conch.doors.bring.outside import WEB_SEARCH, host_of
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
from conch.guard.taints import Taint

NAME = "codex"
ENGINE = "openai"

_CWD = re.compile(r"<cwd>\s*([^<\n]+?)\s*</cwd>")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:)\s*(-?\d{1,10})\b", re.M | re.I)
_FAILED = re.compile(
    r"^\s*(?:apply_patch verification failed|failed to parse|execution error|exec_command failed|"
    r"unsupported call|error:|err:|aborted by user|sandbox error|rejected by user|"
    r"exec command rejected by user|patch rejected by user)",
    re.I,
)
_REFUSED = re.compile(r"(?:aborted|rejected) by user", re.I)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "mcp_tool_call_output"})
_SHELLS = frozenset(
    ["sh", "bash", "zsh", "dash", "fish", "powershell", "pwsh", "cmd", "cmd.exe", "powershell.exe"]
)
_LOOKED_FOR_FOLDER = 20


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The one session of a file; none when it is a sub-agent's."""
    with source.begin() as file:
        lines = objects(file, aside)
        held: list[dict[str, Any]] = []
        about: dict[str, Any] = {}
        folder = ""
        for line in lines:
            held.append(line)
            about = about or _header(line)
            folder = folder or text(about.get("cwd")) or _folder_in(line)
            if (about and folder) or len(held) >= _LOOKED_FOR_FOLDER:
                break
        if not held or _is_subagent(about):
            return
        yield BroughtChat(
            id=text(about.get("id")) or PurePosixPath(source.name).stem,
            title="",
            started=moment(about.get("timestamp")) or moment(held[0].get("timestamp")),
            host="",
            folder=folder,
            events=_Session(aside).events(held, lines),
            source=NAME,
            engine=ENGINE,
        )


def _header(line: dict[str, Any]) -> dict[str, Any]:
    if line.get("type") == "session_meta":
        about = mapping(line.get("payload"))
        return {"timestamp": line.get("timestamp"), **about}
    return line if "id" in line and "type" not in line and "timestamp" in line else {}


def _folder_in(line: dict[str, Any]) -> str:
    item = mapping(line.get("payload")) or line
    found = _CWD.search(joined(item.get("content"))) if item.get("role") == "user" else None
    return found[1] if found else ""


def _is_subagent(about: dict[str, Any]) -> bool:
    """A session that another session began: its prompts are that session's."""
    source = about.get("source")
    return isinstance(source, dict) and bool({"subagent", "subAgent", "sub_agent"} & set(source))


class _Session:
    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._telling = Telling(NAME, ENGINE)
        self._model = ""
        # How often each text was met as shown and as sent since the last message of the person's.
        self._met: dict[str, Counter[str]] = {"shown": Counter(), "sent": Counter()}
        self._told: Counter[str] = Counter()
        self._sent_as_person: list[tuple[str, datetime | None]] = []
        self._shows_messages = False
        self._searches = 0

    def events(
        self, held: Iterable[dict[str, Any]], lines: Iterable[dict[str, Any]]
    ) -> Iterator[Event]:
        for part in (held, lines):
            for line in part:
                self._take(line)
                yield from self._telling.take()
        self._settle()
        self._telling.end()
        yield from self._telling.take()

    def _take(self, line: dict[str, Any]) -> None:
        at = moment(line.get("timestamp"))
        kind, payload = line.get("type"), line.get("payload")
        if not isinstance(payload, dict):
            if kind in ("response_item", "event_msg"):
                self._aside.add("a line without its contents")
            elif isinstance(kind, str) and kind not in ("session_meta", "turn_context"):
                self._item(line, at)  # The old shape: the item is the line.
            elif kind is None and "record_type" not in line and not _header(line):
                self._aside.add("a line of no known kind")
        elif kind == "response_item":
            self._item(payload, at)
        elif kind == "event_msg":
            self._shown(payload, at)
        elif kind == "turn_context":
            self._model = text(payload.get("model")) or self._model

    def _shown(self, event: dict[str, Any], at: datetime | None) -> None:
        kind = event.get("type")
        if kind == "user_message":
            self._shows_messages = True
            if event.get("kind", "plain") == "plain":
                # What was sent in their place and is not what was shown is not theirs.
                self._sent_as_person.clear()
                self._person(text(event.get("message")), at)
        elif kind == "agent_message":
            self._assistant(text(event.get("message")), at, "shown")
        elif kind == "turn_aborted":
            self._settle()
            self._telling.stopped(at)
        elif kind == "error":
            self._settle()
            self._telling.failed(text(event.get("message")), at)

    def _item(self, item: dict[str, Any], at: datetime | None) -> None:
        kind = text(item.get("type"))
        if kind == "message" or ("type" not in item and "role" in item):
            self._message(item, at)
        elif kind in _CALLS:
            self._settle()
            self._call(item, at)
        elif kind in _OUTPUTS:
            self._settle()
            self._output(item, at)
        elif kind == "web_search_call":
            self._settle()
            self._search(mapping(item.get("action")), item.get("status"), at)
        elif not kind:
            self._aside.add("a line of no known kind")

    def _message(self, item: dict[str, Any], at: datetime | None) -> None:
        role = item.get("role")
        if role == "user":
            blocks = [own_words(joined([one])) for one in listed(item.get("content"))]
            words = "\n\n".join(filter(None, blocks)) or own_words(text(item.get("content")))
            if words:
                self._sent_as_person.append((words, at))
        elif role == "assistant":
            self._assistant(joined(item.get("content")), at, "sent")
        elif role not in ("developer", "system"):
            self._aside.add("a message with no sender")

    def _settle(self) -> None:
        """Something answers what was sent in the person's place: it was a message of theirs.

        Unless the file shows messages, and did not show this one.
        """
        waiting, self._sent_as_person = self._sent_as_person, []
        if not self._shows_messages:
            for words, at in waiting:
                self._person(words, at)

    def _person(self, words: str, at: datetime | None) -> None:
        words = own_words(words)
        if words and not is_command_line(words):
            self._met = {"shown": Counter(), "sent": Counter()}
            self._told = Counter()
            self._telling.person(words, at)

    def _assistant(self, words: str, at: datetime | None, way: str) -> None:
        self._settle()
        words = words.strip()
        self._met[way][words] += 1
        if self._met[way][words] > self._told[words]:
            self._told[words] += 1
            self._telling.assistant(words, at, self._model)

    def _call(self, item: dict[str, Any], at: datetime | None) -> None:
        call = text(item.get("call_id")) or text(item.get("id"))
        name = text(item.get("name")) or text(item.get("type"))
        server = text(item.get("server")) or text(item.get("namespace")).removeprefix("mcp__")
        if server and "__" not in name:
            name = f"mcp__{server.strip('_')}__{name}"
        elif "__" in name and not name.startswith("mcp__"):
            name = f"mcp__{name}"
        if item.get("type") == "local_shell_call":
            name, given = "local_shell", mapping(item.get("action"))
        else:
            raw = item.get("arguments", item.get("input"))
            given = arguments(raw)
        self._telling.started(call, name, _with_command(given), at)
        if item.get("type") == "local_shell_call" and item.get("status") == "incomplete":
            self._telling.finished(call, False, "", at, ran=False)

    def _output(self, item: dict[str, Any], at: datetime | None) -> None:
        output, exit, ok = _result(item.get("output"))
        call = text(item.get("call_id"))
        ran = exit != 127 and not (not ok and bool(_REFUSED.search(output[:200])))
        if not self._telling.finished(call, ok, output, at, exit=exit, ran=ran):
            self._aside.add("a tool's result without its call")

    def _search(self, action: dict[str, Any], status: object, at: datetime | None) -> None:
        """The search or page OpenAI reads on its side; its result is in no file."""
        self._searches += 1
        call = f"web-{self._searches}"
        url = text(action.get("url"))
        name = "open_page" if url else "web_search"
        self._telling.started(call, name, action, at)
        ok = status not in ("failed", "incomplete")
        taint = Taint("web", (host_of(url) if url else "") or WEB_SEARCH)
        self._telling.finished(call, ok, "", at, read=[taint])


def _with_command(given: dict[str, Any]) -> dict[str, Any]:
    """The input with `["bash", "-lc", "npm test"]` as the command line that it is."""
    command = given.get("command")
    if isinstance(command, list) and command and all(isinstance(one, str) for one in command):
        shell = PurePosixPath(command[0].replace("\\", "/")).name
        inner = [one for one in command[1:] if not one.startswith(("-", "/c", "/C"))]
        is_shell = shell in _SHELLS and len(inner) == 1
        return {**given, "command": inner[0] if is_shell else " ".join(command)}
    if not isinstance(command, str) and isinstance(given.get("cmd"), str):
        return {**given, "command": given["cmd"]}
    return given


def _result(raw: object) -> tuple[str, int | None, bool]:
    """What a tool gave: its output, exit status (None: none was told), and whether it went well."""
    value = parsed(raw)
    if isinstance(value, dict) and ("output" in value or "content" in value):
        output = joined(value.get("output", value.get("content")))
        exit = whole_number(mapping(value.get("metadata")).get("exit_code"))
        if value.get("success") is False or value.get("isError") is True:
            return output, exit, False
    else:
        output, exit = joined(raw), None
    if exit is None:
        found = _EXIT.search(output[:2_000])
        exit = int(found[1]) if found else None
    if exit is not None:
        return output, exit, exit == 0
    return output, None, not _FAILED.match(output)
