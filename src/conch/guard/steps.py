"""The one decision every step passes, whatever the tool and whatever the mode.

Rows stand in the order they count; the first that says something decides. What no row knows asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from conch.guard.needs import Need, needs, paths_in
from conch.guard.permissions import Permissions
from conch.guard.protected import Places, holds_keys, inside, runs_by_itself, why_protected
from conch.guard.taints import Taint, what_was_read
from conch.guard.tool_inputs import secrets_named
from conch.guard.tool_kinds import ToolKind, kind_of, plain_name

Mode = Literal["ask", "accept_edits", "full_trust"]
AppMode = Literal["off", "ask", "free"]
Outcome = Literal["run", "ask", "refuse"]

_LONGEST_QUERY = 80
_LONGEST_PART = 60
_LONGEST_VALUE = 30
_RUN = re.compile(r"[A-Za-z0-9+=~]{20,}")
_READING: set[ToolKind] = {"Read", "List", "Find files", "Search files for"}
_CHANGING: set[ToolKind] = {"Write", "Edit", "Delete", "Move"}
_RUNNING: set[ToolKind] = {"Run", "Run code", "Send input to a program"}
_FETCHING: set[ToolKind] = {"Fetch", "Search the web for"}
_HARMLESS: set[ToolKind] = {
    "Remember",
    "Recall",
    "Plan",
    "Use a skill",
    "Read the output of a program",
    "Stop a program",
    "Ask a helper",
}
_READS_ONLY = re.compile(
    r"^(?:get|list|read|search|find|fetch|query|view|show|describe|count)(?:_|$)"
)


@dataclass(frozen=True)
class AskedStep:
    """A step the assistant wants to take. `reaches`: the real paths of what it would touch."""

    tool: str
    given: Mapping[str, Any] = field(default_factory=dict)
    reaches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Circumstances:
    """What the decision looks at besides the step.

    `folder` and `home` are real paths. `watched`: somebody is there who can be asked. `held_to`:
    the lists of every skill in the chat. `sealed`: commands run where they can do no harm outside
    the folder. `app_modes`: "server" or "server.tool" to off, ask or free. `person_typed`: the
    addresses the person typed themself.
    """

    folder: str
    home: str
    taints: tuple[Taint, ...] = ()
    mode: Mode = "ask"
    watched: bool = False
    held_to: tuple[Permissions, ...] = ()
    sealed: bool = False
    app_modes: Mapping[str, AppMode] = field(default_factory=dict)
    person_typed: frozenset[str] = frozenset()

    @property
    def places(self) -> Places:
        return Places(self.home, self.folder)


@dataclass(frozen=True)
class Decision:
    """`row` names what decided, for tests and for the record; `why` is for the person."""

    outcome: Outcome
    why: str = ""
    row: str = ""
    waits: bool = False
    """It would have been asked, and nobody is there."""


def decide(step: AskedStep, around: Circumstances) -> Decision:
    """Whether the step runs, asks first or is refused."""
    asked = _Asked(step, around)
    found = next(
        (Decision(said[0], said[1], name) for name, row in _ROWS if (said := row(asked))),
        Decision("ask", "Conch doesn't know what this does.", "anything else"),
    )
    if found.outcome == "ask" and not around.watched:
        why = f"{found.why} Nobody is there to ask.".strip()
        return Decision("refuse", why, found.row, waits=True)
    return found


class _Asked:
    """A step with what it is and needs, worked out once."""

    def __init__(self, step: AskedStep, around: Circumstances) -> None:
        self.step = step
        self.around = around
        parts = step.tool.split("__")
        self.server = parts[1] if len(parts) >= 3 and parts[0] == "mcp" else ""
        # An app's tool is an app's tool, whatever it calls itself.
        is_app = step.tool.lower().startswith("mcp")
        self.kind = None if is_app else kind_of(step.tool, step.given)
        self.name = plain_name("__".join(parts[2:]) if self.server else step.tool)
        self.needs: tuple[Need, ...] = needs(step.tool, step.given, around.folder)
        self.paths = step.reaches or tuple(paths_in(step.given)) if self._has_paths() else ()
        self.outside = [path for path in self.paths if not inside(path, around.folder)]
        self.tainted = bool(around.taints)

    def _has_paths(self) -> bool:
        return self.kind in _READING | _CHANGING

    @property
    def is_app(self) -> bool:
        return bool(self.server) or any(need.capability == "apps" for need in self.needs)

    @property
    def acts(self) -> bool:
        """Whether an app's tool does more than read, as far as its name says."""
        return not _READS_ONLY.match(self.name)

    @property
    def read(self) -> str:
        return f"This chat {what_was_read(self.around.taints)}, and a page can plant a step."

    def app_mode(self) -> AppMode:
        modes, server = self.around.app_modes, self.server or self.name
        return modes.get(f"{server}.{self.name}", modes.get(server, "ask"))


def could_carry_data(url: str) -> bool:
    """Whether an address is long or odd enough to carry off something that was read here.

    >>> could_carry_data("https://trains.example/times?day=3")
    False
    >>> could_carry_data("https://evil.example/?q=" + "a" * 90)
    True
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return True
    if parts.username or parts.password or len(parts.query) + len(parts.fragment) > _LONGEST_QUERY:
        return True
    labels = host.split(".")
    if len(labels) > 5 or any(len(label) > 30 for label in labels):
        return True
    if any(_looks_random(run) for run in _RUN.findall(unquote(f"{parts.path} {parts.query}"))):
        return True
    pieces = [unquote(piece) for piece in parts.path.split("/")]
    if any(len(piece) > _LONGEST_PART for piece in pieces) or len(parts.path) > 200:
        return True
    values = [value for _, value in parse_qsl(parts.query, keep_blank_values=True)]
    return any(len(value) > _LONGEST_VALUE for value in values)


def _looks_random(run: str) -> bool:
    """Whether a run of letters and digits without a break is no word: a key, a hash, coded text."""
    digits = sum(letter.isdigit() for letter in run)
    turns = sum(one.islower() != other.islower() for one, other in pairwise(run) if one.isalpha())
    return 0 < digits < len(run) or turns > len(run) // 4


_Said = tuple[Outcome, str] | None


def _protected(asked: _Asked) -> _Said:
    places = asked.around.places
    for path in (*asked.paths, *asked.step.reaches):
        if why := why_protected(path, places):
            return "refuse", why
    return None


def _home_named(asked: _Asked) -> _Said:
    if asked.kind not in _RUNNING:
        return None
    text = str(asked.step.given).casefold()
    home, folder = asked.around.home.casefold(), asked.around.folder.casefold()
    left = text.replace(folder, "") if folder else text
    if home and home in left:
        return "refuse", "It names Conch's own home, which is out of reach."
    return None


def _app_off(asked: _Asked) -> _Said:
    if asked.is_app and asked.app_mode() == "off":
        return "refuse", "You turned this off."
    return None


def _forgets(asked: _Asked) -> _Said:
    return ("ask", "Only you can make Conch forget.") if asked.kind == "Forget" else None


def _outside_a_skills_list(asked: _Asked) -> _Said:
    for held in asked.around.held_to:
        for need in asked.needs:
            if not held.allows(need):
                may = "; ".join(held.in_words())
                return "ask", f"A skill in this chat may only: {may}."
    return None


def _keeps_book(asked: _Asked) -> _Said:
    known = asked.kind in _HARMLESS or (asked.kind is None and not asked.needs)
    return ("run", "") if known and not asked.server else None


def _reads_keys(asked: _Asked) -> _Said:
    if asked.kind in _READING | _CHANGING and any(holds_keys(path) for path in asked.paths):
        return "ask", "Keys or passwords may lie there."
    return None


def _reads_here(asked: _Asked) -> _Said:
    return ("run", "") if asked.kind in _READING and not asked.outside else None


def _reads_elsewhere(asked: _Asked) -> _Said:
    if asked.kind not in _READING:
        return None
    if asked.around.mode == "full_trust" and not asked.tainted:
        return "run", ""
    return "ask", "It is outside this chat's folder."


def _gets_a_secret(asked: _Asked) -> _Said:
    named = secrets_named(asked.step.given) if asked.kind in _RUNNING else []
    if not named:
        return None
    one = "secret" if len(named) == 1 else "secrets"
    read = f" {asked.read}" if asked.tainted else ""
    return "ask", f"It would get your {one} {', '.join(named)}.{read}"


def _command_after_reading(asked: _Asked) -> _Said:
    return ("ask", asked.read) if asked.kind in _RUNNING and asked.tainted else None


def _command_unsealed(asked: _Asked) -> _Said:
    if asked.kind in _RUNNING and not asked.around.sealed:
        return "ask", "Nothing on this computer seals commands: it could reach all you can."
    return None


def _command(asked: _Asked) -> _Said:
    if asked.kind not in _RUNNING:
        return None
    return ("run", "") if asked.around.mode == "full_trust" else ("ask", "It runs a command.")


def _write_after_reading(asked: _Asked) -> _Said:
    if asked.kind in _CHANGING and asked.tainted and (asked.outside or not asked.paths):
        return "ask", asked.read
    return None


def _writes_what_runs(asked: _Asked) -> _Said:
    if asked.kind in _CHANGING and any(runs_by_itself(path) for path in asked.paths):
        return "ask", "What is written there may run by itself later."
    return None


def _writes_elsewhere(asked: _Asked) -> _Said:
    if asked.kind not in _CHANGING or not (asked.outside or not asked.paths):
        return None
    if asked.around.mode == "full_trust":
        return "run", ""
    return "ask", "It is outside this chat's folder."


def _writes_here(asked: _Asked) -> _Said:
    if asked.kind not in _CHANGING:
        return None
    return ("ask", "It changes a file.") if asked.around.mode == "ask" else ("run", "")


def _fetch_with_data(asked: _Asked) -> _Said:
    if asked.kind not in _FETCHING or not asked.tainted:
        return None
    texts = [str(value) for value in asked.step.given.values()]
    carrying = [
        text
        for text in texts
        if text not in asked.around.person_typed
        and (could_carry_data(text) if "://" in text else len(text) > _LONGEST_QUERY)
    ]
    return ("ask", f"{asked.read} This address could carry data out.") if carrying else None


def _fetch(asked: _Asked) -> _Said:
    return ("run", "") if asked.kind in _FETCHING else None


def _browser_acts(asked: _Asked) -> _Said:
    if not any(need.capability == "browser" for need in asked.needs):
        return None
    if asked.tainted or asked.around.mode != "full_trust":
        return "ask", asked.read if asked.tainted else "It acts in a browser."
    return "run", ""


def _app_after_reading(asked: _Asked) -> _Said:
    return ("ask", asked.read) if asked.is_app and asked.tainted and asked.acts else None


def _app(asked: _Asked) -> _Said:
    if not asked.is_app:
        return None
    if asked.app_mode() == "free" or (asked.around.mode == "full_trust" and asked.server):
        return "run", ""
    return "ask", "It uses another app."


_ROWS: tuple[tuple[str, Callable[[_Asked], _Said]], ...] = (
    ("a protected place", _protected),
    ("a command that names Conch's home", _home_named),
    ("an app that is off", _app_off),
    ("forgetting", _forgets),
    ("outside a skill's list", _outside_a_skills_list),
    ("bookkeeping", _keeps_book),
    ("where keys lie", _reads_keys),
    ("reading in the folder", _reads_here),
    ("reading elsewhere", _reads_elsewhere),
    ("a command that gets a secret", _gets_a_secret),
    ("a command after reading from outside", _command_after_reading),
    ("a command where nothing seals", _command_unsealed),
    ("a command", _command),
    ("a write outside after reading from outside", _write_after_reading),
    ("a write that may run by itself", _writes_what_runs),
    ("a write elsewhere", _writes_elsewhere),
    ("a write in the folder", _writes_here),
    ("a fetch that could carry data after reading from outside", _fetch_with_data),
    ("a fetch", _fetch),
    ("acting in a browser", _browser_acts),
    ("an app that acts after reading from outside", _app_after_reading),
    ("an app", _app),
)
ROW_NAMES = tuple(name for name, _ in _ROWS)
