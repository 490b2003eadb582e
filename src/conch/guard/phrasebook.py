"""Phrases of the language lexicons, found in a text as whole words.

A phrase in a lexicon is words, with four marks a native speaker can learn in a minute:

- `confirm*`  any ending: confirm, confirms, confirmation
- `(a|b)`     either
- `(a|b)?`    either, or nothing
- `...`       up to four words between

Scripts without blanks (Chinese, Japanese, Thai) match anywhere; Arabic words may carry "and",
"the" and the short prepositions in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from conch.guard.characters import canonical
from conch.words.fold import fold
from conch.words.lexicon import lexicons

_WITHOUT_BLANKS = {"Jpan", "Hans", "Hant", "Hani", "Thai"}
_BEFORE = r"(?<![\w\u0900-\u097f\u064b-\u0652])"
_AFTER = r"(?![\w\u0900-\u097f\u064b-\u0652])"
_ENDING = r"[\w\u0900-\u097f]*"
_ARABIC_FRONT = "(?:[وفبلك]{0,2}(?:ال)?)?"
_TOKEN = re.compile(r"\.\.\.|[()|*?]|\s+|[^()|*?\s.]+|\.")


class Phrasebook:
    """The phrases under one key of one topic, in every language, ready to be looked for.

    >>> book = Phrasebook({"en": ("without (asking|confirm*)",)})
    >>> book.find("run it without confirmation")
    'without confirmation'
    """

    def __init__(self, phrases: dict[str, Iterable[str]]) -> None:
        scripts = {lexicon.code: lexicon.script for lexicon in lexicons()}
        self._books: list[tuple[bool, re.Pattern[str]]] = []
        for code, some in phrases.items():
            script = scripts.get(code, "Latn")
            given = sorted({phrase for phrase in some if phrase.strip()}, key=len, reverse=True)
            if not given:
                continue
            body = "|".join(_pattern(phrase, script) for phrase in given)
            if script not in _WITHOUT_BLANKS:
                body = f"{_BEFORE}(?:{body})"
            self._books.append((script == "Latn", re.compile(body)))

    def find(self, folded: str) -> str | None:
        """The first phrase found in a folded text, as it stands there."""
        found = self.search(folded)
        return found.group() if found else None

    def search(self, folded: str) -> re.Match[str] | None:
        """The earliest match in a folded text, over all languages."""
        best: re.Match[str] | None = None
        plain = folded.isascii()
        for latin, book in self._books:
            if plain and not latin:
                continue
            found = book.search(folded)
            if found and (best is None or found.start() < best.start()):
                best = found
        return best

    def all(self, folded: str) -> list[re.Match[str]]:
        """Every match in a folded text, in order."""
        plain = folded.isascii()
        found = [
            match
            for latin, book in self._books
            if latin or not plain
            for match in book.finditer(folded)
        ]
        return sorted(found, key=lambda match: match.span())

    def without(self, folded: str) -> str:
        """`folded` with every match blanked out, its length kept."""
        for match in self.all(folded):
            start, end = match.span()
            folded = folded[:start] + " " * (end - start) + folded[end:]
        return folded


_CONTRACTED = re.compile(r"(?<=\w)'(?=(?:t|s|re|ve|ll|d|m)\b)")


def ready(text: str) -> str:
    """`text` as a `Phrasebook` is asked about it: what a reader sees, folded, "don't" as "dont"."""
    return _contracted(fold(canonical(text)))


def _contracted(folded: str) -> str:
    return _CONTRACTED.sub("", folded)


@cache
def phrasebook(topic: str, key: str) -> Phrasebook:
    """The `Phrasebook` of `[topic] key = […]` over every language that has it."""
    return Phrasebook({lexicon.code: lexicon.phrases(topic, key) for lexicon in lexicons()})


def _pattern(phrase: str, script: str) -> str:
    """A phrase as a regular expression over folded text."""
    tokens = _TOKEN.findall(phrase.replace("…", "...").strip())
    body, left = _sequence(tokens, script)
    if left:
        raise ValueError(f"a bracket is closed that was never opened: {phrase!r}")
    return body if script in _WITHOUT_BLANKS or phrase.endswith("*") else f"{body}{_AFTER}"


def _sequence(tokens: list[str], script: str) -> tuple[str, list[str]]:
    """The pattern of `tokens` up to a closing bracket, and the tokens from that bracket on."""
    blank = "" if script in _WITHOUT_BLANKS else " "
    gap = ".{0,8}?" if not blank else r"(?: [^\s.!?;]+){0,4}?"
    out, owed = "", ""  # a blank is owed until what follows it is known
    while tokens and tokens[0] != ")":
        token, tokens = tokens[0], tokens[1:]
        if token.isspace():
            owed = blank if out else ""
        elif token == "...":
            out, owed = out + gap, blank
        elif token == "|":
            out, owed = out + "|", ""
        elif token == "*":
            out += _ENDING if blank else ""
        elif token == "(":
            inner, tokens = _sequence(tokens, script)
            if not tokens:
                raise ValueError("a bracket is opened and never closed")
            tokens = tokens[1:]
            if tokens[:1] == ["?"]:
                tokens = tokens[1:]
                if out:
                    out += f"(?:{owed}(?:{inner}))?"
                else:
                    out, tokens = f"(?:(?:{inner}){blank})?", _without_first_blank(tokens)
            else:
                out += f"{owed}(?:{inner})"
                owed = ""
        else:
            front = _ARABIC_FRONT if script == "Arab" and (owed or not out) else ""
            out, owed = f"{out}{owed}{front}{re.escape(_contracted(fold(token)))}", ""
    return out, tokens


def _without_first_blank(tokens: list[str]) -> list[str]:
    return tokens[1:] if tokens and tokens[0].isspace() else tokens
