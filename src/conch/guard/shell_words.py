"""A second, much smaller reading of a command line, character by character.

The shell's grammar (`conch.guard.shell`) is a large thing and now and then reads a line otherwise
than bash does. This reader knows only the plainest of bash, refuses the rest, and shares nothing
with the grammar: where both find the same programs, neither was led astray.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_OPERATORS = ("&>>", "<<-", "<<<", "&&", "||", "|&", ";;", "&>", ">>", ">|", ">&", "<&", "<<", "<>")
_SINGLE = "|&;()<>\n"
_REDIRECTIONS = {">", ">>", ">|", ">&", "&>", "&>>", "<", "<<", "<<-", "<<<", "<&"}
_ENDS = {"&&", "||", "|", "|&", ";", "&", "\n", "(", ")"}
_PUT_IN = re.compile(r"\$[A-Za-z0-9_{(\[?$!#@*'\"-]")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")


class Odd(Exception):
    """Something that only the grammar may know."""


@dataclass
class _Word:
    text: str
    quoted: bool


@dataclass
class _Lexer:
    text: str
    place: int = 0
    tokens: list[str | _Word] = field(default_factory=list)
    heredocs: list[tuple[str, bool]] = field(default_factory=list)

    def read(self) -> list[str | _Word]:
        """Operators as text, everything else as words. Raises Odd."""
        while self.place < len(self.text):
            mark = self.text[self.place]
            if mark in " \t":
                self.place += 1
            elif self.text.startswith("\\\n", self.place):
                self.place += 2
            elif mark == "#":
                end = self.text.find("\n", self.place)
                self.place = len(self.text) if end < 0 else end
            elif mark in _SINGLE:
                self._operator()
            else:
                self._word()
        if self.heredocs:
            raise Odd
        return self.tokens

    def _operator(self) -> None:
        operator = next(
            (one for one in _OPERATORS if self.text.startswith(one, self.place)),
            self.text[self.place],
        )
        if operator in (";;", "<>"):
            raise Odd
        self.place += len(operator)
        last = self.tokens[-1] if self.tokens else None
        if operator[0] in "<>" and isinstance(last, _Word):
            touching = not self.text[self.place - len(operator) - 1].isspace()
            if touching and last.text.isdigit() and not last.quoted:
                self.tokens.pop()
            elif touching and last.text.startswith("{"):
                raise Odd
        self.tokens.append(operator)
        if operator in ("<<", "<<-"):
            self._heredoc_begins(operator == "<<-")
        elif operator == "\n":
            self._heredocs_pass()

    def _word(self) -> None:
        out: list[str] = []
        quoted = False
        while self.place < len(self.text):
            mark = self.text[self.place]
            if mark in " \t" or mark in _SINGLE:
                break
            if mark == "\\":
                following = self.text[self.place + 1 : self.place + 2]
                if following in ("", "\n"):
                    raise Odd
                out.append(following)
                quoted = True
                self.place += 2
            elif mark == "'":
                end = self.text.find("'", self.place + 1)
                if end < 0:
                    raise Odd
                out.append(self.text[self.place + 1 : end])
                quoted = True
                self.place = end + 1
            elif mark == '"':
                out.append(self._in_double_quotes())
                quoted = True
            elif mark == "`" or _PUT_IN.match(self.text, self.place):
                raise Odd
            else:
                out.append(mark)
                self.place += 1
        if self.place < len(self.text) and self.text[self.place] == "(":
            raise Odd
        self.tokens.append(_Word("".join(out), quoted))

    def _in_double_quotes(self) -> str:
        out: list[str] = []
        self.place += 1
        while self.place < len(self.text):
            mark = self.text[self.place]
            if mark == '"':
                self.place += 1
                return "".join(out)
            if mark == "`" or _PUT_IN.match(self.text, self.place):
                after = self.text[self.place + 1 : self.place + 2]
                if mark == "`" or after not in ("'", '"'):
                    raise Odd
            if mark == "\\" and self.text[self.place + 1 : self.place + 2] in ('"', "\\", "`", "$"):
                self.place += 1
                mark = self.text[self.place]
            elif self.text.startswith("\\\n", self.place):
                self.place += 2
                continue
            out.append(mark)
            self.place += 1
        raise Odd

    def _heredoc_begins(self, tabs: bool) -> None:
        while self.text[self.place : self.place + 1] in (" ", "\t"):
            self.place += 1
        before = len(self.tokens)
        self._word()
        delimiter = self.tokens.pop() if len(self.tokens) > before else None
        if not isinstance(delimiter, _Word) or not re.fullmatch(r"\w+", delimiter.text):
            raise Odd
        self.tokens.pop()  # The operator: what it brings is no program and no file.
        self.heredocs.append((delimiter.text, tabs))

    def _heredocs_pass(self) -> None:
        for delimiter, tabs in self.heredocs:
            while True:
                if self.place >= len(self.text):
                    raise Odd
                end = self.text.find("\n", self.place)
                end = len(self.text) if end < 0 else end
                line = self.text[self.place : end]
                self.place = min(end + 1, len(self.text))
                if line.endswith("\\"):
                    raise Odd
                if (line.lstrip("\t") if tabs else line) == delimiter:
                    break
        self.heredocs.clear()


def programs_by_words(text: str) -> tuple[list[tuple[str, ...]], list[str]] | None:
    """The programs with their words, and the paths output goes to; None for all but plain lines."""
    try:
        tokens = _Lexer(text).read()
    except Odd:
        return None
    programs: list[tuple[str, ...]] = []
    writes: list[str] = []
    words: list[str] = []
    begins = True
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if isinstance(token, str) and token in _ENDS:
            programs += [tuple(words)] if words else []
            words = []
            begins = True
        elif isinstance(token, str):
            target = tokens[place] if place < len(tokens) else None
            place += 1
            begins = False  # Behind a redirection `}` and `!` are words like any other.
            if token not in _REDIRECTIONS or not isinstance(target, _Word):
                return None
            if token in (">", ">>", ">|", "&>", "&>>") or (
                token == ">&" and not re.fullmatch(r"\d+-?|-", target.text)
            ):
                writes.append(target.text)
        elif begins and not token.quoted and token.text in ("{", "}", "!"):
            continue
        elif begins and not token.quoted and token.text in _RESERVED:
            return None
        elif not words and _ASSIGNED.match(token.text):
            begins = False
        else:
            words.append(token.text)
            begins = False
    programs += [tuple(words)] if words else []
    return [words for words in programs if not _is_test(words)], writes


_RESERVED = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac"}
    | {"in", "select", "function", "time", "coproc", "[[", "]]"}
)


def _is_test(words: tuple[str, ...]) -> bool:
    return (words[0] == "[" and words[-1] == "]") or words[0] == "export"
