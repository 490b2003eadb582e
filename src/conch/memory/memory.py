"""A memory: one thing Conch knows about the person, one Markdown file on disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from conch.home.hosts import same_host

MemoryKind = Literal["fact", "preference", "project", "person"]
MemoryAbout = Literal["environment", "pitfall"]
MemorySource = Literal["you", "assistant", "learning", "tidy", "import"]


@dataclass(frozen=True)
class Held:
    """The memory check's verdict on a memory it would not let through, with its reasons."""

    verdict: Literal["ask", "refuse"]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Provenance:
    """Where a memory's words came from.

    `read`: what the chat had taken in ("web:trains.example"). `yours`: the words are the
    person's own. `host`: the computer a fact about a computer is about.
    """

    read: tuple[str, ...] = ()
    yours: bool = True
    host: str = ""


@dataclass(frozen=True)
class Memory:
    """One memory (design.md, "Memory front matter"). Times are UTC."""

    id: str
    text: str
    kind: MemoryKind
    source: MemorySource
    created: datetime
    updated: datetime
    about: MemoryAbout | None = None
    chat: str = ""
    learned: str = ""
    waits: str = ""
    held: Held | None = None
    provenance: Provenance = field(default_factory=Provenance)
    replaces: str = ""
    """For a replacement that waits: the memory it would replace once kept."""
    replaces_hash: str = ""
    """`words_hash` of the memory it would replace, as the card showed it."""
    invalid_at: datetime | None = None
    superseded_by: str = ""
    cues: tuple[str, ...] = ()
    """Topics when it matters, beside its words: they help to find it and are never shown as it."""
    same_as: str = ""
    """The live memory of the very same words that is used in its place; never in a file."""

    @property
    def stands(self) -> bool:
        """True when it is live, and neither waits nor is held."""
        return not self.waits and self.held is None and self.invalid_at is None

    @property
    def usable(self) -> bool:
        """True when it may be in a prompt, `recall` or nearby: it stands, and says it alone."""
        return self.stands and not self.same_as

    @property
    def from_outside(self) -> bool:
        """True when its words came from a page, a download or an import, even once kept."""
        return bool(self.provenance.read) or self.source == "import" or not self.provenance.yours

    def about_computer(self, here: str) -> bool:
        """False for a fact about another computer than the one named `here`."""
        host = self.provenance.host
        return not (host and here) or same_host(host, here)

    @property
    def words_hash(self) -> str:
        return words_hash(self.text)


def words_hash(text: str) -> str:
    """SHA-256 of the exact words, in hex: what a consent is bound to (design.md, promise 3)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
