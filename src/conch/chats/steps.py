"""One line for a step, made by code from its tool and input: "Run `npm test`", "Read notes.md".

The line names what was done and with what, never what came of it, and never what was written into
a file. It knows the tools of Conch and the common ones of other assistants by their names; any
other tool is called by its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from conch.guard.tool_inputs import (
    COMMAND_NAMES,
    PATH_NAMES,
    URL_NAMES,
    named_values,
    strings_in,
)
from conch.guard.tool_kinds import CAMEL, kind_of
from conch.home.json_values import read_json

LONGEST_SUMMARY = 240

_NAMES = {
    "command": COMMAND_NAMES,
    "path": PATH_NAMES,
    "url": URL_NAMES,
    "asked": ("query", "pattern", "q", "regex", "search_term", "search", "glob", "keywords"),
    "helper": ("description", "title", "name", "skill"),
}
_PATCHED = re.compile(r"^(?:\*\*\* (?:Update|Add|Delete) File:|\+\+\+ (?:b/)?) *(\S.*)$", re.M)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "powershell", "pwsh", "cmd", "cmd.exe"})
_SETTING_UP = re.compile(r"(#|set\s+[-+]|set -o\b|export\s+\w+=\S*\s*$|@echo off)", re.I)


def step_summary(tool: str, input: Mapping[str, Any]) -> str:
    """One line of at most 240 characters for a tool call.

    >>> step_summary("bash", {"command": "npm test"})
    'Run `npm test`'
    >>> step_summary("web_fetch", {"url": "https://trains.example/times?day=3"})
    'Fetch trains.example'
    """
    values = named_values(input)
    if len(parts := tool.split("__")) >= 3 and parts[0] == "mcp":
        return _line(f"{_words('__'.join(parts[2:]))} with {parts[1].replace('_', ' ')}")
    verb = kind_of(tool, values)
    if verb is None:
        command = _command(values.get("command", values.get("cmd")))
        return _line(f"Run `{command}`" if command else _words(tool))
    return _line(_sentence(verb, values))


def _sentence(verb: str, values: Mapping[str, Any]) -> str:
    if verb == "Run":
        given = _first(values, "command")
        command = _command(given)
        if command.startswith(("apply_patch", "*** Begin Patch")):
            return _edited(values)
        return f"Run `{command}`" if command else "Run a command"
    if verb == "Edit":
        return _edited(values)
    if verb == "Fetch":
        host = _host(_text(_first(values, "url")) or _text(_first(values, "asked")))
        return f"Fetch {host}" if host else "Fetch a page"
    if verb == "Search the web for":
        asked = _asked(values)
        return f"{verb} “{asked}”" if asked else "Search the web"
    if verb == "Search files for":
        asked = _asked(values)
        return f"{verb} “{asked}”" if asked else "Search files"
    if verb == "Find files":
        asked = _asked(values)
        return f"Find files {asked}" if asked else "Find files"
    if verb == "Ask a helper":
        about = _text(_first(values, "helper"))
        return f"Ask a helper: {about}" if about else verb
    if verb == "Use a skill":
        about = _text(_first(values, "helper"))
        return f"Use the skill {about}" if about else verb
    if verb in ("Read", "Write", "Delete", "Move", "List"):
        path = _path(_first(values, "path"))
        return f"{verb} {path}" if path else f"{verb} {_THINGS.get(verb, 'a file')}"
    return verb


_THINGS = {"List": "a folder"}


def _edited(values: Mapping[str, Any]) -> str:
    path = _path(_first(values, "path"))
    if path:
        return f"Edit {path}"
    patch = "\n".join(strings_in(values))
    files = list(dict.fromkeys(_path(found) for found in _PATCHED.findall(patch)))
    if not files:
        return "Edit a file"
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return f"Edit {', '.join(files[:3])}{more}"


def _first(values: Mapping[str, Any], what: str) -> Any:
    return next((values[name] for name in _NAMES[what] if values.get(name)), None)


def _command(value: Any) -> str:
    """The first line of a command that does something, "…" where more follows."""
    if isinstance(value, Mapping):
        value = value.get("command") or value.get("cmd")
    if isinstance(value, list | tuple):
        parts = [str(part) for part in value]
        inner = [part for part in parts[1:] if not part.startswith(("-", "/c", "/C"))]
        if parts and parts[0].rsplit("/", 1)[-1].lower() in _SHELLS and inner:
            value = inner[0]
        else:
            value = " ".join(parts)
    lines = [line.strip() for line in _text(value).splitlines() if line.strip()]
    doing = [line for line in lines if not _SETTING_UP.match(line)] or lines
    if not doing:
        return ""
    return _cut(doing[0].rstrip("\\").rstrip().replace("`", "'"), 200, more=len(doing) > 1)


def _asked(values: Mapping[str, Any]) -> str:
    value = _first(values, "asked")
    if value is None:
        value = _first(values, "command")
        value = value.get("query") if isinstance(value, Mapping) else None
    return _cut(" ".join(_text(value).split()), 80)


def _path(value: Any) -> str:
    """A path as a person would name it: whole when relative and short, else the file's name."""
    if isinstance(value, list | tuple):
        named = [_path(one) for one in value if one]
        more = f" and {len(named) - 1} more" if len(named) > 1 else ""
        return f"{named[0]}{more}" if named else ""
    path = " ".join(_text(value).split()).replace("\\", "/")
    path = path.removeprefix("file://").removeprefix("./").rstrip("/") or path
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path) or len(path) > 80:
        path = path.rsplit("/", 1)[-1] or path
    return _cut(path, 80)


def _host(value: str) -> str:
    if not value:
        return ""
    try:
        host = urlsplit(value if "//" in value else f"//{value}").hostname
    except ValueError:
        return ""
    return _cut((host or "").removeprefix("www."), 80)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value:
        return _text(value[0])
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)


def _words(tool: str) -> str:
    """A tool's own name as words: "create_issue" is "Create issue"."""
    split = CAMEL.sub("_", tool)
    words = " ".join(split.replace("_", " ").replace("-", " ").split())
    if split != tool and not tool.isupper():
        words = words.lower()
    return words[:1].upper() + words[1:] if words else "Use a tool"


def _cut(text: str, length: int, more: bool = False) -> str:
    return text[: length - 1] + "…" if len(text) > length else text + (" …" if more else "")


def _line(text: str) -> str:
    line = "".join(mark for mark in " ".join(text.split()) if mark.isprintable())
    return _cut(line, LONGEST_SUMMARY) or "Use a tool"


def input_of(arguments: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """A tool's input from what a provider gives: JSON text, a mapping, or neither.

    Text that is no JSON object becomes `{"text": …}`, so nothing of it is lost.
    """
    if arguments is None:
        return {}
    if isinstance(arguments, Mapping):
        return dict(arguments)
    try:
        value = read_json(arguments)
    except ValueError:
        return {"text": arguments} if arguments else {}
    return value if isinstance(value, dict) else {"text": arguments}
