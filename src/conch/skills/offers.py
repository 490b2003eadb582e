"""Offers: drafts from work that went well, waiting for the person (spec 0058 §1, §4, §7).

`skill-learned.json` holds the offers, which chats had their chance, and what was turned down. An
offer and the chance it used are written in one step, so a chat is never offered twice, whatever
cuts Conch off.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.ids import new_id
from conch.home.store import Store
from conch.skills.library import Library, Mode, Skill
from conch.skills.standing import MOST_WAITING
from conch.skills.usage import SkillUsage

NOT_NOW = timedelta(days=30)
TRIES = 3
BETWEEN_TRIES = timedelta(hours=1)
_MOST_CHANCES = 1_000
_MOST_TURNED_DOWN = 500


class _Kept(BaseModel):
    model_config = ConfigDict(extra="allow")


class Offer(_Kept):
    """One draft. `permissions` is its list as spelled; `note` says what the chat had read.
    `chats`: in how many the same was asked for, where a habit earned it (`signal` "habit").

    `until`: it was put off till then. `saving` is the folder name while it is being saved.
    """

    id: str
    key: str
    chat: str
    chat_title: str = ""
    at: datetime
    ended_seq: int = 0
    signal: str = "long"
    steps: int = 0
    chats: int = 1
    asked: list[str] = Field(default_factory=list)
    title: str
    description: str
    instructions: str
    permissions: list[str] = Field(default_factory=list)
    note: str = ""
    state: Literal["open", "saved"] = "open"
    until: datetime | None = None
    saving: str = ""


class Chance(_Kept):
    """A chat's (or routine's) one chance. `tries` counts those that ended before any answer."""

    used: bool = False
    tries: int = 0
    next_try: datetime | None = None
    at: datetime


class _TurnedDown(_Kept):
    text: str
    at: datetime


class _Learned(_Kept):
    version: int = 1
    offers: list[Offer] = Field(default_factory=list)
    chances: dict[str, Chance] = Field(default_factory=dict)
    turned_down: list[_TurnedDown] = Field(default_factory=list)


class Offers:
    """The offers of one home, and the person's answers to them."""

    def __init__(self, home: Home, library: Library, usage: SkillUsage) -> None:
        self._clock = home.clock
        self._library = library
        self._usage = usage
        self._store = Store(home.root / "skill-learned.json", _Learned, home.notes)

    def open(self) -> list[Offer]:
        """The offers that wait for the person now, newest first; five at most."""
        now = self._clock.now()
        waiting = [
            one
            for one in self._store.load().offers
            if one.state == "open" and not one.saving and (one.until is None or one.until <= now)
        ]
        return sorted(waiting, key=lambda one: one.at, reverse=True)[:MOST_WAITING]

    def get(self, reference: str) -> Offer:
        """The open offer of this id or number (1 is the newest). Raises ConchError."""
        waiting = self.open()
        if reference.isdecimal() and 1 <= int(reference) <= len(waiting):
            return waiting[int(reference) - 1]
        found = [one for one in waiting if reference and one.id.endswith(reference)]
        if len(found) != 1:
            raise ConchError(
                f"There is no offer “{reference}”.", "Nothing was done.", "conch skills offers"
            )
        return found[0]

    def turned_down(self) -> tuple[str, ...]:
        """What was turned down for good, in words."""
        return tuple(one.text for one in self._store.load().turned_down)

    def may_try(self, key: str) -> bool:
        """Whether this chat's chance is there, and its time has come."""
        chance = self._store.load().chances.get(key)
        if chance is None:
            return True
        waits = chance.next_try is not None and chance.next_try > self._clock.now()
        return not chance.used and chance.tries < TRIES and not waits

    def had_its_chance(self, key: str) -> bool:
        """Whether the chance is gone for good."""
        chance = self._store.load().chances.get(key)
        return chance is not None and (chance.used or chance.tries >= TRIES)

    def trying(self, *keys: str) -> None:
        """Write down, before a model is asked, that it is: a crash then counts as one try."""
        now = self._clock.now()

        def changed(kept: _Learned) -> _Learned:
            for key in keys:
                tries = kept.chances[key].tries if key in kept.chances else 0
                chance = Chance(tries=tries + 1, next_try=now + BETWEEN_TRIES, at=now)
                kept = _with_chance(kept, key, chance)
            return kept

        self._store.change(changed)

    def answered(self, *keys: str, offer: Offer | None) -> None:
        """An answer came: the chances are used, and the offer (None: refused) is there, at once."""
        now = self._clock.now()

        def changed(kept: _Learned) -> _Learned:
            for key in keys:
                kept = _with_chance(kept, key, Chance(used=True, at=now))
            if offer is None or any(one.key in keys for one in kept.offers):
                return kept
            return kept.model_copy(update={"offers": [*kept.offers, offer]})

        self._store.change(changed)

    def new(self, **given: object) -> Offer:
        """An offer with a new id, from now."""
        return Offer.model_validate({"id": new_id("ws"), "at": self._clock.now(), **given})

    def save(
        self,
        reference: str,
        *,
        title: str = "",
        description: str = "",
        instructions: str = "",
        mode: Mode = "manual",
    ) -> Skill:
        """The person saves a draft, as it is or as they changed it; this settles the offer."""
        offer = self.get(reference)
        taken = {skill.name for skill in self._library.skills() if skill.own}
        name = self._library.name_for(title or offer.title, taken)
        self._set(offer.id, lambda one: one.model_copy(update={"saving": name}))
        try:
            skill = self._library.save(
                title or offer.title,
                description or offer.description,
                instructions or offer.instructions,
                offer.permissions,
                mode,
                name,
            )
        except (ConchError, OSError):
            self._set(offer.id, lambda one: one.model_copy(update={"saving": ""}))
            raise
        self._settle(offer, skill.id)
        return skill

    def not_now(self, reference: str) -> Offer:
        """Put an offer off for a month."""
        offer = self.get(reference)
        until = self._clock.now() + NOT_NOW
        self._set(offer.id, lambda one: one.model_copy(update={"until": until}))
        return offer

    def never(self, reference: str) -> Offer:
        """Turn an offer down for good: work like it isn't offered again."""
        offer = self.get(reference)
        said = [*offer.asked, f"{offer.title}. {offer.description}"]
        now = self._clock.now()

        def changed(kept: _Learned) -> _Learned:
            down = [*kept.turned_down, *(_TurnedDown(text=text, at=now) for text in said)]
            offers = [one for one in kept.offers if one.id != offer.id]
            update = {"turned_down": down[-_MOST_TURNED_DOWN:], "offers": offers}
            return kept.model_copy(update=update)

        self._store.change(changed)
        return offer

    def recover(self) -> None:
        """Carry through a save that a crash cut off: the skill is there, or the offer waits."""
        self._library.mend()
        for offer in self._store.load().offers:
            if offer.saving and (self._library.folder / offer.saving).is_dir():
                self._settle(offer, offer.saving)
            elif offer.saving:
                self._set(offer.id, lambda one: one.model_copy(update={"saving": ""}))

    def _settle(self, offer: Offer, skill: str) -> None:
        self._usage.came(skill, "suggested" if offer.signal == "habit" else "learned")
        self._set(offer.id, lambda one: one.model_copy(update={"state": "saved", "saving": ""}))

    def _set(self, id: str, how: Callable[[Offer], Offer]) -> None:
        def changed(kept: _Learned) -> _Learned:
            offers = [how(one) if one.id == id else one for one in kept.offers]
            return kept.model_copy(update={"offers": offers})

        self._store.change(changed)


def _with_chance(kept: _Learned, key: str, chance: Chance) -> _Learned:
    chances = {**kept.chances, key: chance}
    if len(chances) > _MOST_CHANCES:
        oldest = sorted(chances, key=lambda one: chances[one].at)[: len(chances) - _MOST_CHANCES]
        chances = {one: value for one, value in chances.items() if one not in oldest}
    return kept.model_copy(update={"chances": chances})
