"""The lines of a message, as own prose is looked for line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from conch.words.fold import fold
from conch.words.phrase_sets import WORD
from conch.words.tokens import function_words

LOOKED_AT = 400
"""Characters of a line that are looked at."""

SYMBOLS = re.compile(r"[{}\[\]()<>=;/\\|_*&^%$#@~`+]")


@dataclass
class Line:
    """A line of a message, or a piece of one: where it is, what it says, what it is.

    `kind` is empty while it may be the person's own, else the name of a shape. `sure`: it is the
    person's, however it reads.
    """

    start: int
    end: int
    text: str
    folded: str
    words: list[str]
    indent: int = 0
    after_blank: bool = False
    kind: str = ""
    maybe: str = ""
    sure: bool = False

    @property
    def natural(self) -> bool:
        """Whether it reads like a sentence: small words among few words, no symbols of code."""
        if not self.words:
            return False
        small = function_words()
        held = sum(word in small and len(word) > 1 for word in self.words)
        if held < 2 and (len(self.words) > 4 or any(char.isdigit() for char in self.text)):
            return False
        return held * 6 >= len(self.words) and len(SYMBOLS.findall(self.text)) * 12 <= len(
            self.text
        )


_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def lines_of(text: str, most: int | None = None) -> list[Line]:
    """The lines of `text` that are not blank; of more than `most`, the first ones and the last."""
    spans: list[tuple[int, int, bool]] = []
    at = 0
    blank = False
    for raw in _BREAK.split(text):
        start, at = at, at + len(raw)
        if at < len(text):
            at += 2 if text.startswith("\r\n", at) else 1
        if not raw or raw.isspace():
            blank = True
            continue
        spans.append((start, start + len(raw), blank))
        blank = False
    if most is None or len(spans) <= most:
        return [_line(text, *span) for span in spans]
    first, last = spans[: most * 2 // 3], spans[-most // 3 :]
    between = Line(first[-1][1], last[0][0], "…", "", [], kind="pasted")
    return [
        *(_line(text, *span) for span in first),
        between,
        *(_line(text, *span) for span in last),
    ]


def _line(text: str, start: int, end: int, after_blank: bool) -> Line:
    raw = text[start:end]
    indent = len(raw) - len(raw.lstrip())
    depth = len(raw[:indent].expandtabs(4))
    bare = raw.strip()
    head = bare[:LOOKED_AT]
    folded = fold(head)
    first = start + indent
    words = WORD.findall(folded)
    return Line(first, first + len(bare), head, folded, words, depth, after_blank)
