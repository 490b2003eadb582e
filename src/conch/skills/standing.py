"""Whether work that went well may be offered now (spec 0058 §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conch.skills.alike import like_one_of
from conch.skills.work import NotKept, Work
from conch.words.meaning import Meaning

MOST_WAITING = 5


@dataclass(frozen=True)
class Standing:
    """What else decides: `offered` says this chat (or routine) had its chance already.

    `waiting` counts the open offers; `skills` are "title. description" of the skills there are,
    `turned_down` what the person turned down for good.
    """

    offered: bool = False
    waiting: int = 0
    skills: tuple[str, ...] = ()
    turned_down: tuple[str, ...] = ()


def may_be_offered(
    work: Work, standing: Standing, meaning: Meaning | None = None
) -> NotKept | None:
    """The row that keeps work from being offered; None when a model may be asked for a draft."""
    if standing.offered:
        return NotKept("offered before")
    alike = stands_in_the_way(work.asked, standing, meaning)
    if alike is not None:
        return alike
    if standing.waiting >= MOST_WAITING:
        return NotKept("five wait")
    return None


def stands_in_the_way(
    said: Sequence[str], standing: Standing, meaning: Meaning | None = None
) -> NotKept | None:
    """ "like a skill" or "turned down" when one of `said` is like one; None otherwise."""
    if like_one_of(said, standing.turned_down, meaning) is not None:
        return NotKept("turned down")
    if like_one_of(said, standing.skills, meaning) is not None:
        return NotKept("like a skill")
    return None
