"""What lines are by their neighbours: tables, menus, timetables, chats, scripts, blocks of code.

What only might be code is code beside code; a price at a line's end makes a menu of two of them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from conch.words.fold import fold
from conch.words.phrase_sets import WORD
from conch.words.prose_cues import SPEAKERS, ProseCues
from conch.words.prose_lines import Line
from conch.words.prose_shapes import ARROW, shape_of
from conch.words.tokens import function_words

_SCORE = re.compile(r"\b\d{1,3}\s?[-–:]\s?\d{1,3}\b")
_SUBTITLE = re.compile(r"\d\d:\d\d:\d\d[,.]\d{1,3}\s*-->|\d{1,5}$")
_NUMERIC = re.compile(r"[€$£¥₹]\s?\d|\d+(?:[.,:]\d+)+|\d")
_PRICE_END = re.compile(
    r"(?:[€$£¥₹]\s?)?\d+(?:[.,]\d{1,2})?\s?(?:[€$£¥₹元円원]|EUR|USD|Euro|块|元|kr|zł)?\.?$"
)
_COUNTED = re.compile(r"\d+(?:[.,/]\d+)?\s[^\W\d_]+(?:\s[^\W\d_]+){0,2}$")
_COSTS = re.compile(r"\s[€$£¥]?\s?\d+[.,]\d\d(?:\s?[€$£])?$")
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b\d{4}\b")
_QUANTITY = re.compile(
    r"[-*•]?\s?\d+(?:[.,/]\d+)?\s?(?:g|kg|ml|cl|dl|l|tl|el|tbsp|tsp|cups?|oz|lb|%|pcs)\b"
)
_CAPS = re.compile(r"[A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я0-9 .'()/&-]{1,40}$")
_STAMP = (
    r"\[?\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s)?\d{1,2}[:.]\d\d(?::\d\d)?"
    r"(?:\s?[AaPp]\.?[Mm]\.?)?\]?\)?"
)
_SPEAKER = re.compile(
    rf"(?:{_STAMP}\s*(?:[-–]\s)?)?(?P<name>@?[^\W\d_][\w .'’()-]{{0,24}}?)"
    r"(?P<time>,?\s[(\[]?\d{1,2}[:.]\d\d[)\]]?)?\s?[:：]\s*(?=\S)"
)
_STAMPED = re.compile(rf"{_STAMP}\s(?:[-–]\s)?\S|<@?\w[\w.-]{{0,24}}>\s\S")
_NAME_TIME = re.compile(
    r"[^\W\d_][\w .'-]{0,24}\s+"
    r"(?:\d{1,2}:\d\d\s?(?:[AaPp][Mm])?|\d{1,2}/\d{1,2}/\d{2,4}.{0,12})$"
)

MACHINE = frozenset({"code", "log", "diff", "keys", "table", "heading"})


def shape(lines: list[Line], cues: ProseCues) -> None:
    """Gives each line the kind its shape shows, and then its neighbours'."""
    for line in lines:
        if not line.kind:
            line.kind, line.maybe = shape_of(line)
    _delimited(lines)
    _listed(lines)
    _own_lists(lines, cues)
    _chat(lines)
    _capitals(lines)
    _settle(lines)


_SEPARATORS = (",", ";")


def _delimited(lines: list[Line]) -> None:
    """Two or more neighbours with the same number of separators and short fields are a table."""
    for separator in _SEPARATORS:
        run: list[Line] = []
        many = 0
        for line in [*lines, None]:
            count = line.text.count(separator) if line and not line.kind else 0
            short = count > 0 and line is not None and _short_fields(line.text, separator)
            if line is not None and short and (count == many or not run):
                run.append(line)
                many = count
                continue
            if len(run) >= 2 and (many >= 2 or len(run) >= 3):
                for one in run:
                    one.kind = "table"
            run = [line] if line is not None and short else []
            many = count
    return


def _short_fields(text: str, separator: str) -> bool:
    fields = text.split(separator)
    if separator + " " in text:
        return False
    return all(len(field.split()) <= 4 for field in fields) and not text.endswith(("?", "!"))


def _listed(lines: list[Line]) -> None:
    """Neighbours that are names with prices, times or amounts are a menu, a timetable, a recipe."""
    run: list[Line] = []
    for line in [*lines, None]:
        if line is not None and not line.kind and _is_listed(line):
            run.append(line)
            continue
        if len(run) >= 2:
            for one in run:
                one.kind = "listed"
        run = []
    _alike(lines)
    names = [line for line in lines if not line.kind and _is_name(line)]
    if len(names) >= 3:
        for line in names:
            line.kind = "listed"
    for line, follows in pairwise(lines):
        if not line.kind and follows.kind == "listed" and is_label(line):
            line.kind = "listed"


def _alike(lines: list[Line]) -> None:
    """Three or more neighbours with a number in the same place and no small words."""
    run: list[Line] = []
    place: int | None = None
    for line in [*lines, None]:
        at = _number_place(line) if line is not None and not line.kind else None
        if at is not None and (at == place or not run):
            run.append(line) if line is not None else None
            place = at
            continue
        if len(run) >= 3:
            for one in run:
                one.kind = "listed"
        run = [line] if line is not None and at is not None else []
        place = at


def _number_place(line: Line) -> int | None:
    words = line.text.split()
    if not 2 <= len(words) <= 6 or line.natural or line.text[-1] in ".?!,":
        return None
    return next((at for at, word in enumerate(words) if word[0].isdigit()), None)


def _is_name(line: Line) -> bool:
    """A line of two or three words that are all written large, and nothing else."""
    words = line.text.split()
    return 2 <= len(words) <= 3 and all(word[0].isupper() and word.isalpha() for word in words)


def _own_lists(lines: list[Line], cues: ProseCues) -> None:
    """What a line about oneself announces ("I'm away:") is the person's own list."""
    for place, line in enumerate(lines):
        if line.kind or not line.text.endswith((":", "：")):
            continue
        about_oneself = cues.self.at(line.folded, line.words) is not None
        somebodys = cues.said.at(line.folded, line.words) is not None
        somebodys = somebodys or cues.texts.at(line.folded, line.words) is not None
        if not about_oneself or somebodys:
            continue
        for follows in lines[place + 1 :]:
            if follows.kind != "listed":
                break
            follows.kind = ""


def is_label(line: Line) -> bool:
    """Whether a line names what comes below it: "Ingredients", "About the role"."""
    return (
        1 <= len(line.words) <= 4
        and line.text[0].isalpha()
        and not line.text[0].islower()
        and line.words[0] != "i"
        and line.text[-1] not in ".,;!?…。？！"
    )


def _is_listed(line: Line) -> bool:
    text = line.text
    if text.endswith(("?", "!", ";")) or len(line.words) > 14 or not _NUMERIC.search(text):
        return False
    if _QUANTITY.match(text.lower()) and len(line.words) <= 7 and "," not in text.rstrip(","):
        return True
    if re.match(r"[-*•]\s|\d+[.)]\s", text):
        return False
    if _COUNTED.match(text):
        return True
    if _SCORE.search(text) and len(line.words) <= 7 and not line.natural:
        return True
    if _COSTS.search(text) and len(line.words) <= 9 and not text[0].islower():
        return True
    small = function_words()
    held = sum(word in small and not word.isdigit() and len(word) > 1 for word in line.words)
    if _PRICE_END.search(text) and held <= max(1, len(line.words) // 4) and len(line.words) >= 2:
        return True
    return len(_TIME.findall(text)) >= 2 and held <= 1


def _chat(lines: list[Line]) -> None:
    """Lines that start with who speaks, when at least two do so and a name comes back."""
    named: dict[int, str] = {}
    stamped: set[int] = set()
    for place, line in enumerate(lines):
        if line.kind and line.kind not in ("log", "listed", "table"):
            continue
        found = None if _NAME_TIME.match(line.text) else _SPEAKER.match(line.text)
        if found and len(found.group("name").split()) <= 3:
            named[place] = fold(found.group("name"))
            if found.group("time") or found.group()[0].isdigit() or found.group()[0] in "[(":
                stamped.add(place)
        elif (_STAMPED.match(line.text) and line.kind != "log") or _NAME_TIME.match(line.text):
            stamped.add(place)
    counts: dict[str, int] = {}
    for name in named.values():
        counts[name] = counts.get(name, 0) + 1
    speakers = SPEAKERS()
    known = {name for name in counts if name[0] == "@" or speakers.opens(name, WORD.findall(name))}
    talk = {
        place
        for place, name in named.items()
        if place in stamped or ((counts[name] > 1 or name in known) and len(named) >= 2)
    }
    if len(talk) >= 2 or len(stamped) >= 2:
        talk |= {place for place in named if place - 1 in talk or place + 1 in talk}
        talk |= stamped if len(stamped) >= 2 else set()
    if len(talk) < 2:
        return
    alternate = not any(place + 1 in stamped for place in stamped)
    for place in talk:
        lines[place].kind = "chat"
        follows = place + 1
        only_named = place in stamped and place not in named and len(lines[place].words) <= 5
        if alternate and only_named and follows < len(lines) and follows not in talk:
            lines[follows].kind = "chat"


def _capitals(lines: list[Line]) -> None:
    """A script: names in capitals on lines of their own, each before what is said."""
    named = [
        place
        for place, line in enumerate(lines)
        if not line.kind and len(line.words) <= 6 and _CAPS.match(line.text) and len(line.text) > 2
    ]
    for place in named:
        # One line of several words in capitals among others is a notice.
        if len(lines[place].words) >= 3 and len(lines) > len(named):
            lines[place].kind = "notice"
    if len(named) < 2:
        return
    for place in named:
        lines[place].kind = "script"
        if place + 1 < len(lines) and not lines[place + 1].kind:
            lines[place + 1].kind = "script"


def _settle(lines: list[Line]) -> None:
    """What might be of a shape is, beside a line that is or beside another that might be."""
    for place, line in enumerate(lines):
        if line.kind or not line.maybe:
            continue
        before = lines[place - 1] if place else None
        after = lines[place + 1] if place + 1 < len(lines) else None
        for other in (before, after):
            if other and (
                other.kind in MACHINE
                or (other.maybe == line.maybe and other.kind in ("", line.maybe))
            ):
                if line.natural and other.kind != line.maybe and not other.maybe:
                    continue
                line.kind = line.maybe
                break
    for place in range(1, len(lines) - 1):
        line = lines[place]
        if line.kind:
            continue
        before, after = lines[place - 1].kind, lines[place + 1].kind
        between = before in MACHINE and after in MACHINE
        if between and (line.indent >= 2 or not line.natural or before == after == "keys"):
            line.kind = before
    for place, line in enumerate(lines):
        follows = lines[place + 1].kind if place + 1 < len(lines) else ""
        before = lines[place - 1].kind if place else ""
        if not line.kind and line.text.isdigit() and follows == "subtitle":
            line.kind = "subtitle"
        if not line.kind and place and ARROW.match(lines[place - 1].text):
            line.kind = "subtitle"
        if not line.kind and before in ("code", "log") and line.indent >= 2:
            line.kind = before
        if not line.kind and before == "log" and lines[place - 1].text.endswith(","):
            line.kind = "log"
