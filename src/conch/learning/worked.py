"""*Worked another way*: a program was not there, and another one did the same job (spec 0088 §2).

It becomes a fact about this computer, written by code from a template. No model writes it, and
nothing of what a command printed is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conch.chats.events import ToolFinished, ToolStarted
from conch.learning.changes import ComputerFact
from conch.learning.commands import Piece, pieces_of
from conch.learning.not_found import says_missing
from conch.learning.same_job import of_the_project, what_worked

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch

_STRAIGHT_AFTER = 3
_ASIDE = frozenset(
    (
        "cd",
        "export",
        "set",
        "pushd",
        "echo",
        "which",
        "where",
        "whereis",
        "type",
        "command",
        "ls",
        "dir",
        "pwd",
        "hash",
        "rehash",
        "test",
        "true",
        "clear",
    )
)
_IN_AN_ENVIRONMENT = frozenset(
    ("source", ".", "activate", "conda", "mamba", "micromamba", "pyenv", "nvm", "workon")
)
_INSTALLERS = frozenset(
    (
        "apt",
        "apt-get",
        "brew",
        "dnf",
        "yum",
        "apk",
        "pacman",
        "winget",
        "choco",
        "scoop",
        "pip",
        "pip3",
        "npm",
        "cargo",
        "go",
        "gem",
        "snap",
        "zypper",
        "port",
        "nix-env",
        "conda",
        "uv",
        "pipx",
        "ln",
        "asdf",
        "mise",
    )
)
_WINDOWS = frozenset(("cmd", "powershell", "pwsh", "pwsh7"))


@dataclass(frozen=True)
class ShellStep:
    """One command that was run: its line, what it printed, its exit status (None: unknown).

    `seq`: the log's event it ended with, 0 outside of a log.
    """

    command: str
    output: str
    exit: int | None
    seq: int = 0


def computer_facts(stretch: Stretch) -> tuple[ComputerFact, ...]:
    """The facts about this computer that the steps of a stretch show."""
    started: dict[str, str] = {}
    steps: list[ShellStep] = []
    for event in stretch.events:
        if isinstance(event, ToolStarted):
            command = _command_in(event.input)
            if command:
                started[event.call] = command
        elif isinstance(event, ToolFinished) and event.call in started:
            exit = event.exit if event.exit is not None else (0 if event.ok else 1)
            steps.append(ShellStep(started.pop(event.call), event.output, exit, event.seq))
    return computer_facts_of(steps)


def computer_facts_of(steps: Sequence[ShellStep], shell: str = "") -> tuple[ComputerFact, ...]:
    """What the steps show, oldest first, one fact for each program that was missing.

    `shell` says whose messages they are ("bash", "powershell"…), where it is known: PowerShell
    may report success for a program it could not find.
    """
    facts: list[ComputerFact] = []
    seen: set[str] = set()
    for at, step in enumerate(steps):
        for missing in _missing(step, shell):
            if missing.name in seen or _works_somewhere(missing.name, steps):
                continue
            fact = _another_way(missing, at, steps, shell)
            if fact is not None:
                seen.add(missing.name)
                facts.append(fact)
    return tuple(facts)


def _missing(step: ShellStep, shell: str) -> list[Piece]:
    """The programs of a step that were not there on this computer."""
    pieces = pieces_of(step.command)
    if not pieces or _in_an_environment(pieces):
        return []
    may_succeed = len(pieces) > 1 or shell in _WINDOWS or "cmdlet" in step.output.casefold()
    if step.exit == 0 and not may_succeed:
        return []
    found = [
        piece
        for piece in pieces
        if not piece.has_folder and says_missing(piece, step.output, step.exit)
    ]
    wrapped = [
        Piece(wrapper, (piece.program, *piece.arguments))
        for piece in pieces
        for wrapper in piece.wrappers
        if says_missing(Piece(wrapper, ()), step.output, step.exit)
    ]
    return found + wrapped


def _another_way(
    missing: Piece, at: int, steps: Sequence[ShellStep], shell: str
) -> ComputerFact | None:
    """The first of the next few steps that did the missing program's job."""
    tried = 0
    for later in range(at + 1, len(steps)):
        step = steps[later]
        pieces = pieces_of(step.command)
        if pieces is None or tried >= _STRAIGHT_AFTER:
            return None
        if step.exit == 0 and not _missing(step, shell):
            works = _did_it(missing, pieces, pieces_of(steps[at].command) or ())
            if works is not None:
                return _fact(missing, works, steps[at].seq, step.seq)
            if not all(piece.name in _ASIDE for piece in pieces):
                tried += 2
        tried += 1
    return None


def _did_it(missing: Piece, pieces: Sequence[Piece], before: Sequence[Piece]) -> str | None:
    if _in_an_environment(pieces):
        return None
    whole = [
        Piece(piece.wrappers[0], (piece.program, *piece.arguments))
        for piece in pieces
        if piece.wrappers
    ]
    for piece in (*pieces, *whole):
        works = what_worked(missing, piece)
        if works is None:
            continue
        others = [one for one in pieces if one is not piece and one.name not in _ASIDE]
        known = {(one.name, one.arguments) for one in before}
        if piece in whole or all((one.name, one.arguments) in known for one in others):
            return works
    return None


def _fact(missing: Piece, works: str, failed_seq: int, worked_seq: int) -> ComputerFact:
    text = f"On this computer, {missing.name} isn't found; {works} works."
    return ComputerFact(text, missing.name, works, failed_seq, worked_seq)


def _works_somewhere(name: str, steps: Sequence[ShellStep]) -> bool:
    """Whether the program did run in one of the steps, or was installed."""
    for step in steps:
        if step.exit != 0:
            continue
        for piece in pieces_of(step.command) or ():
            if (
                piece.name == name
                and not piece.has_folder
                and not says_missing(piece, step.output, 0)
            ):
                return True
            if piece.name in _INSTALLERS and any(
                (name in argument and argument != name) or argument == name
                for argument in piece.arguments[1:]
            ):
                return piece.name != name and "install" in " ".join(piece.arguments)
    return False


def _in_an_environment(pieces: Sequence[Piece]) -> bool:
    """Whether a virtual environment is entered first: its programs are not this computer's."""
    return any(
        piece.name in _IN_AN_ENVIRONMENT
        or (of_the_project(piece.program) and "activate" in piece.name)
        for piece in pieces
    )


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
