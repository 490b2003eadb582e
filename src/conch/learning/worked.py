"""*Worked another way*: a program was not there, and another one did the same job (spec 0088 §2).

It becomes a fact about this computer, written by code from a template. No model writes it, and
nothing of what a command printed is in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import tomli

from conch.chats.events import PersonMessage, ToolFinished, ToolStarted
from conch.chats.heads import quiet_after
from conch.chats.hosts import begun, ran_here
from conch.chats.steps import step_summary
from conch.learning.changes import ComputerFact
from conch.learning.commands import Piece, pieces_of
from conch.learning.not_found import says_missing
from conch.learning.places import (
    changes_the_session,
    enters_a_place,
    leaves_a_place,
    tool_of_another_place,
)
from conch.learning.same_job import what_worked

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch

_STRAIGHT_AFTER = 3
_WINDOWS = frozenset(("cmd", "powershell", "pwsh", "pwsh7"))
_FROM_POWERSHELL = re.compile(r"cmdlet|CommandNotFoundException", re.IGNORECASE)
_WENT_WRONG = re.compile(r"^(?:Traceback \(most recent|\w*Error\b|error:|fatal:)", re.MULTILINE)


@dataclass(frozen=True)
class ShellStep:
    """One command that was run: its line, what it printed, its exit status (None: unknown).

    `seq`: the log's event it ended with, 0 outside of a log. `failed`: it ended badly, for a tool
    that says no more than that.
    """

    command: str
    output: str
    exit: int | None
    seq: int = 0
    failed: bool = False


@dataclass(frozen=True)
class _Ran:
    """A step taken apart. `session`: the place it ran in; 0 is this computer as it
    always is."""

    step: ShellStep
    pieces: tuple[Piece, ...] | None
    session: int


def computer_facts(
    stretch: Stretch, here: str = "", folder_is_here: bool = True
) -> tuple[ComputerFact, ...]:
    """The facts about this computer that the steps of a stretch show.

    Steps before the stretch count for where a program was missing and where it did run after all;
    the step that worked is always one of the stretch. Turns that ran on another computer than
    `here` ("": not compared), or who knows where, show nothing, nor do those that are not to be
    learned from. `folder_is_here`: the folder the chat names is one of this computer's.
    """
    events = (*stretch.earlier, *stretch.events)
    first = begun(events)
    started: dict[str, str] = {}
    lines: dict[str, str] = {}
    summaries: dict[int, str] = {}
    steps: list[ShellStep] = []
    quiet, learn = False, True
    on_this = ran_here(first, None, here, folder_is_here)
    for event in events:
        quiet = quiet_after(event, quiet)
        if isinstance(event, PersonMessage):
            learn = event.learn
            on_this = ran_here(first, event, here, folder_is_here)
        elif isinstance(event, ToolStarted):
            command = _command_in(event.input)
            if (
                command
                and on_this
                and learn
                and not quiet
                and not tool_of_another_place(event.tool, event.input)
            ):
                started[event.call] = command
                lines[event.call] = event.summary or step_summary(event.tool, event.input)
        elif isinstance(event, ToolFinished) and event.call in started:
            exit = 0 if event.exit is None and event.ok else event.exit
            summaries[event.seq] = lines[event.call]
            steps.append(
                ShellStep(started.pop(event.call), event.output, exit, event.seq, not event.ok)
            )
    return tuple(
        replace(fact, failed=summaries[fact.failed_seq], worked=summaries[fact.worked_seq])
        for fact in computer_facts_of(steps)
        if fact.worked_seq > stretch.after
    )


def computer_facts_of(steps: Sequence[ShellStep], shell: str = "") -> tuple[ComputerFact, ...]:
    """What the steps show, oldest first: one fact for each job that was done another way.

    `shell` says whose messages they are ("bash", "powershell"…), where it is known: PowerShell
    may report success for a program it could not find. Of several programs that were tried for one
    job, the first is the one the fact is about.
    """
    ran = _in_their_places(steps)
    facts: list[ComputerFact] = []
    seen: set[str] = set()
    done: set[tuple[int, str]] = set()
    for at, one in enumerate(ran):
        for missing in _missing(one, shell):
            if missing.name in seen:
                continue
            found = _another_way(missing, at, ran, shell)
            if found is None or _works_somewhere(missing.name, ran):
                continue
            worked, works = found
            seen.add(missing.name)
            if (worked, works) not in done:
                done.add((worked, works))
                facts.append(_fact(missing, works, one.step.seq, ran[worked].step.seq))
    return tuple(facts)


def _in_their_places(steps: Sequence[ShellStep]) -> list[_Ran]:
    ran: list[_Ran] = []
    entered: list[int] = []
    for at, step in enumerate(steps, 1):
        pieces = pieces_of(step.command)
        if pieces and changes_the_session(pieces) and not leaves_a_place(pieces):
            ran.append(_Ran(step, pieces, at))
            if _lasts(pieces):
                entered.append(at)
            continue
        if pieces and step.exit == 0 and enters_a_place(pieces):
            entered.append(at)
        elif pieces and entered and leaves_a_place(pieces):
            entered.pop()
        ran.append(_Ran(step, pieces, entered[-1] if entered else 0))
    return ran


def _lasts(pieces: Sequence[Piece]) -> bool:
    """Whether what a line changes holds for the steps after it, not for its own program alone."""
    return any(not piece.variables and changes_the_session((piece,)) for piece in pieces)


def _missing(ran: _Ran, shell: str) -> list[Piece]:
    """The programs of a step that were not there on this computer."""
    step, pieces = ran.step, ran.pieces
    if not pieces or ran.session or not step.output.strip():
        return []
    windows = shell in _WINDOWS or bool(_FROM_POWERSHELL.search(step.output[:2000]))
    alone = len(pieces) == 1 and not pieces[0].wrappers
    found: list[Piece] = []
    for at, piece in enumerate(pieces):
        if not windows and not _may_be_missing(at, pieces, step.exit):
            continue
        if not piece.has_folder and says_missing(piece, step.output, step.exit, alone):
            found.append(piece)
        found += [
            Piece(wrapper, (piece.program, *piece.arguments))
            for wrapper in piece.wrappers
            if says_missing(Piece(wrapper, ()), step.output, step.exit)
        ]
    return found


def _may_be_missing(at: int, pieces: Sequence[Piece], exit: int | None) -> bool:
    """Whether the exit status leaves it open that this program was not there.

    A line that went well ran all its programs but those before a `|`, `;` or `||`. Beside a
    program that prints other people's text the words may be theirs, unless the status says so.
    """
    if exit == 0 and pieces[at].after in ("", "&&"):
        later = [piece.after for piece in pieces[at:]]
        if all(after in ("", "&&") for after in later):
            return False
    prints = any(piece.name in _tables()["printers"] for piece in pieces[:at])
    return not (prints and exit != 127 and pieces[at].before != "|")


def _another_way(
    missing: Piece, at: int, ran: Sequence[_Ran], shell: str
) -> tuple[int, str] | None:
    """Which of the next few steps did the missing program's job, and by what program."""
    tried = 0
    for later in range(at + 1, len(ran)):
        one = ran[later]
        if tried >= _STRAIGHT_AFTER:
            return None
        if one.session != ran[at].session:
            tried += 1
            continue
        if one.pieces and one.step.exit == 0 and not one.step.failed and not _missing(one, shell):
            works = _did_it(missing, one, ran[at].pieces or ())
            if works is not None:
                return later, works
        if one.pieces is None or not all(piece.name in _tables()["aside"] for piece in one.pieces):
            tried += 1
    return None


def _did_it(missing: Piece, ran: _Ran, before: Sequence[Piece]) -> str | None:
    pieces = ran.pieces or ()
    known = {(one.name, one.arguments) for one in before}
    for at, piece in enumerate(pieces):
        if any(after not in ("", "&&", "|", "|&") for after in (one.after for one in pieces[at:])):
            continue
        if piece.after and _WENT_WRONG.search(ran.step.output):
            continue
        whole = [Piece(wrapper, (piece.program, *piece.arguments)) for wrapper in piece.wrappers]
        for candidate in (piece, *whole):
            works = what_worked(missing, candidate)
            if works is not None and all(
                one is piece
                or one.name in _tables()["aside"]
                or (one.before == "|" and one.name in _tables()["filters"])
                or (one.name, one.arguments) in known
                for one in pieces
            ):
                return works
    return None


def _fact(missing: Piece, works: str, failed_seq: int, worked_seq: int) -> ComputerFact:
    text = f"On this computer, {missing.name} isn't found; {works} works."
    return ComputerFact(text, missing.name, works, failed_seq, worked_seq)


def _works_somewhere(name: str, ran: Sequence[_Ran]) -> bool:
    """Whether the program did run on this computer in one of the steps, or was installed."""
    for one in ran:
        pieces = one.pieces or ()
        if one.step.exit != 0 or one.session:
            continue
        for at, piece in enumerate(pieces):
            proven = all(later.after in ("", "&&") for later in pieces[at:])
            if piece.name == name and not piece.has_folder and proven:
                if not says_missing(piece, one.step.output, 0):
                    return True
            elif proven and (_located(name, piece, one.step) or _installs(name, piece)):
                return True
    return False


def _located(name: str, piece: Piece, step: ShellStep) -> bool:
    asked = [argument for argument in piece.arguments if not argument.startswith("-")]
    return (
        piece.name in ("which", "where", "command", "Get-Command", "gcm")
        and asked == [name]
        and bool(re.search(r"[/\\]", step.output))
        and "not found" not in step.output
    )


def _installs(name: str, piece: Piece) -> bool:
    """Whether a line puts the program on this computer, by its own or its package's name."""
    if piece.name not in _tables()["installers"] or piece.name == name:
        return False
    if not _tables()["install_words"] & set(piece.arguments):
        return False
    packages = next((line for line in _packages() if line[0] == name), (name,))
    return any(
        re.split(r"[=@<>~\[]", argument.split("/")[-1])[0] in packages or argument in packages
        for argument in piece.arguments
    )


@cache
def _raw() -> dict[str, Any]:
    return tomli.loads(files("conch.learning").joinpath("programs.toml").read_text("utf-8"))


@cache
def _tables() -> dict[str, frozenset[str]]:
    raw = _raw()
    tables = {
        name: frozenset(raw[name].split())
        for name in ("aside", "filters", "printers", "installers")
    }
    return {**tables, "install_words": frozenset(raw["install_words"])}


@cache
def _packages() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in _raw()["packages"])


def _command_in(given: dict[str, Any]) -> str:
    """The command line of a step's input, under the names tools use for it."""
    for key in ("command", "cmd", "script", "commands"):
        value = given.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            parts = [str(part) for part in value]
            if len(parts) == 3 and parts[1] in ("-c", "-lc", "/c", "-Command"):
                return parts[2]
            return " ".join(parts)
    return ""
