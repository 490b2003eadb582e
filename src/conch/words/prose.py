"""A message's own prose: the person's own words, told from what they quoted or pasted.

Only the person's own words ground what is learned (spec 0088 §2, §4). What is taken out: quotes
(`>` lines, fences, quotation marks), mail and letters, code, logs, traces, tables, CSV, JSON,
diffs, timetables and menus, other people's chats, transcripts, scripts, verse, role-play, and
pasted text that something announces or that plainly is of another hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conch.words.prose_cues import ProseCues
from conch.words.prose_lines import SYMBOLS, Line, lines_of
from conch.words.prose_mail import mail
from conch.words.prose_pastes import pastes
from conch.words.prose_quotes import after_colon, closing_mark, quotes
from conch.words.prose_runs import MACHINE, shape

MOST_LINES = 1500
"""Lines of a message that are looked at, two thirds from its start: nobody types the rest."""
LONGEST_QUOTED = 40
"""Lines a quote may run over."""
LONGEST_LINE = 20_000
"""Characters nobody types without a line break: a longer line is pasted."""

_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})")
_QUOTED = re.compile(r">(?!>> )|\|\s(?=\S)(?!.*\|)")
_MAY_HOLD = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029“„«»「『\"‚‘'`‹:：{<*>|—$]")
_QUOTE_STARTS = '“„«»「『"‹'


@dataclass(frozen=True)
class OwnProse:
    """The person's own words in a message.

    `spans`: character spans of the message, in order, not overlapping. `text`: those spans, each
    on a line of its own, so that words never come to stand together that did not.
    """

    spans: tuple[tuple[int, int], ...]
    text: str


def own_prose(text: str) -> OwnProse:
    """The parts of `text` the person says themself. Time is linear in the length of `text`.

    >>> own_prose('my boss said: "I never eat lunch" and I do').text
    'my boss said:\\nand I do'
    """
    if len(text) <= LONGEST_LINE and not _MAY_HOLD.search(text):
        bare = text.strip()
        start = text.find(bare) if bare else 0
        return OwnProse(((start, start + len(bare)),), bare) if bare else OwnProse((), "")
    lines = lines_of(text, MOST_LINES)
    _marked(lines)
    cues = ProseCues(text)
    mail(lines, cues)
    lines = _split_at_colons(lines, text, cues)
    shape(lines, cues)
    if len(lines) == 1 and lines[0].kind in MACHINE and len(SYMBOLS.findall(lines[0].text)) <= 1:
        lines[0].kind = ""  # "square = 1:1", said by itself
    _quoted_lines(lines, text, cues)
    pastes(lines, cues)
    spans = _spans(lines, text, cues)
    return OwnProse(spans, "\n".join(text[start:end] for start, end in spans))


def _marked(lines: list[Line]) -> None:
    """Fences and `>` marks."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line.text)
        if line.end - line.start > LONGEST_LINE:
            line.kind = "pasted"
        elif fence:
            line.kind = "fenced"
            if mark and mark.group("fence").startswith(fence) and len(line.text) <= len(fence) + 1:
                fence = ""
        elif mark and line.text.count(mark.group("fence")) == 1:
            line.kind = "fenced"
            fence = mark.group("fence")
        elif _QUOTED.match(line.text):
            line.kind = "quoted"


def _split_at_colons(lines: list[Line], text: str, cues: ProseCues) -> list[Line]:
    """Lines whose end somebody else said come apart at the colon."""
    found: list[Line] = []
    for line in lines:
        cut = None if line.kind else after_colon(line, text, cues)
        if cut is None or text[cut] in _QUOTE_STARTS + "'‘{[<":
            found.append(line)
            continue
        lead, rest = lines_of(text[line.start : cut])[:1], lines_of(text[cut : line.end])[:1]
        for piece, shift in ((lead, line.start), (rest, cut)):
            for one in piece:
                one.start += shift
                one.end += shift
                found.append(one)
        if lead:
            lead[0].after_blank = line.after_blank
        if rest and not rest[0].text.endswith(("?", "？")):
            rest[0].kind = "said"
    return found


def _quoted_lines(lines: list[Line], text: str, cues: ProseCues) -> None:
    """Quotes over several lines, and lines of a story that start with somebody speaking."""
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.kind or line.text[0] not in _QUOTE_STARTS:
            place += 1
            continue
        within = quotes(text, line.start, line.end, cues)
        if within and within[0][0] == line.start:
            rest = text[within[0][1] : line.end].strip(" .,;:-–—")
            covered = sum(end - start for start, end in within)
            few = len(rest.split())
            attributed = text[within[0][1] : line.end].lstrip()[:1] in ("-", "–", "—")
            mostly = covered * 2 >= line.end - line.start
            if (attributed and few <= 8) or (mostly and few <= 4):
                line.kind = "spoken"
            place += 1
            continue
        closed = closing_mark(text, line.start)
        over = next(
            (
                later
                for later in range(place, min(place + LONGEST_QUOTED, len(lines)))
                if closed is not None and lines[later].start < closed <= lines[later].end
            ),
            None,
        )
        if closed is not None and over is not None and over > place:
            for one in lines[place : over + 1]:
                one.kind = one.kind or "spoken"
            if len(text[closed : lines[over].end].split()) > 3:
                lines[over].kind = ""
                lines[over].start = closed
            place = over
        place += 1


_INLINE_MACHINE = re.compile(r"[{\[]\s*[\"'{\[][^\n]{0,1500}[}\]]")


def _spans(lines: list[Line], text: str, cues: ProseCues) -> tuple[tuple[int, int], ...]:
    """Own lines without what is quoted in them; neighbours are joined into one span."""
    spans: list[tuple[int, int]] = []
    joined = False
    for line in lines:
        if line.kind:
            joined = False
            continue
        at = line.start
        cut = quotes(text, line.start, line.end, cues)
        machine = _INLINE_MACHINE.search(text, line.start, line.end)
        if machine:
            cut = sorted({*cut, machine.span()})
        for start, end in cut:
            if start < at:
                at = max(at, end)
                continue
            joined = _add(spans, text, at, start, joined)
            joined = False
            at = end
        joined = _add(spans, text, at, line.end, joined)
    return tuple(spans)


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int, joined: bool) -> bool:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end or not any(char.isalnum() for char in text[start:end]):
        return joined
    if joined and spans:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))
    return True
