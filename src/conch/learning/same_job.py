"""Whether one program did the job another one was asked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from conch.learning.commands import Piece

_VERSION = re.compile(r"[-_]?\d+(?:\.\d+)*$")
_PROJECT_FOLDERS = re.compile(
    r"(?:^|[/\\])(?:\.?v?env|\.venv\w*|virtualenvs?|node_modules|\.tox|\.nox|vendor|envs|conda|\.direnv)(?:[/\\]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Programs:
    groups: tuple[frozenset[str], ...]
    words: dict[str, str]
    empty: frozenset[str]
    for_anything: frozenset[str]
    launchers: tuple[tuple[str, ...], ...]


def what_worked(missing: Piece, other: Piece) -> str | None:
    """The name under which `other` did the job of the `missing` program, or None when it did not.

    The same job: programs known to stand in for each other, given the same things to work on; or
    the very same arguments given to another program. A slip of the keyboard put right, a program
    of the project's own (a virtual environment, `./gradlew`) and one that does anything with a
    file (`rm`, `cat`) are no other way of doing it.
    """
    if of_the_project(other.program):
        return None
    launched = _launched(missing.name, other)
    if launched is not None:
        label, arguments = launched
        return label if _same_things(missing.arguments, arguments, siblings=False) else None
    name = other.name
    if name.casefold() == missing.name.casefold():
        return None
    typed = other.program if other.has_folder else name
    if _stand_in(missing.name, name):
        return typed if _same_things(missing.arguments, other.arguments, siblings=True) else None
    if name in _programs().for_anything or _a_slip(missing.name, name):
        return None
    same = bool(other.arguments) and tuple(missing.arguments) == tuple(other.arguments)
    return typed if same and any(not one.startswith("-") for one in other.arguments) else None


def of_the_project(program: str) -> bool:
    """Whether a program is a project's own rather than this computer's."""
    if "/" not in program and "\\" not in program:
        return False
    relative = not re.match(r"^(?:/|~|[A-Za-z]:[/\\]|\$HOME|%)", program)
    return relative or bool(_PROJECT_FOLDERS.search(program))


def _stand_in(one: str, other: str) -> bool:
    if _without_version(one) == _without_version(other):
        return True
    names = {one.casefold(), other.casefold()}
    bare = {_without_version(one), _without_version(other)}
    return any(
        names <= group or bare <= group or {one.casefold(), _without_version(other)} <= group
        for group in _programs().groups
    )


def _without_version(name: str) -> str:
    return _VERSION.sub("", name).casefold() or name.casefold()


def _launched(wanted: str, other: Piece) -> tuple[str, tuple[str, ...]] | None:
    """`python3 -m pip` for a wanted `pip`, `docker compose` for `docker-compose`."""
    words = (other.name, *other.arguments)
    for launcher in _programs().launchers:
        size = len(launcher)
        if words[:size] == launcher and len(launcher) > 1 and "-".join(launcher) == wanted:
            return " ".join(launcher), words[size:]
        if words[:size] == launcher and len(words) > size:
            run = words[size]
            if run == wanted or _without_version(run) == _without_version(wanted):
                return " ".join((*launcher, run)), words[size + 1 :]
    return None


def _same_things(ours: Sequence[str], theirs: Sequence[str], siblings: bool) -> bool:
    if tuple(ours) == tuple(theirs):
        return True
    if not siblings:
        return _things(ours) == _things(theirs)
    mine, others = _things(ours), _things(theirs)
    if not mine and not others:
        return _same_options(ours, theirs)
    left = list(others)
    for thing in mine:
        if thing not in left:
            return False
        left.remove(thing)
    return (
        bool(mine)
        and all(re.fullmatch(r"\d+|[a-z]{1,6}\d*", thing) for thing in left[:3])
        and len(left) <= 2
    )


def _same_options(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    return not ours or not theirs or set(ours) == set(theirs)


def _things(arguments: Sequence[str]) -> list[str]:
    """What a program was given to work on: no options, and words all programs of a kind share."""
    programs = _programs()
    found: list[str] = []
    for argument in arguments:
        if (
            argument.startswith("-")
            or argument in programs.empty
            or re.match(r"^/[a-zA-Z?]$", argument)
        ):
            continue
        found.append(programs.words.get(argument, argument).strip("\"'"))
    return found


def _a_slip(typed: str, meant: str) -> bool:
    """Two letters swapped, one too many, too few or another one: `gti` and `git`."""
    a, b = typed.casefold(), meant.casefold()
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 2:
        return False
    if len(a) == len(b):
        differing = [at for at in range(len(a)) if a[at] != b[at]]
        if len(differing) == 2 and differing[1] == differing[0] + 1:
            first, second = differing
            return a[first] == b[second] and a[second] == b[first]
        return len(differing) == 1
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


@cache
def _programs() -> _Programs:
    raw = tomllib.loads(files("conch.learning").joinpath("programs.toml").read_text("utf-8"))
    words = {word: line.split()[0] for line in raw["same_words"] for word in line.split()}
    return _Programs(
        tuple(frozenset(name.casefold() for name in line.split()) for line in raw["same_job"]),
        words,
        frozenset(raw["empty_words"]),
        frozenset(raw["for_anything"].split()),
        tuple(tuple(line.split()) for line in raw["launchers"]),
    )
