"""The plain values learning decides over: what was said, what a model proposes, what is decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from conch.chats.events import Origin
from conch.guard.taints import Taint
from conch.learning.already import AlreadyRead
from conch.memory.memory import Memory, MemoryKind

SignalKind = Literal[
    "correction",
    "rephrasing",
    "retry",
    "stop",
    "undo_of_files",
    "undo_of_memory",
    "frustration",
    "thanks",
    "worked_another_way",
]
"""The nine signals of spec 0088 §2, by the spec's own names."""

Verdict = Literal["applied", "waits", "dropped", "seen_again"]


@dataclass(frozen=True)
class Signal:
    """Something a chat's log shows about how it went. `seq` is the event it was read from."""

    kind: SignalKind
    seq: int
    text: str = ""


@dataclass(frozen=True)
class Said:
    """One message of the person's in a stretch.

    `text` is the whole message, `prose` only the person's own words in it (no quotes, code or
    pastes): only `prose` grounds a change, triggers a signal or counts as typed.
    """

    seq: int
    at: datetime
    text: str
    prose: str
    signals: tuple[SignalKind, ...] = ()


@dataclass(frozen=True)
class ComputerFact:
    """*Worked another way*: "On this computer, python isn't found; py works." (spec 0088 §2)."""

    text: str
    missing: str
    works: str
    failed_seq: int
    worked_seq: int
    failed: str = ""
    """The one line code makes of the step that failed, "" outside of a log."""
    worked: str = ""


@dataclass(frozen=True)
class SeenStep:
    """A step something rests on: the one line code makes of it, and whether it went well."""

    summary: str
    ok: bool


@dataclass(frozen=True)
class Add:
    """Add a memory. `quote` are the person's words it rests on."""

    text: str
    quote: str
    memory_kind: MemoryKind = "fact"
    about: Literal["environment", "pitfall"] | None = None
    observed: bool = False
    """True for what code itself observed (a fact about this computer): it needs no quote."""
    steps: tuple[SeenStep, ...] = ()
    """The steps that show it, when code observed it."""
    at: datetime | None = None
    """When it was so, when code observed it."""


@dataclass(frozen=True)
class Supersede:
    """What is true now in place of the memory `replaces`; `why` is the model's reason."""

    replaces: str
    text: str
    quote: str
    why: str = ""
    memory_kind: MemoryKind | None = None


Change = Add | Supersede


@dataclass(frozen=True)
class NeverItem:
    """Something the person took back: not to be learned again (spec 0088 §6)."""

    id: str
    text: str
    at: datetime
    came_from: Literal["undo", "forgot", "dismissed"]


@dataclass(frozen=True)
class Situation:
    """Everything the gate decides on, as it stands just before a change would be applied.

    `memories`: live and waiting memories. `shown`: for each memory id the model was shown, the
    hash of the words it was shown. `said_when`: when the words of each memory were last said, where
    that is known. `applied_this_look` and `applied_today` count applied changes;
    today's count includes this look's. `redact` hides secrets Conch holds; a text it changes holds
    one. `read_outside`: what the chat had taken in before the words (or at all). `already` finds
    among many memories the few that a change concerns; nothing else depends on it.
    """

    said: tuple[Said, ...]
    origin: Origin = "own"
    watched: bool = True
    read_outside: tuple[Taint, ...] = ()
    applied_this_look: int = 0
    applied_today: int = 0
    memories: tuple[Memory, ...] = ()
    shown: dict[str, str] | None = None
    said_when: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    never: tuple[NeverItem, ...] = ()
    redact: Callable[[str], str] = lambda text: text
    already: AlreadyRead | None = None


@dataclass(frozen=True)
class Decision:
    """What becomes of a change, the row that says so, and why in the product's words.

    `reasons` holds every reason to wait, in the table's order. `match` is the memory or
    never-list item the row rests on. `replaces` is set when an `Add` turned out to replace a
    memory (the code's own conflict check).
    """

    verdict: Verdict
    row: str
    reasons: tuple[str, ...] = ()
    match: str = ""
    replaces: str = ""
