"""What the memory routes take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from conch.memory.memory import MemoryAbout, MemoryKind, MemorySource
from conch.web.chat_shapes import Strict

Words = Annotated[str, Field(min_length=1, max_length=2_000)]
Hash = Annotated[str, Field(max_length=64)]


class MemoryItem(BaseModel):
    """A memory. `usable`: it may be in a prompt. `waits` and `held` say why it is not.

    `read`: what its chat had taken in from outside. `replaces_text`: the words a waiting
    replacement would replace. `refused`: the check refuses it; its words have to change.
    `same_as`: the memory of the very same words that is used in its place.
    """

    id: str
    text: str
    kind: MemoryKind
    about: MemoryAbout | None
    source: MemorySource
    created: datetime
    updated: datetime
    usable: bool
    waits: str
    held: list[str]
    refused: bool
    read: list[str]
    chat: str
    record: str
    replaces_text: str
    invalid_at: datetime | None
    superseded_by: str
    same_as: str
    words_hash: str
    score: float | None = None


class MemoryPage(BaseModel):
    """Memories; `waiting` and `held` are those that are not used yet, `doubles` those that only
    say what another says."""

    items: list[MemoryItem]
    waiting: list[MemoryItem]
    held: list[MemoryItem]
    doubles: list[MemoryItem]
    total: int
    next_offset: int | None
    counts: dict[MemoryKind, int]


class Now(BaseModel):
    """What is true of a subject now, and since when."""

    memory: str
    text: str
    since: datetime


class EarlierSubject(BaseModel):
    """What used to be true of one subject, oldest first; `now` is null where nothing took over."""

    copies: list[MemoryItem]
    now: Now | None


class EarlierPage(BaseModel):
    """Subjects something of which used to be true, the latest ended first; `total` counts them."""

    items: list[EarlierSubject]
    total: int
    next_offset: int | None


class NewMemory(Strict):
    text: Words
    kind: MemoryKind = "fact"


class MemoryEdit(Strict):
    """New words; `words_hash` is that of the words they replace, as the person saw them."""

    text: Words
    words_hash: Hash


class MemoryKept(Strict):
    """Keep what waits or is held. `anyway`: also what the check refuses."""

    words_hash: Hash
    anyway: bool = False


class MemorySeen(Strict):
    words_hash: Hash


class Forgotten(BaseModel):
    """A memory is forgotten; `undo` brings it back for ten minutes."""

    memory: MemoryItem
    undo: str


class BringBack(Strict):
    undo: Annotated[str, Field(max_length=100)]


class SearchNow(BaseModel):
    """How search works now: by words, or by meaning too, for which `encoded` memories are ready."""

    by_meaning: bool
    name: str
    memories: int
    encoded: int


ExportFormat = Literal["json", "markdown"]
