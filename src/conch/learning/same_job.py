"""Whether one program did the job another one was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import tomli

from conch.learning.commands import Piece
from conch.learning.places import installed_for_all, of_the_project

_VERSION = re.compile(r"[-_]?\d+(?:\.\d+)*$")
_NUMBER = re.compile(r"[-\d.]+")
_NAME = re.compile(r"[A-Za-z0-9][\w.+@-]{0,39}")
_PATH = re.compile(
    r"(?:[A-Za-z]:|~)?[/\\][\w./\\+-]{1,60}|[A-Za-z]:\\Program Files(?: \(x86\))?\\[\w.\\+-]{1,60}"
)


@dataclass(frozen=True)
class _Programs:
    groups: tuple[frozenset[str], ...]
    words: dict[str, str]
    empty: frozenset[str]
    extra: frozenset[str]
    about_itself: frozenset[str]
    launchers: tuple[tuple[str, ...], ...]


def what_worked(missing: Piece, other: Piece) -> str | None:
    """The name under which `other` did the job of the `missing` program, or None when it did not.

    The same job: programs known to stand in for each other, given the same things to work on. The
    same arguments alone say nothing (`mypy src`, `black src`). A slip of the keyboard put right
    and a program of the project's own (a virtual environment, `./gradlew`) are no other way of
    doing it; and a name that is not plainly a program's (a sentence in quotes) becomes no memory.
    """
    if not _NAME.fullmatch(missing.name) or of_the_project(other.program):
        return None
    launched = _launched(missing.name, other)
    if launched is not None:
        label, arguments = launched
        same = _same_things(missing.arguments, arguments, variant=False)
        return (
            label if same and all(map(_NAME.fullmatch, label.replace(" -m", "").split())) else None
        )
    name = other.name
    if name.casefold() == missing.name.casefold() or not _NAME.fullmatch(name):
        return None
    if other.has_folder and not (
        installed_for_all(other.program) and _PATH.fullmatch(other.program)
    ):
        return None
    variant = _a_variant(missing.name, name)
    if not variant and not _in_one_group(missing.name, name):
        return None
    same = _same_things(missing.arguments, other.arguments, variant)
    return (other.program if other.has_folder else name) if same else None


def _a_variant(one: str, other: str) -> bool:
    """The same program under another name: `python3`, `python3.12`, `py`; `nodejs`; `clang-15`."""
    a, b = _without_version(one), _without_version(other)
    if a == b:
        return True
    if _in_one_group(one, other) and (
        a.startswith(b) or b.startswith(a) or a[1:] == b or b[1:] == a
    ):
        return True
    shorter, longer = sorted((a, b), key=len)
    return len(shorter) > 3 and longer.startswith((shorter + "-", shorter + "_"))


def _in_one_group(one: str, other: str) -> bool:
    ours = {one.casefold(), _without_version(one)}
    theirs = {other.casefold(), _without_version(other)}
    return any(ours & group and theirs & group for group in _programs().groups)


def _without_version(name: str) -> str:
    return _VERSION.sub("", name).casefold() or name.casefold()


def _launched(wanted: str, other: Piece) -> tuple[str, tuple[str, ...]] | None:
    """`python3 -m pip` for a wanted `pip`, `docker compose` for `docker-compose`."""
    words = (other.name, *other.arguments)
    for launcher in _programs().launchers:
        size = len(launcher)
        if words[:size] != launcher:
            continue
        if size > 1 and "-".join(launcher) == wanted:
            return " ".join(launcher), words[size:]
        run = words[size] if len(words) > size else ""
        if run and (_a_variant(wanted, run) or _in_one_group(wanted, run)):
            return " ".join((*launcher, run)), words[size + 1 :]
    return None


def _same_things(ours: Sequence[str], theirs: Sequence[str], variant: bool) -> bool:
    """Whether two programs were given the same to work on.

    A variant of the program is told just the same, but for options; another kind of program may
    need a word of its own (`openssl dgst`) and the name of the file a download is called by.
    """
    mine, others = _things(ours), _things(theirs)
    if not mine and not others:
        return _asked_the_same(ours, theirs, variant)
    if variant:
        return mine == others
    left = _told(theirs)
    for thing in _told(ours):
        if thing in left:
            left.remove(thing)
        elif not any(one.startswith("-") and one.endswith(thing) for one in theirs):
            return False
    ends = {thing.rstrip("/").split("/")[-1] for thing in mine}
    return all(one in ends for one in left)


def _told(arguments: Sequence[str]) -> list[str]:
    """The things, without the words only programs of this kind need (`dgst`, `-a 256`)."""
    values = {
        argument
        for option, argument in pairwise(arguments)
        if option.startswith("-") and _NUMBER.fullmatch(argument)
    }
    return [
        thing
        for thing in _things(arguments)
        if thing not in _programs().extra and thing not in values
    ]


def _asked_the_same(ours: Sequence[str], theirs: Sequence[str], variant: bool) -> bool:
    """Only options: what a program says about itself is another program's job only by variants."""
    about = _programs().about_itself
    if not variant and (about & set(ours) or about & set(theirs)):
        return False
    if bool(about & set(ours)) != bool(about & set(theirs)):
        return False
    return not variant or set(ours) == set(theirs) or bool(about & set(ours))


def _things(arguments: Sequence[str]) -> list[str]:
    """What a program was given to work on: no options, and words all programs of a kind share."""
    programs = _programs()
    found: list[str] = []
    for argument in arguments:
        if (
            not argument
            or argument.startswith("-")
            or argument in programs.empty
            or re.match(r"^/[a-zA-Z?]$", argument)
        ):
            continue
        found.append(programs.words.get(argument, argument).strip("\"'").removeprefix("./"))
    return found


@cache
def _programs() -> _Programs:
    raw = tomli.loads(files("conch.learning").joinpath("programs.toml").read_text("utf-8"))
    words = {word: line.split()[0] for line in raw["same_words"] for word in line.split()}
    return _Programs(
        tuple(frozenset(name.casefold() for name in line.split()) for line in raw["same_job"]),
        words,
        frozenset(raw["empty_words"]),
        frozenset(raw["extra_words"]),
        frozenset(raw["about_itself"]),
        tuple(tuple(line.split()) for line in raw["launchers"]),
    )
