"""Somebody else's words inside a line: quotation marks, and what was said after a colon."""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.phrase_sets import WORD
from conch.words.prose_cues import ProseCues
from conch.words.prose_headings import is_own_heading
from conch.words.prose_lines import Line

LONGEST_QUOTE = 2000
MOST_LOOKED_AT = 200
"""Quotes of a line that are judged one by one; what is quoted beyond them is somebody's."""
_PAIRS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    '"': '"',
    "‚": "‘",
    "‘": "’",
    "'": "'",
    "`": "`",
    "‹": "›",
}
_CLOSES = {
    mark: re.compile(f"[{closers}]" + (r"(?!\w)" if mark in "'‘‚" else ""))
    for mark, closers in _PAIRS.items()
}
_EITHER_WAY = "'‘‚\""
_OPENS = re.compile("[“„«»「『\"‚‘'`‹]")
_COLON = re.compile(r"[:：]\s+(?=\S)|：")
_SAYS = re.compile(r"[.!?…。！？]$")


def quotes(text: str, start: int, end: int, cues: ProseCues) -> list[tuple[int, int]]:
    """The spans of quoted words, with their marks, in `text[start:end]`.

    A quote of one word or a title stays: it is the person's way to write, not somebody's words.
    """
    found: list[tuple[int, int]] = []
    at = start
    looked = 0
    unclosed: dict[str, int] = {}
    while opened := _OPENS.search(text, at, end):
        mark = opened.group()
        first = opened.start()
        at = first + 1
        if mark in _EITHER_WAY and not _stands_open(text, first, start):
            continue
        if unclosed.get(mark, -1) >= at:
            continue
        limit = min(end, at + LONGEST_QUOTE)
        closed = _CLOSES[mark].search(text, at, limit)
        if closed is None:
            unclosed[mark] = limit
            continue
        close = closed.start()
        looked += 1
        if looked > MOST_LOOKED_AT or somebodys(text, start, first, close, mark, cues):
            found.append((first, close + 1))
        at = close + 1
    return found


def closing_mark(text: str, start: int) -> int | None:
    """Just past where the quote that opens at `start` closes; None when it does not."""
    closed = _CLOSES[text[start]].search(text, start + 1, start + LONGEST_QUOTE)
    return closed.end() if closed else None


def _stands_open(text: str, at: int, start: int) -> bool:
    """Whether a mark that may open or close stands where one opens."""
    before = text[at - 1] if at > start else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    return not before.isalnum() and not after.isspace()


def somebodys(text: str, start: int, first: int, close: int, mark: str, cues: ProseCues) -> bool:
    """Whether a quote is somebody's words or machine output, not a word spoken of or a title."""
    inside = text[first + 1 : close].strip()
    folded = fold(inside[:400])
    words = WORD.findall(folded)
    if mark == "`":
        return len(words) >= 2 or len(inside) >= 12
    before = text[max(start, first - 80) : first]
    before_folded = fold(before)
    before_words = WORD.findall(before_folded)
    said = cues.said.last(before_folded, before_words)
    spoken = said is not None and said <= 4
    if spoken and _self_said(before_words, said, cues):
        return False
    if not words:
        return False
    unspaced = len(words) == 1 and len(inside) >= 6 and words[0][0] >= "\u3041"
    if spoken and (len(inside.split()) > 2 or unspaced or _SAYS.search(inside)):
        return True
    if unspaced:
        return len(inside) >= 8 or _SAYS.search(inside) is not None
    alone = text[start:first].strip() == "" or text[close + 1 : close + 40].strip() == ""
    if mark in "'‘‚":
        return len(words) >= 5
    return len(words) >= 4 or (len(words) >= 2 and (alone or _SAYS.search(inside) is not None))


def _self_said(before: list[str], back: int | None, cues: ProseCues) -> bool:
    """ "I said", "dije yo": the person's own words again."""
    if back is None or back >= len(before):
        return False
    place = len(before) - 1 - back
    near = before[max(0, place - 2) : place]
    return bool(near) and cues.i.at(" ".join(near), near) is not None


def after_colon(line: Line, text: str, cues: ProseCues) -> int | None:
    """Where somebody's words start after a colon inside a line; None when none do.

    "the plumber texted: I don't do Fridays", "Translate into Greek: I live in Patras".
    """
    colon = _COLON.search(text, line.start, min(line.end, line.start + 160))
    if colon is None or colon.end() >= line.end:
        return None
    lead = fold(text[line.start : colon.start()])
    words = WORD.findall(lead)
    rest = text[colon.end() : line.end]
    if is_own_heading(text[line.start : colon.start()], cues):
        return None
    if len(rest.split()) < 3 and not (rest and rest[0] >= "\u3041"):
        return None
    said = cues.said.last(lead, words)
    # Alone at its start "Escreve…:", "Write …:" is an order of the person's own.
    first = cues.said.at(lead, words)
    only = said is not None and first == 0 and said >= len(words) - 2
    ordered = only and len(words) > 1 and words[0][0] < "\u0e00"
    if said is not None and said <= 3 and not ordered and not _self_said(words, said, cues):
        return colon.end()
    work = cues.text_work.at(lead, words)
    if work is not None and (work <= 3 or work == 9) and len(words) <= 10:
        return colon.end()
    return None
