"""Mail and letters inside a message: replies, forwarded mail, header blocks, salutation to name."""

from __future__ import annotations

import re
from bisect import bisect_right

from conch.words.fold import fold
from conch.words.prose_cues import (
    CLOSING,
    FORWARDED,
    GREETING,
    HEADERS,
    WROTE,
    ProseCues,
)
from conch.words.prose_lines import Line

_HEADER = re.compile(r"\*{0,2}(?P<name>[^\W\d_][^:：\n]{0,24}?)\*{0,2}\s?(?::(?:\s|$|\*)|：)")
_RULE = re.compile(r"[-_=*—–>]{2,}\s*(?P<words>[^-_=*—–]{3,60}?)\s*[-_=*—–<]*$")
MOST_HEADERS = 12
_DATED = re.compile(r"\d|@")


def mail(lines: list[Line], cues: ProseCues) -> None:
    """Gives lines of mail and letters the kind `mail`."""
    place = 0
    while place < len(lines):
        start = _mail_starts(lines, place)
        if start is None:
            place += 1
            continue
        end = _mail_ends(lines, start, cues)
        for line in lines[place:end]:
            line.kind = line.kind or "mail"
        place = end
    _letters(lines, cues)


def _header(line: Line) -> str:
    found = _HEADER.match(line.text)
    if not found:
        return ""
    name = fold(found.group("name"))
    words = name.split()
    return name if words and len(words) <= 3 and _is_header(name) else ""


def _is_header(name: str) -> bool:
    return HEADERS().at(name, name.split()) == 0 and len(name) <= 24


def _mail_starts(lines: list[Line], place: int) -> int | None:
    """Where the mail's own text starts, when one starts at `place`; else None."""
    line = lines[place]
    if line.kind not in ("", "keys", "log", "chat", "table") or (line.kind and not _header(line)):
        return None
    if _header(line):
        end = place
        seen: set[str] = set()
        while end < min(len(lines), place + MOST_HEADERS) and (name := _header(lines[end])):
            seen.add(name)
            end += 1
        return end if len(seen) >= 2 else None
    rule = _RULE.match(line.text)
    said = fold(rule.group("words")) if rule else line.folded
    if FORWARDED().at(said, said.split()) is not None and (rule or len(line.words) <= 6):
        end = place + 1
        while end < len(lines) and _header(lines[end]):
            end += 1
        return end
    if _wrote(line):
        follows = lines[place + 1] if place + 1 < len(lines) else None
        if follows is None or follows.kind == "quoted":
            line.kind = "mail"
            return None
        dated = _DATED.search(line.text) is not None and (line.after_blank or place == 0)
        return place + 1 if dated else None
    return None


def _wrote(line: Line) -> bool:
    """ "On Tue, 3 Mar 2026 Dana wrote:" in any of the languages."""
    if not line.text.rstrip().endswith((":", "：")) or len(line.text) > 200:
        return False
    back = WROTE().last(line.folded, line.words)
    if back is None:
        return False
    return (back <= 4 or back == 9) and (
        _DATED.search(line.text) is not None or len(line.words) <= 4
    )


def _mail_ends(lines: list[Line], start: int, cues: ProseCues) -> int:
    """The first line after the mail whose text starts at `start`."""
    for place in range(start, len(lines)):
        if place > start and _mail_starts(lines, place) is not None and lines[place].after_blank:
            return place
        if closes(lines[place]) and place > start:
            end = place + 1
            while end < len(lines) and not lines[end].after_blank and end - place <= 5:
                if not _signs(lines[end]):
                    break
                end += 1
            # A signature may stand apart from "Thanks,"; mail programs add a line of their own.
            while end < len(lines) and (
                FORWARDED().opens(lines[end].folded, lines[end].words)
                or (end == place + 1 and _signs(lines[end]) and not _turns(lines[end], cues))
            ):
                end += 1
            if end >= len(lines) or _mail_starts(lines, end) is None:
                return end
            return end
    # Without a closing: to the end, unless the last paragraph turns to the assistant.
    for place in range(len(lines) - 1, start, -1):
        if lines[place].after_blank:
            return place if _turns(lines[place], cues) else len(lines)
    return len(lines)


def closes(line: Line) -> bool:
    """Whether a line is the formula a letter ends with."""
    if len(line.words) > (8 if line.text.endswith(",") else 4) or len(line.text) > 60:
        return False
    if line.text.endswith(("?", "？", "!", "！")) or ", " in line.text:
        return False
    return CLOSING().opens(line.folded, line.words)


def _signs(line: Line) -> bool:
    """Whether a line may belong to a signature: a few words, no sentence."""
    return (
        len(line.words) <= 6 and len(line.text) <= 60 and not line.text.endswith(("?", "!", "？"))
    )


def _turns(line: Line, cues: ProseCues) -> bool:
    """Whether a line turns to the assistant: it asks for something or about a text."""
    asks = cues.asks.at(line.folded, line.words)
    return (
        cues.text_work.at(line.folded, line.words) is not None
        or (asks is not None and (asks <= 1 or asks == 9))
        or line.text[:1].islower()
    )


def greets(line: Line) -> bool:
    """Whether a line is a salutation by itself: "Dear Ms Abara,"."""
    if len(line.words) > 6 or line.text.endswith(("?", "？")):
        return False
    if len(line.words) > 3 and line.text[-1] not in ",!:.;，、。：！":
        return False
    return GREETING().opens(line.folded, line.words)


def _signed(lines: list[Line], place: int) -> int | None:
    """Past the lone name that ends what "Hi Jules," begins; None when none does."""
    if len(lines[place].words) < 2 or not lines[place].text.endswith(","):
        return None
    for at in range(place + 2, min(place + 12, len(lines))):
        words = lines[at].text.split()
        if len(words) <= 2 and all(word.isalpha() and word[0].isupper() for word in words):
            return at + 1
    return None


def _addressed(salutation: Line, first: Line, cues: ProseCues) -> bool:
    """Whether "Dear residents," opens a letter though nothing closes it."""
    if len(salutation.words) < 2 or not salutation.text.endswith((",", ":", "，", "：", "、")):
        return False
    return not (salutation.text[:1].islower() or _turns(first, cues) or first.text.endswith("?"))


def _letters(lines: list[Line], cues: ProseCues) -> None:
    """From a salutation to the formula and name that end it."""
    closings = [at for at, line in enumerate(lines) if not line.kind and closes(line)]
    place = 0
    while place < len(lines):
        if lines[place].kind or not greets(lines[place]):
            place += 1
            continue
        after = bisect_right(closings, place)
        close = closings[after] if after < len(closings) else None
        if close is None:
            end = _signed(lines, place)
            follows = lines[place + 1] if place + 1 < len(lines) else None
            if end is None and follows and _addressed(lines[place], follows, cues):
                end = _mail_ends(lines, place + 1, cues)
            for line in lines[place : end or place]:
                line.kind = line.kind or "mail"
            place = max(place + 1, end or 0)
            continue
        end = close + 1
        while end < len(lines) and end - close <= 3 and _signs(lines[end]):
            if lines[end].after_blank and (_turns(lines[end], cues) or end > close + 1):
                break
            end += 1
        whole = place == 0 and end == len(lines)
        if whole and len(lines[place].words) == 1:
            return  # "Hi, … Thanks": a person being polite to the assistant
        for line in lines[place:end]:
            line.kind = line.kind or "mail"
        place = end
