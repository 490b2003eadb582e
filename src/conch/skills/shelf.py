"""The tidy shelf: skills nobody used in two months may be turned off, by a press (spec 0058 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from conch.skills.library import Library, Skill
from conch.skills.usage import SkillUsage, Use

UNUSED_FOR = timedelta(days=60)


def on_the_shelf(
    skills: Iterable[Skill], usage: Mapping[str, Use], now: datetime
) -> tuple[Skill, ...]:
    """The skills to ask about: Conch put them there, they are on, they work, and they haven't been
    used, made or kept for 60 days. One the person wrote, or another app's, never is."""
    found: list[Skill] = []
    for skill in skills:
        use = usage.get(skill.id)
        if use is None or use.origin is None or use.last is None:
            continue
        works = skill.own and skill.mode != "off" and not skill.problems
        if works and use.last <= now - UNUSED_FOR:
            found.append(skill)
    return tuple(found)


class Shelf:
    """The shelf of one home. Looking changes nothing."""

    def __init__(self, library: Library, usage: SkillUsage) -> None:
        self._library = library
        self._usage = usage

    def unused(self, now: datetime) -> tuple[Skill, ...]:
        return on_the_shelf(self._library.skills(), self._usage.all(), now)

    def turn_off(self, ids: Sequence[str], now: datetime) -> tuple[Skill, ...]:
        """Turn off those of `ids` that are still on the shelf at this moment; gives them."""
        found = [skill for skill in self.unused(now) if skill.id in ids]
        return tuple(self._library.set_mode(skill, "off") for skill in found)

    def keep(self, ids: Sequence[str], now: datetime) -> tuple[Skill, ...]:
        """Keep those of `ids` that are still on the shelf: asked about again in 60 days."""
        found = tuple(skill for skill in self.unused(now) if skill.id in ids)
        for skill in found:
            self._usage.keep(skill.id)
        return found
