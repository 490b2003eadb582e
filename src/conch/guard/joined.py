"""Pieces planted across saves: what several memories say together that none of them says alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from conch.guard.characters import encoded_blobs
from conch.guard.orders import an_order
from conch.guard.powers import a_power
from conch.guard.scan import scan_text
from conch.guard.secrets import find_secrets

MOST_PIECES = 6
_A_SECRET = "it makes a key, a password or a code"
_AN_ORDER = "it makes an order that neither was"
_ENDS = re.compile(r"[\s.…,;:-]+$")
_STARTS = re.compile(r"^[\s.…,;:-]+")


def made_by_joining(text: str, recent: Sequence[str]) -> tuple[str, ...]:
    """What `text` makes with the chat's recent saves (oldest first), as ends of a sentence.

    Tried are the last few saves before it in their order, and each of them just before and just
    after it; joined with a space, and without one where a key could have been cut in two. What a
    piece holds by itself does not count, so two memories that are merely next to each other make
    nothing.
    """
    saves = [one for one in recent[-MOST_PIECES:] if one.strip() and one != text]
    if not saves:
        return ()
    wholes = [[*saves, text]]
    wholes += [[one, text] for one in saves[:-1]]
    wholes += [[text, one] for one in saves]
    found: dict[str, None] = {}
    for pieces in wholes:
        trimmed = [_STARTS.sub("", _ENDS.sub("", piece)) for piece in pieces]
        for what in (*_said_together(trimmed), *_cut_in_two(trimmed)):
            found[what] = None
    return tuple(found)


def _said_together(pieces: Sequence[str]) -> Iterator[str]:
    whole, joints = _join(pieces, " ")
    if _secrets(whole) - {secret for piece in pieces for secret in _secrets(piece)}:
        yield _A_SECRET
    dangers = [(one.start, one.end) for one in scan_text(whole) if one.level == "danger"]
    if _over_a_joint(dangers, joints):
        yield _AN_ORDER
    if a_power(whole) and not any(map(a_power, pieces)):
        yield "it lets something happen without asking you"
    if an_order(whole) and not any(map(an_order, pieces)):
        yield _AN_ORDER


def _cut_in_two(pieces: Sequence[str]) -> Iterator[str]:
    """Keys and encoded parts that only show when pieces are put together without a space."""
    if not any(_could_be_cut(left, right) for left, right in pairwise(pieces)):
        return
    whole, joints = _join(pieces, "")
    if _over_a_joint([(one.start, one.end) for one in find_secrets(whole)], joints):
        yield _A_SECRET
    if _over_a_joint([(one.start, one.end) for one in encoded_blobs(whole)], joints):
        yield "it makes something that has to be decoded"


@lru_cache(maxsize=64)
def _secrets(text: str) -> frozenset[str]:
    return frozenset(text[one.start : one.end] for one in find_secrets(text))


def _could_be_cut(left: str, right: str) -> bool:
    last, first = left.split()[-1:], right.split()[:1]
    return bool(last and first) and all(
        len(part) >= 5 and re.search(r"\d|[a-z][A-Z]|[_+/=]", part) for part in (*last, *first)
    )


def _join(pieces: Sequence[str], between: str) -> tuple[str, list[int]]:
    """The pieces as one text, and where each but the first starts."""
    joints: list[int] = []
    at = 0
    for piece in pieces[:-1]:
        at += len(piece) + len(between)
        joints.append(at)
    return between.join(pieces), joints


def _over_a_joint(spans: Sequence[tuple[int, int]], joints: Sequence[int]) -> bool:
    return any(start < joint < end for start, end in spans for joint in joints)
