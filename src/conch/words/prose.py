"""A message's own prose: the person's own words, told from what they quoted or pasted.

Only the person's own words ground what is learned (spec 0088 §2, §4). What is taken out: quotes
(`>` lines, fences, quotation marks), mail and letters, code, logs, traces, tables, CSV, JSON,
diffs, timetables and menus, other people's chats, transcripts, scripts, verse, role-play, and
pasted text that something announces or that plainly is of another hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conch.words.prose_blocks import blocks, indented
from conch.words.prose_cues import ProseCues
from conch.words.prose_headings import material_after, speaks
from conch.words.prose_lines import SYMBOLS, Line, lines_of
from conch.words.prose_mail import mail, turns
from conch.words.prose_pastes import pastes
from conch.words.prose_posts import posts
from conch.words.prose_quotes import after_colon, closing_mark, quotes
from conch.words.prose_runs import MACHINE, shape

MOST_LINES = 1500
"""Lines of a message that are looked at, two thirds from its start: nobody types the rest."""
LONGEST_QUOTED = 40
"""Lines a quote may run over."""
LONGEST_LINE = 20_000
"""Characters nobody types without a line break: a longer line is pasted."""

_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,}|\"{3}|'{3})")
_FENCE_AT_END = re.compile(r"[:：]\s*(?P<fence>`{3,}|~{3,}|\"{3}|'{3})\w*$")
_COMMENT = ("# ", "//")
_QUOTED = re.compile(r">(?!>> )|\|\s(?=\S)(?!.*\|)")
_MAY_HOLD = re.compile(
    "[\n\r\x0b\x0c\x85\u2028\u2029“„«»「『\"‚‘'`‹:：{<*>|—$]|^\\s*(?:#|//)\\s|\\s-\\s"
)
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
    blocks(lines)
    cues = ProseCues(text)
    posts(lines, cues)
    mail(lines, cues)
    lines = _split_at_colons(lines, text, cues)
    shape(lines, cues)
    if len(lines) == 1 and lines[0].kind in MACHINE and _said_by_itself(lines[0].text):
        lines[0].kind = ""
    indented(lines)
    _spoken(lines, cues)
    _quoted_lines(lines, text, cues)
    pastes(lines, cues)
    spans = _spans(lines, text, cues)
    return OwnProse(spans, "\n".join(text[start:end] for start, end in spans))


def _said_by_itself(text: str) -> bool:
    """Whether what looks like a machine's may be typed: "square = 1:1", no comment of code."""
    return len(SYMBOLS.findall(text)) <= 1 and not text.startswith(_COMMENT)


def _marked(lines: list[Line]) -> None:
    """Fences and `>` marks."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line.text)
        if line.end - line.start > LONGEST_LINE:
            line.kind = "pasted"
        elif fence:
            line.kind = "fenced"
            if _closes(line.text, fence, mark):
                fence = ""
        elif mark and line.text.count(mark.group("fence")) == 1:
            line.kind = "fenced"
            fence = mark.group("fence")
        elif mark and mark.group("fence")[0] in "\"'" and line.text.endswith(mark.group("fence")):
            line.kind = "fenced"
        elif opened := _FENCE_AT_END.search(line.text):
            fence = opened.group("fence")
        elif _QUOTED.match(line.text):
            line.kind = "quoted"


def _closes(text: str, fence: str, mark: re.Match[str] | None) -> bool:
    """Whether a line ends the fence: alone on its line, or three quotation marks at its end."""
    alone = mark is not None and mark.group("fence").startswith(fence)
    if alone and len(text) <= len(fence) + 1:
        return True
    return fence[0] in "\"'" and text.endswith(fence)


def _split_at_colons(lines: list[Line], text: str, cues: ProseCues) -> list[Line]:
    """Lines whose end is somebody else's come apart at the colon.

    What a heading hands over goes on to the end of its paragraph, unless a line turns away from it.
    """
    found: list[Line] = []
    goes_on = False
    for line in lines:
        if goes_on and not line.kind and not line.after_blank and not turns(line, cues):
            line.kind = "said"
            found.append(line)
            continue
        goes_on = False
        material = None if line.kind else material_after(text, line.start, line.end, cues)
        cut = material
        if cut is None and not line.kind:
            cut = after_colon(line, text, cues)
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
        if rest and (material is not None or not rest[0].text.endswith(("?", "？"))):
            rest[0].kind = "said"
            goes_on = material is not None
    return found


def _spoken(lines: list[Line], cues: ProseCues) -> None:
    """Lines that begin with who speaks, and what they go on to say in the same paragraph."""
    goes_on = False
    for line in lines:
        goes_on = goes_on and not line.kind and not line.after_blank and not turns(line, cues)
        if goes_on or (not line.kind and speaks(line, cues)):
            line.kind = "chat"
            goes_on = True


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


_INLINE_MACHINE = re.compile(
    r"[{\[]\s*[\"'{\[][^\n]{0,1500}[}\]]|\"{3}[^\n]{1,1500}?\"{3}|`{3}[^\n]{1,1500}?`{3}"
)


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
