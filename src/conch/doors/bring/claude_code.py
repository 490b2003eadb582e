"""Claude Code's sessions: `~/.claude/projects/<folder>/<session>.jsonl`, and the web's logs.

A line of type `user` is the person's only when it is not marked as something else, holds no tool
result, and its text is no command, hook, reminder or summary. A sub-agent's lines (in the file,
or in a file beside it) are neither the person's nor steps of the chat; what they took in from
outside is, since its answer comes back into the chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from conch.chats.events import Event
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import Source
from conch.doors.bring.injected import is_command_line, own_words
from conch.doors.bring.items import items
from conch.doors.bring.lines import objects
from conch.doors.bring.outside import host_of, read_from_outside
from conch.doors.bring.shapes import joined, listed, mapping, moment, text
from conch.doors.bring.telling import Telling
from conch.guard.taints import Taint

NAME = "claude-code"
ENGINE = "anthropic"

_INTERRUPTED = "[Request interrupted by user"
_REFUSED = re.compile(
    r"^(?:Error: )?(?:The user doesn't want to (?:proceed with this tool use|take this action)|"
    r"The agent proposed a plan that was rejected by the user|"
    r"Permission to use .* has been denied|Tool use was (?:rejected|denied))",
    re.DOTALL,
)
_WITH_WORDS = re.compile(
    r"(?:the user said|the user provided the following reason)[^\n:]*:\s*(.+)", re.S
)
_NOT_RUN = "<tool_use_error>"
_EXIT = re.compile(r"^(?:Error: )?Exit code (\d+)\b")
_PLAN = re.compile(r"^\s*Implement the following plan:\s*")
_AGENT_FILE = re.compile(r"agent-[\w-]+\.jsonl")
_AT_MOST_BESIDE = 200


def is_subagent_file(source: Source) -> bool:
    """Whether a file holds a sub-agent's session, which belongs to the session beside it."""
    return bool(_AGENT_FILE.fullmatch(source.file_name))


def read(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The one session of a file of lines."""
    with source.begin() as file:
        yield from _chat(objects(file, aside), source, aside)


def read_web(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The one session of a file `{"loglines": […]}`."""
    with source.begin() as file:
        lines = (line for line in items(file, aside, ("loglines",)) if isinstance(line, dict))
        yield from _chat(lines, source, aside)


def _chat(lines: Iterator[dict[str, Any]], source: Source, aside: Aside) -> Iterator[BroughtChat]:
    held: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    # What says where and when stands on the lines of messages, not on the first lines of all.
    for line in lines:
        held.append(line)
        if line.get("type") in ("user", "assistant") and "message" in line:
            first = line
            break
    if not first:
        _Reading(source, aside).passed_over(held)
        return
    yield BroughtChat(
        id=text(first.get("sessionId")) or PurePosixPath(source.name).stem,
        title="",
        started=moment(first.get("timestamp")),
        host="",
        folder=text(first.get("cwd")),
        events=_Reading(source, aside).events(_chained(held, lines)),
        source=NAME,
        engine=ENGINE,
    )


def _chained(
    held: Iterable[dict[str, Any]], lines: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    yield from held
    yield from lines


class _Reading:
    """One session being read."""

    def __init__(self, source: Source, aside: Aside) -> None:
        self._source = source
        self._aside = aside
        self._telling = Telling(NAME, ENGINE)
        self._uuids: set[str] = set()
        self._aside_calls: set[str] = set()
        self._beside = 0

    def events(self, lines: Iterable[dict[str, Any]]) -> Iterator[Event]:
        for line in lines:
            self._take(line)
            yield from self._telling.take()
        self._telling.end()
        yield from self._telling.take()

    def passed_over(self, lines: Iterable[dict[str, Any]]) -> None:
        """Count what is damaged in lines that make no chat."""
        for line in lines:
            self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        kind = line.get("type")
        if not isinstance(kind, str):
            self._aside.add("a line of no known kind")
        elif kind in ("user", "assistant"):
            self._message(line, kind)
        elif kind == "attachment":
            self._queued(line)

    def _message(self, line: dict[str, Any], kind: str) -> None:
        message = line.get("message")
        if not isinstance(message, dict) or "content" not in message:
            self._aside.add("a message without content")
            return
        uuid = text(line.get("uuid"))
        if uuid and uuid in self._uuids:
            return  # A session that was resumed may hold its lines twice.
        if uuid:
            self._uuids.add(uuid)
        if line.get("isSidechain") is True:
            self._sidechain(message)
        elif kind == "assistant":
            self._assistant(line, message)
        else:
            self._user(line, message)

    def _user(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        at = moment(line.get("timestamp"))
        content = message["content"]
        results = [one for one in listed(content) if mapping(one).get("type") == "tool_result"]
        for result in results:
            self._result(line, result)
        if results:
            # Only a refusal's own words and an interruption may stand beside a result.
            content = [one for one in listed(content) if mapping(one).get("type") == "text"]
            if joined(content).lstrip().startswith(_INTERRUPTED):
                self._telling.stopped(at)
            return
        if "toolUseResult" in line and line["toolUseResult"] is not None:
            self._aside.add("a tool's result without its call")
            return
        if line.get("isMeta") is True or line.get("isCompactSummary") is True:
            return
        if line.get("isVisibleInTranscriptOnly") is True:
            return
        if not isinstance(content, str | list):
            self._aside.add("a message without content")
            return
        blocks = [content] if isinstance(content, str) else [joined([one]) for one in content]
        if any(block.lstrip().startswith(_INTERRUPTED) for block in blocks):
            self._telling.stopped(at)
            return
        plan = text(line.get("planContent"))
        if plan:
            self._agreed_to_plan("\n".join(blocks), plan, at)
            return
        own = [one for one in map(own_words, blocks) if one]
        words = "\n\n".join(own)
        if words and not is_command_line(words):
            self._telling.person(words, at)

    def _agreed_to_plan(self, words: str, plan: str, at: Any) -> None:
        """A plan the person agreed to is sent as their message; its words are the assistant's."""
        opening = _PLAN.match(words)
        if not opening:
            self._telling.person(words.replace(plan.strip(), "").strip(), at)
            return
        after = words[opening.end() :].strip().removeprefix(plan.strip()).strip()
        self._telling.assistant(plan, at)
        # What the person wrote themselves below the plan, if anything.
        own = "" if after.startswith("If you need specific details") else own_words(after)
        self._telling.person("\n\n".join(filter(None, (opening[0].strip(), own))), at)

    def _queued(self, line: dict[str, Any]) -> None:
        """What was typed while the assistant worked comes as an attachment."""
        attachment = mapping(line.get("attachment"))
        if attachment.get("type") != "queued_command" or line.get("isSidechain") is True:
            return
        if attachment.get("commandMode", "prompt") != "prompt" or attachment.get("isMeta") is True:
            return
        words = own_words(joined(attachment.get("prompt")))
        if words and not is_command_line(words):
            self._telling.person(words, moment(line.get("timestamp")))

    def _assistant(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        at = moment(line.get("timestamp"))
        content = message["content"]
        model = text(message.get("model"))
        if line.get("isApiErrorMessage") is True:
            self._telling.failed(joined(content), at)
            return
        if line.get("isMeta") is True:
            return
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not isinstance(content, list):
            self._aside.add("a message without content")
            return
        for block in map(mapping, content):
            if block.get("type") == "text" and model != "<synthetic>":
                self._telling.assistant(text(block.get("text")), at, model)
            elif block.get("type") in ("tool_use", "server_tool_use", "mcp_tool_use"):
                call = text(block.get("id"))
                if self._telling.is_pending(call):
                    continue  # The same call, written again on a later line.
                name = text(block.get("name"))
                if block.get("type") == "mcp_tool_use" and "__" not in name:
                    name = f"mcp__{text(block.get('server_name')) or 'app'}__{name}"
                self._telling.started(call, name, mapping(block.get("input")), at)
            elif str(block.get("type")).endswith("_tool_result"):
                self._result(line, block)

    def _result(self, line: dict[str, Any], result: dict[str, Any]) -> None:
        call = text(result.get("tool_use_id"))
        if call in self._aside_calls:
            return
        if not self._telling.is_pending(call):
            self._aside.add("a tool's result without its call")
            return
        at = moment(line.get("timestamp"))
        more = line.get("toolUseResult")
        output = joined(result.get("content"))
        failed = result.get("is_error") is True
        refused = failed and bool(_REFUSED.match(output))
        exit = _EXIT.match(output) if failed else None
        details = mapping(more)
        if details.get("interrupted") is True:
            failed = True
        ran = not refused and not (failed and output.startswith(_NOT_RUN))
        read: list[Taint] = []
        url = text(details.get("url"))
        if ran and url and host_of(url):
            read = list(read_from_outside("WebFetch", {"url": url}))
        self._telling.finished(
            call,
            not failed,
            output,
            at,
            exit=int(exit[1]) if exit and len(exit[1]) < 6 else None,
            ran=ran and not (exit and exit[1] == "127"),
            read=read,
        )
        self._from_agent(text(details.get("agentId")), call, at)
        reason = _WITH_WORDS.search(output) if refused else None
        if reason:
            self._telling.person(own_words(reason[1]), at)
        else:
            self._telling.person("\n".join(_answered(details)), at)

    def _sidechain(self, message: dict[str, Any]) -> None:
        for taint in _read_by(message):
            self._telling.outside(taint, None)
        for block in map(mapping, listed(message["content"])):
            if block.get("type") == "tool_result":
                self._aside_calls.add(text(block.get("tool_use_id")))

    def _from_agent(self, agent: str, call: str, at: Any) -> None:
        """What a sub-agent whose session is a file of its own took in from outside."""
        if not re.fullmatch(r"[\w-]{1,100}", agent) or self._beside >= _AT_MOST_BESIDE:
            return
        stem = PurePosixPath(self._source.name).stem
        for name in (f"agent-{agent}.jsonl", f"{stem}/subagents/agent-{agent}.jsonl"):
            found = self._source.beside(name)
            if found is None:
                continue
            self._beside += 1
            with found.begin() as file:
                for line in objects(file, Aside()):
                    for taint in _read_by(mapping(line.get("message"))):
                        self._telling.outside(taint, at, call)
            return


def _answered(details: dict[str, Any]) -> list[str]:
    """What the person wrote themselves in answer to questions, beside the answers offered."""
    offered = {
        text(mapping(option).get("label"))
        for question in map(mapping, listed(details.get("questions")))
        for option in listed(question.get("options"))
    }
    answers = map(text, mapping(details.get("answers")).values())
    return [
        own
        for answer in answers
        if not all(part.strip() in offered for part in answer.split(","))
        and answer not in offered
        and (own := own_words(answer))
    ]


def _read_by(message: dict[str, Any]) -> Iterator[Taint]:
    """What the tools that a sub-agent's message calls take in from outside."""
    for block in map(mapping, listed(message.get("content"))):
        if block.get("type") == "tool_use":
            yield from read_from_outside(text(block.get("name")), mapping(block.get("input")))
