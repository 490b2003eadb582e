"""Pieces planted across saves: what several memories say together that none of them says alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from conch.guard.characters import encoded_blobs
from conch.guard.orders import an_order
from conch.guard.powers import a_power
from conch.guard.scan import scan_text
from conch.guard.secrets import find_secrets

MOST_PIECES = 6
_ENDS = re.compile(r"[\s.…,;:-]+$")
_STARTS = re.compile(r"^[\s.…,;:-]+")


def made_by_joining(text: str, recent: Sequence[str]) -> tuple[str, ...]:
    """What `text` makes with the chat's recent saves (oldest first), as ends of a sentence.

    Tried are the last few saves before it in their order, and each of them after it; joined with
    and without a space. Only what reaches over a joint counts, so two harmless memories that are
    merely next to each other make nothing.
    """
    saves = [one for one in recent[-MOST_PIECES:] if one.strip() and one != text]
    if not saves:
        return ()
    wholes = [[*saves[-count:], text] for count in range(1, len(saves) + 1)]
    wholes += [[text, one] for one in saves]
    found: dict[str, None] = {}
    for pieces in wholes:
        for between in ("", " "):
            for what in _made(pieces, between):
                found[what] = None
    return tuple(found)


def _made(pieces: Sequence[str], between: str) -> list[str]:
    trimmed = [_STARTS.sub("", _ENDS.sub("", piece)) for piece in pieces]
    whole = between.join(trimmed)
    joints: list[int] = []
    at = 0
    for piece in trimmed[:-1]:
        at += len(piece)
        joints.append(at)
        at += len(between)
    found: list[str] = []
    over = [(one.start, one.end) for one in find_secrets(whole)]
    if _over_a_joint(over, joints):
        found.append("it makes a key, a password or a code")
    if _over_a_joint([(one.start, one.end) for one in encoded_blobs(whole)], joints):
        found.append("it makes something that has to be decoded")
    dangers = [(one.start, one.end) for one in scan_text(whole) if one.level == "danger"]
    if _over_a_joint(dangers, joints):
        found.append("it makes an order that neither was")
    if between and a_power(whole) and not any(map(a_power, trimmed)):
        found.append("it lets something happen without asking you")
    if between and an_order(whole) and not any(map(an_order, trimmed)):
        found.append("it makes an order that neither was")
    return found


def _over_a_joint(spans: Sequence[tuple[int, int]], joints: Sequence[int]) -> bool:
    return any(start < joint < end for start, end in spans for joint in joints)
