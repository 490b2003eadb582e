"""The apps a person set up, and what each of their tools may do: `apps.json`."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from conch.guard.steps import AppMode
from conch.guard.tool_kinds import plain_name
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.store import Store

MOST_APPS = 50
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LONGEST_NAME = 30
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_TAKEN = frozenset(("conch",))
"""Names whose tools would be read as Conch's own."""
BEARER = "Authorization"
"""The one header a secret may be sent in."""
_NOTHING = "Nothing was added."


class App(BaseModel):
    """One app: a program that is started (`command`), or an address (`url`).

    `secrets` maps a variable (or `Authorization`, for an address) to a secret's name in the vault.
    `mode` is for all its tools but those in `tools`; `seen` holds, by tool, the hash of what a tool
    said of itself when the person set it free.
    """

    model_config = ConfigDict(extra="allow")

    command: list[str] = Field(default_factory=list)
    url: str = ""
    secrets: dict[str, str] = Field(default_factory=dict)
    mode: AppMode = "ask"
    tools: dict[str, AppMode] = Field(default_factory=dict)
    seen: dict[str, str] = Field(default_factory=dict)


class _Apps(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    apps: dict[str, App] = Field(default_factory=dict)


class KeptApps:
    """What is written of the apps of one home."""

    def __init__(self, home: Home) -> None:
        self._store = Store(home.root / "apps.json", _Apps, home.notes)

    def all(self) -> dict[str, App]:
        return dict(self._store.load().apps)

    def get(self, name: str) -> App:
        """Raises ConchError where there is no such app."""
        return _found(self.all(), name)

    def add(self, name: str, app: App) -> None:
        """Raises ConchError where there is one of this name by now, or as many as there may be."""

        def added(kept: _Apps) -> _Apps:
            _must_have_room(name, list(kept.apps))
            return kept.model_copy(update={"apps": {**kept.apps, name: app}})

        self._store.change(added)

    def change(self, name: str, how: Callable[[App], App]) -> None:
        """Change what is kept of an app at this moment. Raises ConchError where it is gone."""
        name = plainly(name)

        def changed(kept: _Apps) -> _Apps:
            app = how(_found(kept.apps, name))
            return kept.model_copy(update={"apps": {**kept.apps, name: app}})

        self._store.change(changed)

    def remove(self, name: str) -> None:
        """Raises ConchError where there is no such app."""
        name = plainly(name)

        def removed(kept: _Apps) -> _Apps:
            _found(kept.apps, name)
            left = {key: app for key, app in kept.apps.items() if key != name}
            return kept.model_copy(update={"apps": left})

        self._store.change(removed)


def modes_of(apps: Mapping[str, App]) -> dict[str, AppMode]:
    """What the decision reads: "app" and "app.tool" to off, ask or free."""
    found: dict[str, AppMode] = {}
    for name, app in apps.items():
        found[name] = app.mode
        found |= {f"{name}.{plain_name(tool)}": mode for tool, mode in app.tools.items()}
    return found


def plainly(name: str) -> str:
    """An app's name as it is kept, from what a person typed."""
    return name.strip().lower()


def _found(apps: Mapping[str, App], name: str) -> App:
    found = apps.get(plainly(name))
    if found is None:
        raise ConchError(
            f"There is no app “{name[:_LONGEST_NAME]}”.", "Nothing changed.", "conch apps"
        )
    return found


def _must_have_room(name: str, taken: Sequence[str]) -> None:
    if name in taken:
        raise ConchError(
            f"There is an app “{name}” already.", _NOTHING, f"Remove it: conch apps remove {name}"
        )
    if len(taken) >= MOST_APPS:
        raise ConchError(f"There are {MOST_APPS} apps, which is all there may be.", _NOTHING)


def app_of(
    name: str, command: Sequence[str], url: str, secrets: Mapping[str, str], taken: Sequence[str]
) -> tuple[str, App]:
    """An app as a person describes it. Raises ConchError where it can't be."""
    name = plainly(name)
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME or name in _TAKEN:
        raise ConchError(
            "An app's name is small letters, digits and hyphens, and not “conch”.", _NOTHING
        )
    _must_have_room(name, taken)
    if bool(command) == bool(url):
        raise ConchError(
            "An app is either a program or an address.",
            _NOTHING,
            "conch apps add NAME -- PROGRAM …, or: conch apps add NAME --url https://…",
        )
    if url and not _may_be_asked(url):
        raise ConchError(f"“{url[:100]}” is no address to use.", _NOTHING, "https://… it must be.")
    for variable in secrets:
        if variable != BEARER if url else not _VARIABLE.fullmatch(variable):
            raise ConchError(
                f"A secret can't be given as “{variable[:40]}”.",
                _NOTHING,
                f"{BEARER}=NAME for an address, VARIABLE=NAME for a program.",
            )
    return name, App(command=list(command), url=url, secrets=dict(secrets))


def _may_be_asked(url: str) -> bool:
    """https anywhere; plain http on this computer alone."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if not host or parts.username or parts.password:
        return False
    if parts.scheme == "https":
        return True
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    return parts.scheme == "http" and loopback
