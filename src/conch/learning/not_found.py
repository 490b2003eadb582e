"""Which program a shell says it could not find, in the languages shells speak.

The message must be the shell's own: one of its lines, naming the program that was asked for. The
same words in a file that was printed, or about a program started by another one, are not.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from conch.learning.commands import Piece

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_QUOTE = "[\\s\"'`´‘’“”„‚«»‹›「」『』＂＇]*"
_BEFORE = r"(?:[^\n]{0,60}?[:：>]\s?)?"
_READ = 2000
_NOT_THERE = frozenset((127, 9009))
_SHELL = re.compile(
    r"^-?(?:/\S*/)?(?:ba|z|da|k|mk|a|c|tc|fi|ya)?sh\b|^\(eval\)|^sudo\b|^doas\b|^env\b|^time\b|^nohup\b"
)


def says_missing(piece: Piece, output: str, exit: int | None) -> bool:
    """Whether `output` says that the program of `piece` itself is not there.

    `exit` 127 (POSIX shells) and 9009 (cmd) mean just that, so with them any language will do as
    long as the shell's line names the program.
    """
    text = _COLOURS.sub("", output[:_READ]).replace("\r", "")
    if not text.strip():
        return False
    program = re.escape(piece.program)
    if any(pattern(program).search(text) for pattern in _patterns()):
        return True
    if exit in _NOT_THERE:
        first = next(line for line in text.splitlines() if line.strip())
        named = re.search(rf"(?<![\w/.-]){program}(?![\w/-])", first)
        missing_file = re.search(r"no such file|datei oder verzeichnis", first, re.IGNORECASE)
        return bool(named and _SHELL.match(first.strip()) and not missing_file)
    return False


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
    raw = tomllib.loads(files("conch.learning").joinpath("not_found.toml").read_text("utf-8"))
    after = "|".join(re.escape(words.rstrip(".")) for words in raw["after"])
    line = rf"^{_BEFORE}{_QUOTE}PROGRAM{_QUOTE}[:：]{_QUOTE}(?:{after})\s*[.。]?\s*$"
    around = [
        rf"^{_BEFORE}(?:[^\n:]{{0,20}}\s)?" + _QUOTE + _with_quotes(sentence)
        for sentence in raw["around"]
    ]
    return (_Pattern(line), *(_Pattern(source) for source in around))


def _with_quotes(sentence: str) -> str:
    """A sentence in which blanks may be any blanks and the program may stand in quotes."""
    parts = [
        re.sub(r"(?:\\ )+", r"\\s*", re.escape(part.strip()))
        for part in re.split(r"['“”]?PROGRAM['“”]?", sentence)
    ]
    end = r"(?![\w/-])" if sentence.rstrip().endswith("PROGRAM") else ""
    return f"{_QUOTE}PROGRAM{_QUOTE}".join(parts) + end
