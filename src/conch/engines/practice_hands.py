"""The practice engine's script for hands: commands, files and pages.

It knows no tool by name but asks what a tool takes, so that whatever offers a command, a path or an
address is used for real.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.messages import ToolReturnPart
    from pydantic_ai.tools import ToolDefinition

LONG_WAY_COMMANDS = (
    "gti status",
    "pwd",
    "test -f notes.txt || printf 'pears\\napples\\nplums\\n' > notes.txt",
    "cat notes.txt",
    "mkdir -p report",
    "convert-notes notes.txt report/notes.md",
    "cp notes.txt report/notes.md",
    "wc -l report/notes.md",
    "sort report/notes.md",
    "ls report",
    "ls -l",
    "echo done",
)
"""Twelve commands, of which the first and the sixth are false starts."""

_LONG_WAY = re.compile(r"\bthe long way\b", re.IGNORECASE)
_RUN = re.compile(r"\brun\s+`(?P<what>[^`]+)`", re.IGNORECASE)
_SECRET = re.compile(r"\bwith (?:my |the )?secret (?P<name>[\w-]+)", re.IGNORECASE)
_RUN_BARE = re.compile(r"^\s*(?:please )?run:?\s+(?P<what>[^`\n]+)$", re.IGNORECASE)
_READ = re.compile(r"\b(?:read|fetch|open)\s+(?P<what>https?://\S+)", re.IGNORECASE)
_LIST = re.compile(r"\blist (?:the |my |all )*files\b", re.IGNORECASE)
_WRITE = re.compile(
    r"^\s*(?:please )?write\s+(?P<what>.+?)\s+(?:to|into)\s+(?P<where>[\w./~-]*\w)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_READ_FILE = re.compile(r"^\s*(?:please )?read\s+(?P<where>[\w./~-]*\w)\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class Call:
    """A tool to call, with its input."""

    tool: str
    given: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What to say; `pause_s` is waited between its words."""

    text: str
    pause_s: float = 0.0


Move = Call | Answer | None
_Results = Sequence["ToolReturnPart"]
_Tools = Sequence["ToolDefinition"]


def long_way(said: str, results: _Results, tools: _Tools) -> Move:
    """Twelve commands, one after another."""
    runner = _tool_taking(tools, "command", "cmd")
    if not _LONG_WAY.search(said) or runner is None:
        return None
    if len(results) < len(LONG_WAY_COMMANDS):
        return Call(runner[0], {runner[1]: LONG_WAY_COMMANDS[len(results)]})
    return Answer("Done, the long way: twelve commands, two of them false starts.")


def run_or_read(said: str, results: _Results, tools: _Tools) -> Move:
    """What was asked to be run, fetched, listed, written or read, in that order."""
    secrets = {"secrets": [found["name"]]} if (found := _SECRET.search(said)) else {}
    wanted = [
        Call("command", {"command": found["what"], **secrets}) for found in _RUN.finditer(said)
    ]
    if not wanted and (found := _RUN_BARE.search(said)):
        wanted.append(Call("command", {"command": found["what"].strip()}))
    wanted += [Call("url", {"url": found["what"].rstrip(".,;")}) for found in _READ.finditer(said)]
    if _LIST.search(said):
        wanted.append(Call("list_files", {}))
    if found := _WRITE.search(said):
        wanted.append(Call("write_file", {"path": found["where"], "text": f"{found['what']}\n"}))
    if (found := _READ_FILE.search(said)) and not found["where"].startswith("http"):
        wanted.append(Call("read_file", {"path": found["where"]}))
    if len(results) >= len(wanted):
        if not wanted:
            return None
        return Answer("\n".join(f"It gave: {str(one.content)[:200]}" for one in results))
    return _with_a_tool(wanted[len(results)], tools)


_INPUTS = {"command": ("command", "cmd"), "url": ("url", "address")}


def _with_a_tool(call: Call, tools: _Tools) -> Call | None:
    if call.tool in _INPUTS:
        taker = _tool_taking(tools, *_INPUTS[call.tool])
        more = {name: value for name, value in call.given.items() if name != call.tool}
        return Call(taker[0], {taker[1]: call.given[call.tool], **more}) if taker else None
    return call if any(tool.name == call.tool for tool in tools) else None


def _tool_taking(tools: _Tools, *inputs: str) -> tuple[str, str] | None:
    """A tool with an input of one of these names, and that input's name."""
    for tool in tools:
        properties = tool.parameters_json_schema.get("properties", {})
        for name in inputs:
            if name in properties and tool.name not in ("remember", "recall", "forget"):
                return tool.name, name
    return None
