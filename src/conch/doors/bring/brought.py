"""The plain values of bringing chats in: a chat as it was found, and what came of bringing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from conch.chats.events import Event


@dataclass(frozen=True)
class BroughtChat:
    """A chat of another assistant's, told in Conch's own events.

    `id`: as its assistant knows it, stable over exports. `source`: the format's name
    ("claude-code"). `started` is None when the file does not say. `host` and `folder`: the
    computer and folder its commands ran in, "" when unknown. `engine`: who answered. `events`:
    in order, each with its own time where the file has one; to be gone through once, before the
    next chat of the same file is asked for.
    """

    id: str
    title: str
    started: datetime | None
    host: str
    folder: str
    events: Iterable[Event]
    source: str = ""
    engine: str = ""


@dataclass
class Aside:
    """What of a file could not be read and was left out, by kind, so that it can be said."""

    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, count: int = 1) -> None:
        """One more part left out; `kind` names it in the singular ("line that is no JSON")."""
        self.kinds[kind] += count

    @property
    def count(self) -> int:
        return sum(self.kinds.values())

    def said(self) -> str:
        """ "2 × a line that is no JSON, 1 × a message with no sender", "" for none."""
        return ", ".join(f"{count} × {kind}" for kind, count in self.kinds.most_common())


@dataclass(frozen=True)
class Brought:
    """What came of bringing a path in.

    `chats_new` and `chats_grown`: chats made, and chats that got more. `messages` (the person's),
    `steps` and `taints`: how many were added. `set_aside`: damaged or unreadable parts left out.
    `format`: what was recognised, several joined by ", ". `not_read`: what was recognised but is
    not read yet, a sentence each. `undated`: chats added to that carry no dates, so that their
    file's was taken. `nothing_new`: all of it was brought in, or said to be left out, before.
    """

    chats_new: int = 0
    chats_grown: int = 0
    messages: int = 0
    steps: int = 0
    taints: int = 0
    set_aside: int = 0
    format: str = ""
    not_read: tuple[str, ...] = ()
    undated: int = 0
    nothing_new: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        return {**asdict(self), "not_read": list(self.not_read)}
