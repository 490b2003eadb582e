"""Which program a shell says it could not find, in the languages shells speak.

The message must be the shell's own: one of its lines, naming the program that was asked for. The
same words in a file that was printed, or about a program started by another one, are not.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

import tomli

from conch.learning.commands import Piece

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_QUOTE = "[\\s\"'`´‘’“”„‚«»‹›「」『』＂＇]*"
_SHELL = (
    r"(?:-?(?:[A-Za-z]:)?(?:[\w.+-]*[/\\])*(?:ba|z|da|k|mk|a|c|tc|fi|ya|xon|pw)?sh(?:\.exe)?"
    r"|\(eval\)|sudo|doas|(?:/usr/bin/)?env|g?time|nohup|nice|ionice|g?timeout|setsid|stdbuf|exec|xargs"
    r"|busybox|pyenv|rbenv|(?:\w+\.)*\w*(?:Error|Exception)|PROGRAM)"
)
_BEFORE = (
    rf"(?:{_SHELL}\s?[:：]\s?(?:\d+\s?[:：]\s?)?(?:[^\n:：\"'‘’“”«»]{{1,24}}[:：]\s?){{0,2}})?"
)
_READ = 2000
_LINES = 4
_NOT_THERE = frozenset((127, 9009))
_EXIT_LINE = re.compile(r"^\s*(?:exit (?:code|status)|\[?exited with)\W*\d+\W*$", re.IGNORECASE)
_OF_A_FILE = re.compile(r"no such file|datei oder verzeichnis", re.IGNORECASE)
_IN_A_BOX = re.compile(r"^\s*Error: nu::")
_POWERSHELL = r"ObjectNotFound: \(PROGRAM:String\)[\s\S]{0,80}?CommandNotFoundException"


def says_missing(piece: Piece, output: str, exit: int | None, alone: bool = False) -> bool:
    """Whether `output` says that the program of `piece` itself is not there.

    `exit` 127 (POSIX shells) and 9009 (cmd) mean just that, so with them any language will do as
    long as the shell's line names the program. `alone`: nothing else ran in the step, so that
    with any other status the message must be the first thing that was printed.
    """
    lines, folded = _lines(output[:_READ])
    name = piece.program.casefold()
    word = re.compile(rf"(?<![a-z0-9_/.-]){re.escape(name)}(?![a-z0-9_/-])")
    naming = [at for at, line in enumerate(folded) if name in line and word.search(line)][:_LINES]
    if not name or not naming:
        return False
    program = re.escape(piece.program)
    *patterns, by_powershell = _patterns()
    if by_powershell(program).search("\n".join(lines)):
        return True
    if alone and exit not in _NOT_THERE and not _IN_A_BOX.match(lines[0]):
        naming = [at for at in naming if at == 0]
    about = "\n".join("\n".join(lines[at : at + 2]) for at in naming)
    if any(pattern(program).search(about) for pattern in patterns):
        return True
    return exit in _NOT_THERE and any(_names(piece, lines[at], exit) for at in naming if at < 3)


@lru_cache(maxsize=16)
def _lines(output: str) -> tuple[list[str], list[str]]:
    """The lines that say something, as they are and case folded."""
    printed = _COLOURS.sub("", output).replace("\r", "").split("\n")
    lines = [line for line in printed if line.strip() and not _EXIT_LINE.match(line)]
    return lines, [line.casefold() for line in lines]


def _names(piece: Piece, line: str, exit: int | None) -> bool:
    """Whether a line is the shell's or a wrapper's and names the program, in any language."""
    program = re.escape(piece.program)
    if exit == 9009:
        return bool(re.search(rf"(?<![\w/.-]){program}(?![\w/-])", line, re.IGNORECASE))
    said = re.match(rf"^\s*({_SHELL.replace('|PROGRAM', '')})\s?[:：]", line)
    if not said or not re.search(rf"(?<![\w/.-]){program}(?![\w/-])", line[said.end() :]):
        return False
    by_wrapper = said.group(1).split("/")[-1] in piece.wrappers
    return by_wrapper or not _OF_A_FILE.search(line)


class _Pattern:
    """A message with a gap for the program; compiled once a program."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._made: dict[str, re.Pattern[str]] = {}

    def __call__(self, program: str) -> re.Pattern[str]:
        made = self._made.get(program)
        if made is None:
            source = self._source.replace("PROGRAM", program)
            made = re.compile(source, re.IGNORECASE | re.MULTILINE)
            if len(self._made) > 200:
                self._made.clear()
            self._made[program] = made
        return made


@cache
def _patterns() -> tuple[_Pattern, ...]:
    raw = tomli.loads(files("conch.learning").joinpath("not_found.toml").read_text("utf-8"))
    after = "|".join(re.escape(words.rstrip(".")) for words in raw["after"])
    line = rf"^\s*{_BEFORE}{_QUOTE}PROGRAM{_QUOTE}[:：]{_QUOTE}(?:{after})\s*[.。]*\s*$"
    around = "|".join(_with_quotes(sentence) for sentence in raw["around"])
    sentence = rf"^\s*{_BEFORE}(?:[^\n:]{{0,20}}\s)?{_QUOTE}(?:{around})"
    return _Pattern(line), _Pattern(sentence), _Pattern(_POWERSHELL)


def _with_quotes(sentence: str) -> str:
    """A sentence in which blanks may be any blanks and the program may stand in quotes."""
    parts = [
        re.sub(r"(?:\\ )+", r"\\s*", re.escape(part.strip()))
        for part in re.split(r"['“”]?PROGRAM['“”]?", sentence)
    ]
    end = r"(?![\w/-])" if sentence.rstrip().endswith("PROGRAM") else ""
    return f"{_QUOTE}PROGRAM{_QUOTE}".join(parts) + end
