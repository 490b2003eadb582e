"""Where a step ran: on this computer as it always is, or in a place of its own.

A container, another machine, a virtual environment, a path or an alias set for the session: what
is missing or works there says nothing about this computer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import tomli

from conch.learning.commands import Piece

_PATH = re.compile(r"^\"?(?:\$env:)?path\s*\+?=", re.IGNORECASE)
_HERE = frozenset(("", "local", "localhost", "host", "none", "127.0.0.1"))
_PROJECT_FOLDERS = re.compile(
    r"(?:^|[/\\])(?:\.?v?env|\.venv\w*|virtualenvs?|node_modules|\.tox|\.nox|vendor|envs|conda|\.direnv)(?:[/\\]|$)",
    re.IGNORECASE,
)
_INSTALLED_FOR_ALL = re.compile(
    r"^(?:/usr/|/opt/|/s?bin/|/snap/|/Applications/|/nix/|/home/linuxbrew/|~/\.local/"
    r"|[A-Za-z]:[/\\](?:Windows|Program Files|Python\d*|msys64|tools)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Places:
    session: frozenset[str]
    shells: frozenset[str]
    leave: frozenset[str]
    places: frozenset[str]
    by_word: tuple[tuple[str, ...], ...]
    with_a_shell: tuple[tuple[str, ...], ...]
    tools: frozenset[str]
    inputs: frozenset[str]


def of_the_project(program: str) -> bool:
    """Whether a program is a project's own rather than this computer's."""
    if "/" not in program and "\\" not in program:
        return False
    relative = not re.match(r"^(?:/|~|[A-Za-z]:[/\\]|\$HOME|%)", program)
    return relative or bool(_PROJECT_FOLDERS.search(program))


def installed_for_all(program: str) -> bool:
    """Whether a program's path is where a computer keeps its programs."""
    return bool(_INSTALLED_FOR_ALL.match(program)) and not of_the_project(program)


def changes_the_session(pieces: Sequence[Piece]) -> bool:
    """Whether a line makes programs appear or vanish for its session: their work proves nothing."""
    return any(
        piece.name in _places().session
        or "PATH" in (name.upper() for name in piece.variables)
        or (of_the_project(piece.program) and "activate" in piece.name.casefold())
        or (piece.name in ("export", "set", "setx") and any(map(_PATH.match, piece.arguments)))
        or bool(_PATH.match(piece.program))
        for piece in pieces
    )


def enters_a_place(pieces: Sequence[Piece]) -> bool:
    """Whether a line opens a shell somewhere else, in which the next steps run."""
    if len(pieces) != 1:
        return False
    piece = pieces[0]
    things = [one for one in piece.arguments if not one.startswith("-")]
    if piece.name in _places().places:
        return len(things) <= 1
    words = (piece.name, *things)
    if any(words[: len(one)] == one for one in _places().by_word):
        return True
    into_a_shell = bool(things) and things[-1].split("/")[-1] in _places().shells
    return into_a_shell and any(words[: len(one)] == one for one in _places().with_a_shell)


def leaves_a_place(pieces: Sequence[Piece]) -> bool:
    return len(pieces) == 1 and pieces[0].name in _places().leave


def tool_of_another_place(tool: str, given: dict[str, object]) -> bool:
    """Whether a tool runs its commands in a container or on another machine."""
    words = re.split(r"[^a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", tool).casefold())
    if _places().tools & set(words):
        return True
    return any(
        key in _places().inputs and isinstance(value, str) and value.casefold() not in _HERE
        for key, value in given.items()
    )


@cache
def _places() -> _Places:
    raw = tomli.loads(files("conch.learning").joinpath("programs.toml").read_text("utf-8"))
    return _Places(
        frozenset(raw["session"].split()),
        frozenset(raw["shells"].split()),
        frozenset(raw["leave"].split()),
        frozenset(raw["places"].split()),
        tuple(tuple(line.split()) for line in raw["places_by_word"]),
        tuple(tuple(line.split()) for line in raw["places_with_a_shell"]),
        frozenset(raw["other_tools"].split()),
        frozenset(raw["other_inputs"].split()),
    )
