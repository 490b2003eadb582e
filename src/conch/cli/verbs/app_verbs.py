"""Verbs about apps: what is set up, setting one up, what each tool may do."""

from __future__ import annotations

from typing import Any, cast

from conch.app import Conch
from conch.assistant.apps.apps import AppTool
from conch.assistant.apps.kept import App
from conch.cli.verbs.table import Items, Verb, text
from conch.guard.steps import AppMode
from conch.home.errors import ConchError

MODES = ("off", "ask", "free")


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    for name, app in sorted(conch.hands.apps.kept.all().items()):
        yield _app(name, app)


async def add(conch: Conch, args: dict[str, Any]) -> Items:
    """Set an app up: it is started, and its tools are told."""
    command = args.get("command", [])
    secrets = args.get("secrets", {})
    if not isinstance(command, list) or not isinstance(secrets, dict):
        raise ConchError("The app isn't described in a way Conch reads.", "Nothing was added.")
    tools = await conch.hands.apps.add(
        text(args, "name"),
        [str(one) for one in command],
        text(args, "url", ""),
        {str(key): str(value) for key, value in secrets.items()},
    )
    for tool in tools:
        yield _tool(tool)


async def tools(conch: Conch, args: dict[str, Any]) -> Items:
    for tool in await conch.hands.apps.tools_of(text(args, "name").strip().lower()):
        yield _tool(tool)


async def configure(conch: Conch, args: dict[str, Any]) -> Items:
    name, mode = text(args, "name").strip().lower(), text(args, "mode")
    if mode not in MODES:
        raise ConchError(f"There is no “{mode}”.", "Nothing changed.", "off, ask or free.")
    await conch.hands.apps.set_mode(name, text(args, "tool", ""), cast(AppMode, mode))
    yield _app(name, conch.hands.apps.kept.get(name))


async def remove(conch: Conch, args: dict[str, Any]) -> Items:
    name = text(args, "name").strip().lower()
    await conch.hands.apps.remove(name)
    yield {"type": "removed", "name": name}


def _app(name: str, app: App) -> dict[str, Any]:
    return {
        "type": "app",
        "name": name,
        "command": app.command,
        "url": app.url,
        "secrets": app.secrets,
        "mode": app.mode,
        "tools": app.tools,
    }


def _tool(tool: AppTool) -> dict[str, Any]:
    return {
        "type": "tool",
        "app": tool.app,
        "name": tool.name,
        "description": tool.description,
        "mode": tool.mode,
        "why_off": tool.why_off,
    }


VERBS: dict[str, Verb] = {
    "apps.list": listing,
    "apps.add": add,
    "apps.tools": tools,
    "apps.set": configure,
    "apps.remove": remove,
}
