"""A command line taken apart: the programs it runs, each with its arguments.

Only as much of a shell's grammar as is needed to know which programs *this* computer was asked
for. What is not plain (substitutions, loops, here-documents) gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_GRAMMAR = re.compile(
    r"if|then|else|elif|fi|for|while|until|do|done|case|esac|function|[{}]|\[\[|\(\("
)
_VARIABLE = re.compile(r"^(?:\w+=|\$env:\w+\s*=)")
_OPERATORS = ("&&", "||", "|&", ";", "|", "&", "\n")
_REDIRECTION = re.compile(r"^\d*(?:>>|>&|>|<|&>>|&>)")
_SUFFIX = re.compile(r"\.(?:exe|cmd|bat|com|ps1)$", re.IGNORECASE)

_WRAPPERS: dict[str, frozenset[str]] = {
    # a program that runs the one after it here; the options named take a value
    "sudo": frozenset(("-u", "-g", "-p", "-C", "-h", "-U", "--user", "--group")),
    "doas": frozenset(("-u", "-C")),
    "env": frozenset(("-u", "-C", "-S")),
    "time": frozenset(("-f", "-o")),
    "nohup": frozenset(),
    "nice": frozenset(("-n",)),
    "ionice": frozenset(("-c", "-n")),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset(("-a",)),
    "stdbuf": frozenset(("-i", "-o", "-e")),
    "setsid": frozenset(),
    "caffeinate": frozenset(("-t",)),
    "timeout": frozenset(("-k", "-s")),
    "gtimeout": frozenset(("-k", "-s")),
    "winpty": frozenset(),
    "noglob": frozenset(),
    "nocorrect": frozenset(),
    "call": frozenset(),
    "xargs": frozenset(("-n", "-I", "-P", "-L", "-d", "-a", "-s")),
}
_LONGEST = 4000
_PLAIN = re.compile(r"[\w./:=,+@%^*?~-]+")
_ASKS_WHERE = frozenset(("-v", "-V"))
_POSIX_SHELL = re.compile(r"-[a-z]*c")
_SHELLS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"), _POSIX_SHELL),
    "cmd": re.compile(r"/[ckCK]"),
    **dict.fromkeys(("powershell", "pwsh"), re.compile(r"-c(?:ommand)?", re.IGNORECASE)),
}
_TAKES_A_NUMBER_FIRST = frozenset(("timeout", "gtimeout"))


@dataclass(frozen=True)
class Piece:
    """One program of a command line. `program` as typed; `name` without folder and `.exe`.

    `wrappers` are the programs before it that only run it ("sudo"), `variables` the names set for
    it alone; `before` and `after` the operators it stands between ("" at the ends of the line).
    """

    program: str
    arguments: tuple[str, ...]
    wrappers: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    before: str = ""
    after: str = ""

    @property
    def name(self) -> str:
        return name_of(self.program)

    @property
    def has_folder(self) -> bool:
        return "/" in self.program or "\\" in self.program


def name_of(program: str) -> str:
    """ "C:\\Python\\python.exe" is "python"."""
    return _SUFFIX.sub("", re.split(r"[/\\]", program)[-1])


def pieces_of(command: str) -> tuple[Piece, ...] | None:
    """The programs of a command line in order, or None when it is not plain.

    A shell that is only asked to run something ("bash -lc '…'") gives the programs of that.
    """
    words = _split(command) if len(command) <= _LONGEST else None
    if words is None:
        return None
    found: list[Piece] = []
    for part, before, after in _between_operators(words):
        if part and _GRAMMAR.fullmatch(part[0]):
            return None
        piece = _piece(part, before, after)
        if piece is None:
            continue
        asked = _asked_of_a_shell(piece)
        inside = None if asked is None else pieces_of(asked)
        if asked is not None and inside is None:
            return None
        found += [piece] if not inside else _set_between(inside, piece)
    return tuple(found)


def _asked_of_a_shell(piece: Piece) -> str | None:
    """The command line a shell was given to run, None for any other program."""
    options = _SHELLS.get(piece.name.casefold())
    for at, argument in enumerate(piece.arguments if options else ()):
        rest = piece.arguments[at + 1 :]
        if options and options.fullmatch(argument) and rest:
            return rest[0] if options is _POSIX_SHELL else " ".join(rest)
        if not argument.startswith(("-", "/")):
            return None
    return None


def _set_between(inside: Sequence[Piece], shell: Piece) -> list[Piece]:
    pieces = [
        replace(
            one,
            wrappers=(*shell.wrappers, *one.wrappers),
            variables=shell.variables + one.variables,
        )
        for one in inside
    ]
    pieces[0] = replace(pieces[0], before=shell.before)
    pieces[-1] = replace(pieces[-1], after=pieces[-1].after or shell.after)
    return pieces


@dataclass(frozen=True)
class _Word:
    text: str
    operator: bool = False


def _split(command: str) -> list[_Word] | None:
    """Shell words and operators; None for substitutions, here-documents and open quotes."""
    words: list[_Word] = []
    word, quoted = "", False
    at = 0
    command = command.replace("\\\n", " ").replace("\r", "").strip()
    while at < len(command):
        letter = command[at]
        plain = _PLAIN.match(command, at)
        if plain:
            word, at = word + plain.group(), plain.end()
            continue
        if letter in "'\"":
            end = _closing(command, at)
            if end is None:
                return None
            inside = command[at + 1 : end]
            if letter == '"' and ("$(" in inside or "`" in inside):
                return None
            word, quoted, at = word + inside, True, end + 1
            continue
        if letter == "`" or command.startswith(("$(", "<(", ">(", "<<"), at):
            return None
        operator = None
        if letter in "&|;\n":
            operator = next(one for one in _OPERATORS if command.startswith(one, at))
        if operator == "&" and (word.endswith(">") or command.startswith("&>", at)):
            operator = None
        if operator is not None or letter.isspace():
            if word or quoted:
                words.append(_Word(word))
            word, quoted = "", False
            if operator is not None:
                words.append(_Word(operator, operator=True))
            at += len(operator or letter)
            continue
        if letter == "\\" and at + 1 < len(command) and command[at + 1] in " \"'$&|;()\\":
            letter, at = command[at + 1], at + 1
        elif letter == "#" and not word:
            end = command.find("\n", at)
            at = len(command) if end < 0 else end
            continue
        word, at = word + letter, at + 1
    if word or quoted:
        words.append(_Word(word))
    return words


def _closing(command: str, start: int) -> int | None:
    mark, at = command[start], start + 1
    while at < len(command):
        if command[at] == "\\" and mark == '"' and command[at + 1 : at + 2] in ('"', "\\", "$"):
            at += 2
            continue
        if command[at] == mark:
            return at
        at += 1
    return None


def _between_operators(words: Sequence[_Word]) -> Iterator[tuple[list[str], str, str]]:
    part: list[str] = []
    before = ""
    for word in words:
        if word.operator:
            yield part, before, word.text
            part, before = [], word.text
        else:
            part.append(word.text)
    yield part, before, ""


def _piece(words: list[str], before: str, after: str) -> Piece | None:
    words = _without_redirections(words)
    wrappers: list[str] = []
    variables: list[str] = []
    while words:
        first = words[0]
        if first in ("(", "!", "&"):
            words = words[1:]
            continue
        if _VARIABLE.match(first):
            variables.append(first.split("=", 1)[0].strip().removeprefix("$env:"))
            words = words[1:]
            continue
        takes_value = _WRAPPERS.get(name_of(first))
        if takes_value is None or len(words) == 1 or words[1] in _ASKS_WHERE:
            break
        wrappers.append(name_of(first))
        words = _after_options(words[1:], takes_value)
        if wrappers[-1] in _TAKES_A_NUMBER_FIRST and words:
            words = words[1:]
    if not words:
        return None
    arguments = tuple(words[1:])
    return Piece(words[0].strip("()"), arguments, tuple(wrappers), tuple(variables), before, after)


def _after_options(words: list[str], takes_value: frozenset[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in takes_value else words[1:]
    return words


def _without_redirections(words: list[str]) -> list[str]:
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
            continue
        found = _REDIRECTION.match(word)
        if found:
            skip = found.end() == len(word)
            continue
        kept.append(word)
    return kept
