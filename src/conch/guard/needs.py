"""What a step needs that a skill's list may allow or not (spec 0058 §4).

Reading, searching and remembering need nothing.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from conch.guard.shell import read_command
from conch.guard.tool_inputs import (
    COMMAND_NAMES,
    FOLDER_NAMES,
    PATH_NAMES,
    URL_NAMES,
    named_values,
    secrets_named,
    strings_in,
)
from conch.guard.tool_kinds import kind_of, plain_name

Capability = Literal["commands", "files", "files-anywhere", "web", "browser", "apps", "passwords"]

_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Update|Add|Delete) File:|\*\*\* Move to:|\+\+\+ (?:b/)?|--- (?:a/)?) *(\S.*)$",
    re.M,
)
_BROWSERS = {"browser", "playwright", "puppeteer", "chrome", "chromium", "conch_browser"}
_LOOKING = {
    "navigate",
    "navigate_back",
    "navigate_forward",
    "goto",
    "go_to",
    "back",
    "forward",
    "open",
    "snapshot",
    "screenshot",
    "take_screenshot",
    "console_messages",
    "network_requests",
    "wait",
    "wait_for",
    "scroll",
    "resize",
    "close",
    "tabs",
    "tab_list",
    "tab_new",
    "tab_select",
    "tab_close",
    "list_tabs",
    "get_text",
    "get_content",
    "get_page_text",
    "read_page",
    "read_console_messages",
    "read_network_requests",
    "get_html",
}
"""What tools of a browser are called that only look at pages."""
_PASSWORDS = re.compile(r"(?:^|_)(?:passwords?|passkeys?|vault|secrets?|credentials?)(?:_|$)")
_BOOKKEEPING = {
    "report_result",
    "ask_person",
    "ask_user",
    "think",
    "thinking",
    "exit_plan_mode",
    "enter_plan_mode",
}
_OF_OTHER_APPS = ("google_", "slack_", "gmail_", "notion_", "github_", "linear_", "jira_")


@dataclass(frozen=True)
class Need:
    """One thing a step needs; `detail` is the command, the path, the host or the app's name."""

    capability: Capability
    detail: str = ""


def needs(tool: str, given: Mapping[str, Any], folder: str) -> tuple[Need, ...]:
    """What a call of `tool` with the input `given` needs, in a chat that works in `folder`.

    Paths are read as they are spelled: give them resolved where links matter. `folder` is
    absolute; "" when it is not known.
    """
    values = named_values(given)
    parts = tool.split("__")
    if len(parts) >= 3 and parts[0] == "mcp":
        server, name = parts[1], "__".join(parts[2:])
        if server.lower() == "conch":
            return needs(name, given, folder)
        if server.lower() in _BROWSERS:
            return _in_browser(name)
        return (Need("apps", server),)
    kind = kind_of(tool, values)
    match kind:
        case "Run":
            command = _command(values)
            secret = (Need("passwords", name) for name in secrets_named(values))
            redirected = _redirected(command, folder, _where(values))
            return (Need("commands", command), *redirected, *secret)
        case "Run code" | "Send input to a program":
            return (Need("commands"),)
        case "Write" | "Edit" | "Delete" | "Move":
            return tuple(dict.fromkeys(_changed(values, folder)))
        case "Fetch" | "Search the web for":
            kept = [path for path in _named_paths(values) if "://" not in path]
            return (Need("web", _host(values)), *(_change_of(path, folder) for path in kept))
        case None:
            return _of_unknown(plain_name(tool))
        case _:
            return ()


def is_inside(path: str, folder: str) -> bool:
    """Whether a path, as it is spelled, is the folder or lies in it. Relative ones start there."""
    path = path.replace("\\", "/").removeprefix("file://")
    if path.startswith("~") or re.match(r"[A-Za-z]:", path) or "\0" in path or "$" in path:
        return False
    if not folder:
        whole = posixpath.normpath(path)
        return not whole.startswith(("/", ".."))
    folder = posixpath.normpath(folder.replace("\\", "/"))
    whole = posixpath.normpath(posixpath.join(folder, path))
    return whole == folder or whole.startswith(folder.rstrip("/") + "/")


def paths_in(given: Mapping[str, Any]) -> list[str]:
    """Every path among a tool's inputs, also those a patch names."""
    values = named_values(given)
    named = _named_paths(values)
    rest = [
        text for key, value in values.items() if key not in PATH_NAMES for text in strings_in(value)
    ]
    patched = [found.strip() for text in rest for found in _PATCHED.findall(text)]
    return [*named, *(path for path in patched if path != "/dev/null")]


def _changed(values: Mapping[str, Any], folder: str) -> Iterator[Need]:
    paths = paths_in(values)
    if not paths:
        yield Need("files-anywhere")
    for path in paths:
        yield _change_of(path, folder)


def _change_of(path: str, folder: str) -> Need:
    return Need("files" if is_inside(path, folder) else "files-anywhere", path)


def _named_paths(values: Mapping[str, Any]) -> list[str]:
    return [text for name in PATH_NAMES for text in strings_in(values.get(name)) if text]


def _where(values: Mapping[str, Any]) -> str:
    """The folder a command is to run in, "" for the chat's own."""
    return next((str(values[name]) for name in FOLDER_NAMES if values.get(name)), "")


def _redirected(command: str, folder: str, where: str) -> Iterator[Need]:
    read = read_command(command)
    elsewhere = bool(where) and not is_inside(where, folder)
    for path in read.writes:
        if path in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"):
            continue
        # After a `cd`, or begun in another folder, a relative path is somewhere else.
        moved = (read.goes or elsewhere) and not path.startswith("/")
        inside = is_inside(posixpath.join(where, path), folder) and not moved
        yield Need("files", path) if inside else Need("files-anywhere", path)


def _of_unknown(name: str) -> tuple[Need, ...]:
    if name in _BOOKKEEPING:
        return ()
    if _PASSWORDS.search(name):
        return (Need("passwords", name),)
    if name.startswith(("browser_", "computer")) or name in _BROWSERS:
        return _in_browser(name)
    app = next((start[:-1] for start in _OF_OTHER_APPS if name.startswith(start)), name)
    return (Need("apps", app),)


def _in_browser(name: str) -> tuple[Need, ...]:
    """Looking at pages is the web; acting on them is more. Whatever is not known to look acts."""
    plain = plain_name(name).removeprefix("browser_").removeprefix("puppeteer_")
    return (Need("web" if plain in _LOOKING else "browser"),)


def _command(values: Mapping[str, Any]) -> str:
    """The command asked for; "" where several inputs name one, and nobody knows which is run."""
    named = [values[name] for name in COMMAND_NAMES if values.get(name)]
    value = named[0] if len(named) == 1 else ""
    if isinstance(value, Mapping):
        value = _command(value)
    if isinstance(value, list | tuple):
        return shlex.join(str(one) for one in value)
    return str(value)


def _host(values: Mapping[str, Any]) -> str:
    for name in (*URL_NAMES, "query", "q"):
        for text in strings_in(values.get(name)):
            try:
                host = urlsplit(text if "//" in text else f"//{text}").hostname or ""
            except ValueError:
                continue
            return host if "." in host or host == "localhost" else ""
    return ""
