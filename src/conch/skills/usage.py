"""When each skill was last used, and how it came here: `skill-usage.json` (spec 0058 §6)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.home.home import Home
from conch.home.store import Store

Origin = Literal["suggested", "learned", "imported"]
"""How Conch put a skill there; one a person wrote themself has none."""


_MOST_CHATS = 500


class Use(BaseModel):
    """What is known of one skill. `kept`: when the person last chose to keep it on the shelf.

    `chats`: in which it was used, and how often.
    """

    model_config = ConfigDict(extra="allow")

    used: datetime | None = None
    times: int = 0
    origin: Origin | None = None
    came: datetime | None = None
    kept: datetime | None = None
    chats: dict[str, int] = Field(default_factory=dict)

    @property
    def says_where(self) -> bool:
        """Whether `chats` names the chat of every use there was."""
        return sum(self.chats.values()) == self.times

    @property
    def last(self) -> datetime | None:
        """The last time it was used, made or kept."""
        return max((when for when in (self.used, self.came, self.kept) if when), default=None)


class _Usage(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    skills: dict[str, Use] = Field(default_factory=dict)


class SkillUsage:
    """The count of one home. Every way a skill is used ends in one call of `used`."""

    def __init__(self, home: Home) -> None:
        self._clock = home.clock
        self._store = Store(home.root / "skill-usage.json", _Usage, home.notes)

    def of(self, skill: str) -> Use:
        """What is known of a skill; nothing, for one that is not in the count."""
        return self._store.load().skills.get(skill, Use())

    def all(self) -> dict[str, Use]:
        return dict(self._store.load().skills)

    def used(self, skill: str, chat: str) -> None:
        """A skill was used in a chat, now."""
        before = self.of(skill)
        chats = {**before.chats, chat: before.chats.get(chat, 0) + 1}
        if len(chats) > _MOST_CHATS:
            chats.pop(next(iter(chats)))
        update = {"used": self._clock.now(), "times": before.times + 1, "chats": chats}
        self._set(skill, before.model_copy(update=update))

    def came(self, skill: str, origin: Origin) -> None:
        """Conch put a skill there, now: saved from an offer, or brought in."""
        if self.of(skill).origin is None:
            update = {"origin": origin, "came": self._clock.now()}
            self._set(skill, self.of(skill).model_copy(update=update))

    def keep(self, skill: str) -> None:
        """The person keeps a skill that wasn't used: it is asked about again in 60 days."""
        self._set(skill, self.of(skill).model_copy(update={"kept": self._clock.now()}))

    def forget(self, skill: str) -> None:
        """The skill is gone."""
        self._store.change(
            lambda kept: kept.model_copy(
                update={"skills": {id: use for id, use in kept.skills.items() if id != skill}}
            )
        )

    def _set(self, skill: str, use: Use) -> None:
        self._store.change(
            lambda kept: kept.model_copy(update={"skills": {**kept.skills, skill: use}})
        )
