"""What the tools of an app say of themselves, read once when it has started.

It comes from outside: it is scanned, and a tool that looks dangerous is off. Scanning a text takes
milliseconds, and every step's decision asks what each tool may do.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conch.guard.characters import hidden_characters
from conch.guard.skill_scan import scan_skill_text, verdict_of

if TYPE_CHECKING:
    from mcp.types import Tool

_LONGEST_NAME = 64
_LARGEST_SCHEMA = 20_000
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class ToolSaid:
    """A tool in its app's own words. `called` is its name for the model; `hash` stands for all it
    says; `why_off`: why it may never be there."""

    name: str
    called: str
    description: str
    schema: dict[str, Any]
    hash: str
    why_off: str


def read_tools(app: str, tools: Iterable[Tool]) -> list[ToolSaid]:
    """The tools of the app of this name, each read and scanned."""
    return [_read(app, tool) for tool in tools]


def _read(app: str, tool: Tool) -> ToolSaid:
    called = f"mcp__{app}__{_NOT_IN_A_NAME.sub('_', tool.name)}"
    description = _visible(tool.description or tool.title or tool.name)
    return ToolSaid(
        name=tool.name,
        called=called,
        description=description,
        schema=dict(tool.input_schema),
        hash=_hash(tool),
        why_off=_why_off(tool, called, description),
    )


def _visible(text: str) -> str:
    """A text without hidden characters, its blanks evened out."""
    for one in reversed(hidden_characters(text)):
        text = text[: one.start] + text[one.end :]
    return " ".join(text.split())


def _why_off(tool: Tool, called: str, description: str) -> str:
    if len(called) > _LONGEST_NAME:
        return "Its name is too long."
    schema = json.dumps(tool.input_schema, ensure_ascii=False)
    if len(schema) > _LARGEST_SCHEMA:
        return "What it takes is too much to tell a model."
    findings = scan_skill_text(f"{description}\n{schema}")
    if verdict_of(findings) == "danger":
        return f"What it says of itself looks dangerous. {findings[0].sentence}"
    return ""


def _hash(tool: Tool) -> str:
    said = json.dumps([tool.name, tool.description, tool.input_schema], sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
