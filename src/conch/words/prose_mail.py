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
from conch.words.prose_headings import names_the_assistant, sent_from
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
    _signed_below(lines, cues)
    _letters(lines, cues)


def _signed_below(lines: list[Line], cues: ProseCues) -> None:
    """A mail that only shows by what ends it: a signature below "--", "Sent from my iPhone"."""
    for place, line in enumerate(lines):
        if line.kind not in ("", "mail") or place == 0 or not _ends_a_mail(lines, place):
            continue
        start = place
        while start and not lines[start - 1].kind:
            start -= 1
        # A question or a task above it all is the person's: "Works?", "answer him please".
        opening = next((at for at in range(start + 1, place) if lines[at].after_blank), start)
        if all(_asks_about_it(one, cues) for one in lines[start:opening]):
            start = opening
        end = place + 1
        while end < len(lines) and not lines[end].after_blank and _signs(lines[end]):
            end += 1
        for one in lines[start:end]:
            one.kind = one.kind or "mail"


def _ends_a_mail(lines: list[Line], place: int) -> bool:
    line = lines[place]
    if sent_from(line.text):
        return place + 1 == len(lines) or lines[place + 1].after_blank
    if line.text not in ("--", "—") or place + 1 == len(lines):
        return False
    follows = lines[place + 1]
    words = follows.text.split()
    named = len(words) <= 4 and not any(word[0].islower() for word in words)
    return named and _signs(follows) and not follows.after_blank


def _asks_about_it(line: Line, cues: ProseCues) -> bool:
    return line.text.endswith(("?", "？", "؟", ":", "：")) or turns(line, cues)


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
                or (end == place + 1 and _signs(lines[end]) and not turns(lines[end], cues))
            ):
                end += 1
            if end >= len(lines) or _mail_starts(lines, end) is None:
                return end
            return end
    # Without a closing: to the end, unless the last paragraph turns to the assistant.
    for place in range(len(lines) - 1, start, -1):
        if lines[place].after_blank:
            return place if turns(lines[place], cues) else len(lines)
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


def turns(line: Line, cues: ProseCues) -> bool:
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


def _to_the_assistant(salutation: Line) -> bool:
    """Whether a salutation names nobody, or the assistant: "Hi,", "Good morning Conch,"."""
    words = salutation.words
    for known in range(len(words), 0, -1):
        greeting = words[:known]
        if GREETING().at(" ".join(greeting), greeting) == 0:
            rest = [word for word in words[known:] if word not in greeting]
            if known <= 3 and (not rest or names_the_assistant(rest)):
                return known < len(words) or len(words) <= 2
    return False


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
    return not (salutation.text[:1].islower() or turns(first, cues) or first.text.endswith("?"))


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
            if lines[end].after_blank and (turns(lines[end], cues) or end > close + 1):
                break
            end += 1
        whole = place == 0 and end == len(lines)
        if whole and _to_the_assistant(lines[place]):
            for line in lines:
                line.sure = not line.kind
            return  # "Hi, … Thanks": a person being polite to the assistant
        for line in lines[place:end]:
            line.kind = line.kind or "mail"
        place = end
