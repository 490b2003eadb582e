"""Messages copied out of chats and feeds: told by the line that says who wrote them and when.

Slack, Teams, Discord, Telegram, WhatsApp, iMessage, X, Reddit, LinkedIn and the like each put such
a line before a message, or on it. One is enough here; what only might be one counts beside another
(`prose_runs.py`).
"""

from __future__ import annotations

import re

from conch.words.prose_cues import ProseCues
from conch.words.prose_headings import is_given_name
from conch.words.prose_lines import Line
from conch.words.prose_mail import turns

_NAME = r"[^\W\d_][^\W\d_.'’-]*(?:[ .'’-]{1,2}[^\W\d_][^\W\d_.'’-]*){0,3}"
_TIME = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}[./]\d{1,2}\.?)"
_STAMP = rf"(?:{_DATE},?\s{{0,2}})?{_TIME}(?:\s?(?:Uhr|h))?"

_ON_ITS_LINE = re.compile(
    rf"(?:[\[(]{_STAMP}[\])]\s*[-–]?|{_DATE},?\s{_TIME}\s?[-–])\s*[~@+]?[^:\n\[\]]{{1,40}}:\s\S"
    rf"|[\[(]{_STAMP}[\])]\s*<[^>\s]{{1,30}}>\s\S|<[@+%]?\w[\w.-]{{0,24}}>\s\S"
)
"""Who, when and what on one line: "[10:32] Anna: …", "01/03/2024, 10:32 - Anna: …"."""
_SURELY = re.compile(
    rf"""
      .{{1,40}},\s\[{_STAMP}\]:?$                             # Telegram
    | .{{1,40}}\s[(]?@\w[\w.-]{{1,30}}[)]?\s?[·•∙-]\s?\S.{{0,24}}$  # X, Mastodon
    | /?u/[\w-]{{2,30}}(?:\s?[·•∙]?\s.{{0,40}})?$             # Reddit
    | (?:r/\w+.{{0,20}}\s)?[·•∙]?\s?Posted\sby\su/\S.{{0,40}}$
    | @\w[\w.-]{{1,30}}\s{{1,3}}[·•∙]?\s?\d{{1,2}}\s?\S.{{0,20}}$   # YouTube, TikTok
    | .{{1,40}}\s[·•∙]\s?(?:1st|2nd|3rd\+?|1\.|2\.|3\.)$      # LinkedIn
    | \d{{1,2}}\s?[^\W\d_]{{1,4}}\.?\s[·•∙](?:\s\S.{{0,20}})?$
    """,
    re.VERBOSE,
)
_NAME_FIRST = re.compile(rf"(?P<name>{_NAME})(?P<gap>[\s,]{{1,4}})[\[(]?(?P<stamp>{_STAMP})[\])]?$")
_NAME_LAST = re.compile(rf"[\[(]?(?P<stamp>{_STAMP})[\])]?(?P<gap>\s{{1,4}})(?P<name>{_NAME})$")
_DASHED = re.compile(
    rf"(?P<name>{_NAME})\s[—–·•]\s(?P<when>[^\n]{{0,24}}?\d{{1,2}}[:.]\d\d[^\n]{{0,8}}|{_DATE})$"
)
_NEVER_BY_SHAPE = 9
_OF_THE_DAY = re.compile(r"[AaPp]\.?\s?[Mm]\.?$")


def posts(lines: list[Line], cues: ProseCues) -> None:
    """Gives copied messages and the lines that say whose they are the kind `chat`."""
    heads = [place for place, line in enumerate(lines) if not line.kind and _heads(lines, place)]
    for place in heads:
        lines[place].kind = "chat"
    for place in heads:
        if _ON_ITS_LINE.match(lines[place].text):
            continue
        at = place + 1
        while at < len(lines) and not lines[at].kind:
            line = lines[at]
            last = at + 1 == len(lines) or lines[at + 1].after_blank
            # Slack puts a blank line after the name; a question below the message may be one's own.
            if (line.after_blank and at > place + 1) or (
                at > place + 1 and last and turns(line, cues)
            ):
                break
            line.kind = "chat"
            at += 1


def _heads(lines: list[Line], place: int) -> bool:
    """Whether a line says who wrote a message and when."""
    text = lines[place].text
    if _ON_ITS_LINE.match(text):
        return True
    if place + 1 == len(lines) or len(text) > 90:
        return False
    if _SURELY.match(text):
        return True
    dashed = _DASHED.match(text)
    if dashed:
        when = dashed.group("when")
        return _is_name(dashed.group("name"), 1) and not when[0].islower()
    found = _NAME_FIRST.match(text) or _NAME_LAST.match(text)
    if not found:
        return False
    told_apart = len(found.group("gap")) >= 2 or _OF_THE_DAY.search(found.group("stamp"))
    return _is_name(found.group("name"), 2 if told_apart else _NEVER_BY_SHAPE)


def _is_name(text: str, words: int) -> bool:
    """Whether a text begins with a given name, or is written as a name of at least so many words.

    "Team Meeting" is written so too: a time beside it must be set apart as programs do.
    """
    parts = text.split()
    if is_given_name(parts[0]):
        return all(not part[0].islower() for part in parts)
    return len(parts) >= words and all(part[0].isupper() and not part.isupper() for part in parts)
