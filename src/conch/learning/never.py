"""What the person took back: the never-list, `learning/never.json` (spec 0088 §6)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.home.home import Home
from conch.home.ids import new_id
from conch.home.store import Store
from conch.learning.changes import NeverItem
from conch.learning.likeness import close_to
from conch.words.likeness import same
from conch.words.meaning import Meaning

CameFrom = Literal["undo", "forgot", "dismissed"]


def match_never(
    text: str, items: Iterable[NeverItem], meaning: Meaning | None = None
) -> tuple[Literal["same", "close"], NeverItem] | None:
    """What of the never-list `text` repeats ("same") or only comes close to ("close").

    The same is decided on words in order, with numbers, names and "not" kept; meaning may only
    say close. Another place, number or name in the same words is another fact, and no match.
    """
    items = list(items)
    for item in items:
        if same(text, item.text):
            return "same", item
    near = close_to(text, [item.text for item in items], meaning)
    return None if near is None else ("close", items[near])


class _Item(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    text: str
    at: datetime
    came_from: CameFrom = "undo"


class _List(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    items: list[_Item] = Field(default_factory=list)


class NeverList:
    """The list on disk. No tool reaches it; only the person's Undo, Forget and Remove change it."""

    def __init__(self, home: Home) -> None:
        self._clock = home.clock
        self._store = Store(home.learning / "never.json", _List, home.notes)

    def items(self) -> tuple[NeverItem, ...]:
        """Everything on the list, oldest first. Raises OSError when the file cannot be read."""
        return tuple(
            NeverItem(item.id, item.text, item.at, item.came_from)
            for item in self._store.load().items
        )

    def add(self, text: str, came_from: CameFrom, id: str | None = None) -> NeverItem:
        """Put `text` on the list; what is there already (same id, or the very same words) stays."""
        text = " ".join(text.split())
        found = [one for one in self.items() if one.id == id or same(one.text, text)]
        if found:
            return found[0]
        item = _Item(id=id or new_id("nv"), text=text, at=self._clock.now(), came_from=came_from)
        self._store.change(lambda kept: kept.model_copy(update={"items": [*kept.items, item]}))
        return NeverItem(item.id, item.text, item.at, item.came_from)

    def remove(self, id: str) -> bool:
        """Take an item off; False when it was not there."""
        if all(item.id != id for item in self.items()):
            return False
        self._store.change(
            lambda kept: kept.model_copy(
                update={"items": [item for item in kept.items if item.id != id]}
            )
        )
        return True
