"""Blocks that are set apart by how they are written: indented, changed lines, rows with a head."""

from __future__ import annotations

import re

from conch.words.prose_lines import Line
from conch.words.tokens import content_tokens

_INDENT = 4
_LISTED = re.compile(r"(?:[-*•·+]|\d{1,2}[.)]|[a-z]\))\s")
_CHANGED = re.compile(r"(?P<sign>[+-])\s?(?P<words>[^\s+-].*)")
_COMMENT = re.compile(r"//+\s?\S|/\*|<!--")
_SHORT_FIELD = 4
_MOST_COMPARED = 50


def blocks(lines: list[Line]) -> None:
    """Gives comments of code, changed lines and rows with a head a kind."""
    for line in lines:
        if not line.kind and _COMMENT.match(line.text):
            line.kind = "code"
    _changed(lines)
    _rows(lines)


def indented(lines: list[Line]) -> None:
    """Gives lines set in by four characters or a tab, beside others that are not, a kind.

    A nested list is none of them, nor what has a shape of its own.
    """
    if not any(not line.kind and line.indent < _INDENT for line in lines):
        return
    inside = False
    for place, line in enumerate(lines):
        if line.kind or line.indent < _INDENT or _LISTED.match(line.text):
            inside = False
            continue
        before = lines[place - 1] if place else None
        opens = before is None or line.after_blank or before.text.endswith((":", "：", "?", "？"))
        below_item = before is not None and _LISTED.match(before.text) is not None
        if inside or (opens and not below_item):
            line.kind = "indented"
            inside = True


def _changed(lines: list[Line]) -> None:
    """A run of lines with + and - where one says nearly what another does: what was changed."""
    run: list[Line] = []
    for line in [*lines, None]:
        if line is not None and not line.kind and _CHANGED.match(line.text):
            run.append(line)
            continue
        if _nearly_the_same(run):
            for one in run:
                one.kind = "diff"
        run = []


def _nearly_the_same(run: list[Line]) -> bool:
    sides: dict[str, list[set[str]]] = {"+": [], "-": []}
    for line in run[:_MOST_COMPARED]:
        found = _CHANGED.match(line.text)
        if found:
            sides[found.group("sign")].append(set(content_tokens(found.group("words"))))
    return any(
        len(added & taken) >= 2 and len(added & taken) * 2 >= max(len(added), len(taken))
        for added in sides["+"]
        for taken in sides["-"]
    )


def _rows(lines: list[Line]) -> None:
    """Rows below a head of short fields, with as many separators each: a pasted table."""
    for separator in (";", ",", "\t"):
        for place, head in enumerate(lines):
            many = head.text.count(separator)
            if head.kind or many < 2 or not _is_head(head.text, separator):
                continue
            end = place + 1
            while end < len(lines) and _is_row(lines[end], separator, many):
                end += 1
            if end - place >= 2:
                for line in lines[place:end]:
                    line.kind = "table"


def _is_head(text: str, separator: str) -> bool:
    fields = text.split(separator)
    return separator + " " not in text and all(
        0 < len(field.split()) <= _SHORT_FIELD for field in fields
    )


def _is_row(line: Line, separator: str, many: int) -> bool:
    text = re.sub(r'"[^"]{0,400}"', "", line.text)
    return (
        not line.kind
        and text.count(separator) == many
        and separator + " " not in text
        and not line.after_blank
    )
